"""Finds the places in a Chinese sentence that a question can ask for."""

import re
from collections.abc import Iterator

from agents.offline.chinese.sentences import PreparedSentence
from agents.offline.chinese.slots import TextSlot, is_quoted
from agents.offline.chinese.subjects import is_named

_HELD = (
    "举行|举办|召开|开幕|举办|启动|开赛|落幕|闭幕|上演|首演|首发|发布|揭牌|揭幕|开工|逝世|去世|出生|签约|签署|亮相|"
    "开馆|成立|会见|会晤|挂牌|上市|起航|启航|打响|登陆|首映|拉开帷幕|收官|竞逐|坠毁|下水"
)
_PLACE = re.compile(
    rf"(?<!现)在(?P<answer>[^，。、在于“”《》\d]{{2,18}}?)(?:正式|隆重|圆满|成功|同步|联合|首次|再次|盛大|"
    rf"顺利)?(?P<verb>{_HELD})"
)

_PLACE_END = re.compile(
    r"(?:市|县|区|省|州|镇|村|乡|国|中心|馆|场|大学|学院|酒店|公园|广场|剧院|大厦|会堂|宫|厅|基地|园|站|港|街道|"
    r"路|楼|岛|湾|山|湖|寺|城|沿海|医院|学校|中学)$"
)


def places(sentence: PreparedSentence) -> Iterator[TextSlot]:
    text = sentence.text
    for match in _PLACE.finditer(text):
        answer = match["answer"]
        inside = [w for w in sentence.words if match.start("answer") <= w.start < match.end("answer")]
        if (
            is_quoted(text, match.start(), match.end())
            or not inside
            or re.search(r"期间|活动|会上|时|日|第|届|[上中下里]$|方面|基础|其|该|本", answer)
        ):
            continue
        if not is_named(answer) or not (_PLACE_END.search(answer) or inside[-1].flag in ("ns", "nt")):
            continue
        rest = text[: match.start()] + text[match.end() :]
        if any(w.flag == "ns" and w.text in rest for w in inside):
            continue
        yield TextSlot(
            answer,
            "place",
            match.start("answer"),
            match.end("answer"),
            "哪里" if len(inside) > 1 else _which_place(answer),
            0.75,
        )


def _which_place(answer: str) -> str:
    if answer.endswith("市"):
        return "哪座城市"
    return "哪里"
