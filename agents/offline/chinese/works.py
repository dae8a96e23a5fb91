"""Finds works, documents and quoted names in a Chinese sentence that a question can ask for."""

import re
from collections.abc import Iterator

from agents.offline.chinese.sentences import PreparedSentence
from agents.offline.chinese.slots import TextSlot, is_quoted

_WORK = re.compile(r"(?P<before>[^，。《》“”、]{0,8})(?P<answer>《[^《》]{2,40}》)")
_WORK_NOUNS = (
    (
        re.compile(r"(?:电影|影片|电视剧|话剧|小说|纪录片|音乐剧|舞剧|动画片|动画|短剧|剧集|著作|微电影|京剧|歌剧|专著)$"),
        "哪部",
    ),
    (re.compile(r"(?:歌曲|单曲)$"), "哪首"),
    (re.compile(r"(?:综艺节目|综艺|节目)$"), "哪档"),
    (re.compile(r"(?:专辑)$"), "哪张"),
    (re.compile(r"(?:图书|杂志|绘本|期刊)$"), "哪本"),
    (re.compile(r"(?:报纸)$"), "哪家"),
    (re.compile(r"(?:游戏|手游)$"), "哪款"),
)
_PAPERS = re.compile(
    r"(?P<type>办法|通知|意见|规定|条例|方案|规划|报告|白皮书|指南|协议|合同|备忘录|声明|公告|指引|纲要|计划|"
    r"标准|规则|细则|决定|措施|清单|公报|蓝皮书|倡议书|行动计划|举措|目录|名单|宣言|章程|决议|法案|倡议|手册|总结|分析|意见稿|预案|动员令)(?:[（(][^（）()]*[）)])?》$"
)
_PLAIN_PAPER = re.compile(r"通知|意见|决定|措施|标准|规则|声明|计划|办法|举措|总结|分析|意见稿|动员令")
_PAPER_VERBS = re.compile(r"(?:发布|印发|出台|下发|公布|通过|签署|签订|推出|制定|审议通过|修订|发表|披露|编制|起草)了?$")
_THEME = re.compile(r"以“(?P<answer>[^“”]{4,28})”为主题")
_NAMING = re.compile(
    r"(?:命名为|取名为?|更名为|改名为|被称为|被誉为|被称作|主题为|主题是|主题定为|口号是|口号为|昵称为|代号为|"
    r"名为)“(?P<answer>[^“”]{2,24})”(?=$|，)"
)


def works_and_names(sentence: PreparedSentence) -> Iterator[TextSlot]:
    text = sentence.text
    if text.count("《") <= 2:
        for match in _WORK.finditer(text):
            if is_quoted(text, match.start("answer"), match.end("answer")):
                continue
            before, paper = match["before"], _PAPERS.search(match["answer"])
            noun = next(((kind[0], ask) for nouns, ask in _WORK_NOUNS if (kind := nouns.search(before))), None)
            if noun and not text.startswith(("等", "、", "和", "中的"), match.end("answer")):
                start = match.start("answer") - len(noun[0])
                yield TextSlot(match["answer"], "work", start, match.end("answer"), noun[1] + noun[0], 0.75)
            elif not noun and paper and _PAPER_VERBS.search(before) and len(match["answer"]) > 7:
                sort = "文件" if _PLAIN_PAPER.fullmatch(paper["type"]) else paper["type"]
                yield TextSlot(match["answer"], "work", match.start("answer"), match.end("answer"), f"哪份{sort}", 0.6)
    for match in _THEME.finditer(text):
        yield TextSlot(match["answer"], "phrase", match.start() + 1, match.end("answer") + 1, "什么", 0.75)
    for match in _NAMING.finditer(text):
        yield TextSlot(match["answer"], "name", match.start("answer") - 1, match.end("answer") + 1, "什么", 0.7)
