"""Finds pieces of a Chinese sentence that a question can ask for: lists whose length the sentence states (甲、乙和丙三个方面),
quoted names, results of actions, and ranks."""

import re
from collections.abc import Iterator

from agents.offline.chinese.sentences import PreparedSentence
from agents.offline.chinese.slots import TextSlot, is_quoted
from agents.offline.chinese.subjects import is_named

_COUNTS = {count: n for n, characters in enumerate(("二两2", "三3", "四4", "五5", "六6"), 2) for count in characters}
_LIST = re.compile(
    r"(?:涉及|包括|包含|涵盖|围绕|聚焦|分为|覆盖|设有|设置了?|设立了?|开设了?|推出了?|由|从|针对|来自|划分为|分成|辐射)"
    r"(?P<answer>(?:[^，、；：和与及等]{2,16}、){1,5}[^，、；：和与及等]{2,16}(?:以及|[和与及])[^，、；：和与及等]{2,16}?|"
    r"(?:[^，、；：和与及等]{2,16}、){1,5}[^，、；：和与及等]{2,16}?|[^，、；：和与及等]{2,16}[和与及][^，、；：和与及等]{2,16}?)"
    r"(?:等|这)?(?P<count>[二两三四五六2-6])(?P<noun>(?:个|大|项|种|座|家|类|条)?(?:[一-鿿]{0,4}?(?:方面|领域|环节|板块|部分|篇章|单元|阶段|"
    r"系列|城市|省份|国家|地区|赛区|展区|区域|项目|品牌|类别|主题|维度|层面|奖项|指标|场馆|平台|机构|部门|产业|行业|专业)))"
)

_OUTSIDE = re.compile(r"其|他|她|它|此|该|这|我|你|上述|有关|相关|双方")

_DOES = (
    "开展|启动|推出|打造|获评|荣获|获得|获颁|入选|举办|组织|实施|设立|设置|建立|上线|授予|创建|建成|推行|构建|创办|命名|取名|名为|发起|开设|"
    "成立|发布|提出|制定|研发|首创|创新|布局|上演|创作"
)
_QUOTED = re.compile(
    rf"(?P<verb>{_DOES})(?:了|为|出)?(?P<more>[一-鿿]{{0,6}}的)?“(?P<answer>[^“”]{{3,20}})”(?P<noun>[一-鿿]{{0,9}})(?=$|，)"
)
_NOUN = re.compile(
    r"(?:专项|系列|主题|品牌|公益|志愿|荣誉)*(?:行动|活动|计划|工程|项目|品牌|称号|模式|理念|机制|平台|系统|大赛|论坛|展览|体系|奖|产品|服务|基金|战略|课程|专区|"
    r"工作室|实验室|队伍|小组|服务队|突击队|栏目|节目|演出|音乐会|展|线路|制度|标准|倡议|口号|概念|方案|指数|名单)?$"
)
_RANK = re.compile(
    r"(?:位居|排名|位列|排在|居|跃居|位于)(?:了)?[一-鿿]{0,6}第(?P<answer>[一二三四五六七八九十]{1,3}|\d{1,3})(?:位|名)?(?=$|，)"
)


_DONE = re.compile(
    r"(?:正式|联合|首次|成功|共同|重磅|最新)?(?P<verb>披露|签署|启动|发布|推出|公布|成立|设立|建成|开通|收购|举办|举行|荣获|获得|入选|开设|上线|建立|出台|印发|开展|审议|召开|"
    r"上演|举行|组织|打造|投用|研发|引进|获评|摘得|斩获|揭牌|新增|下发|升级|更新)了?(?P<answer>[^，；：《》]{5,26})$"
)
_HEAVY = re.compile(r"了|着|会议$|活动$|工作$|将|已|、|等$|\d(?:人|名|个|家|起|%|元)|消息|公告$|通知$|“[^”]*$")


def things_done(sentence: PreparedSentence) -> Iterator[TextSlot]:
    """Yield the things that were published, opened or won, if the clause names them in words that a reader can identify and the
    sentence states the time."""
    text = sentence.text
    if not re.search(r"\d{4}年|\d月|\d日|今年|去年|近日|日前", text):
        return
    for start, end in sentence.clauses[:3]:
        match = _DONE.search(text[start:end])
        if (
            match is None
            or is_quoted(text, start + match.start(), end)
            or _HEAVY.search(match["answer"])
            or not is_named(match["answer"])
            or _OUTSIDE.search(match["answer"])
        ):
            continue
        at, last = start + match.start("answer"), [w for w in sentence.words if w.start < end][-1]
        first = next((w for w in sentence.words if w.start >= at), None)
        before = [w for w in sentence.words if w.start == start + match.start("verb")]
        if (
            first is None
            or first.start != at
            or first.flag[0] in "vpdcu"
            or last.flag[0] not in "nj"
            or not before
            or before[0].text != match["verb"]
        ):
            continue
        yield TextSlot(match["answer"], "phrase", at, end, "什么" if text[at - 1] == "了" else "了什么", 0.55)


def quoted_names(sentence: PreparedSentence) -> Iterator[TextSlot]:
    """Yield quoted names of things that the sentence says were started, awarded or founded."""
    text = sentence.text
    for match in _QUOTED.finditer(text):
        if is_quoted(text, match.start(), match.start()) or _NOUN.match(match["noun"]) is None or text.count("“") > 2:
            continue
        asked = (
            ("哪项" if match["noun"].endswith(("行动", "活动", "计划", "工程", "大赛", "倡议")) else "什么")
            if match["noun"]
            else "什么"
        )
        yield TextSlot(match["answer"], "name", match.start("answer") - 1, match.end("answer") + 1, asked, 0.65)


def ranks(sentence: PreparedSentence) -> Iterator[TextSlot]:
    """Yield the ranks (a first or third place, for example) in the sentence that a question can ask for."""
    text = sentence.text
    for match in _RANK.finditer(text):
        if not is_quoted(text, match.start(), match.end()):
            yield TextSlot(match["answer"], "number", match.start("answer"), match.end("answer"), "几", 0.6)


def lists(sentence: PreparedSentence) -> Iterator[TextSlot]:
    """Yield the lists in the sentence for which the sentence also states the number of members, as in "A, B and C, three
    aspects"."""
    text = sentence.text
    for match in _LIST.finditer(text):
        answer = match["answer"]
        members = re.split("、|以及|[和与及]", answer)
        if len(members) != _COUNTS[match["count"]] or is_quoted(text, match.start(), match.end()) or _OUTSIDE.search(answer):
            continue
        asked = f"哪{match['count']}{match['noun']}"
        yield TextSlot(answer, "phrase", match.start("answer"), match.end(), asked, 0.75)
