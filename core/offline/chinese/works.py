"""Works, documents, names in quotation marks, reasons and superlatives that a Chinese question can ask for."""

import re
from collections.abc import Iterator

from core.offline.chinese.sentences import Prepared
from core.offline.chinese.slots import Slot, quoted
from core.offline.chinese.subjects import is_named

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
_NAMED = re.compile(
    r"(?:命名为|取名为?|更名为|改名为|被称为|被誉为|被称作|主题为|主题是|主题定为|口号是|口号为|昵称为|代号为|"
    r"名为)“(?P<answer>[^“”]{2,24})”(?=$|，)"
)
_BECAUSE = re.compile(
    r"(?<!原)因(?!此|为|素|子|应|地|而|果|公|故)(?P<answer>[^，、。因]{3,30}?)(?:而|，)?(?P<verb>被(?!告)|"
    r"遭(?:到)?|去世|逝世|辞去|辞任|受到|获刑|停飞|停运|取消)"
)
_DUE = re.compile(r"^(?:由于|因|因为)(?P<answer>[^，]{4,30})，")
_AIM = re.compile(r"^(?:为了|为)(?!期|此|何|什么|主|人|首|响|[^，]{0,12}(?:提供|带来|奉上))(?P<answer>[^，]{6,40})，")
_SUPERLATIVE = re.compile(
    r"^(?P<answer>[^，。、的《》]{2,18}?|《[^《》]{2,30}》)(?:就)?(?:是|为|成为)(?P<what>(?:[^，、\d]{8,26}(?:推出|研发|打造|创办|设立|主办|举办|建设|创作|"
    r"发起|自主|修建|组成|开发|设计|制作|出品|制定|发布|编制)[^，、\d]{0,6}的|[^，、\d]{0,14}?(?:首个|首家|首座|首条|"
    r"首款|首部|首支|首艘|首次|首位|首届|首例|首颗|首批|首枚|第一[个家座部件条款位名所]|最(?:大|长|高|早|多|小|快|深|年轻|重要|受欢迎)|"
    r"唯一)[^，、\d]{0,8}的?)[^，、是\d]{2,20})$"
)


def works_and_names(sentence: Prepared) -> Iterator[Slot]:
    text = sentence.text
    if text.count("《") <= 2:
        for found in _WORK.finditer(text):
            if quoted(text, found.start("answer"), found.end("answer")):
                continue
            before, paper = found["before"], _PAPERS.search(found["answer"])
            noun = next(((kind[0], ask) for nouns, ask in _WORK_NOUNS if (kind := nouns.search(before))), None)
            if noun and not text.startswith(("等", "、", "和", "中的"), found.end("answer")):
                start = found.start("answer") - len(noun[0])
                yield Slot(found["answer"], "work", start, found.end("answer"), noun[1] + noun[0], 0.75)
            elif not noun and paper and _PAPER_VERBS.search(before) and len(found["answer"]) > 7:
                sort = "文件" if _PLAIN_PAPER.fullmatch(paper["type"]) else paper["type"]
                yield Slot(found["answer"], "work", found.start("answer"), found.end("answer"), f"哪份{sort}", 0.6)
    for found in _THEME.finditer(text):
        yield Slot(found["answer"], "phrase", found.start() + 1, found.end("answer") + 1, "什么", 0.75)
    for found in _NAMED.finditer(text):
        yield Slot(found["answer"], "name", found.start("answer") - 1, found.end("answer") + 1, "什么", 0.7)


def reasons(sentence: Prepared) -> Iterator[Slot]:
    text = sentence.text
    for found in _BECAUSE.finditer(text):
        if not quoted(text, found.start(), found.end()) and not re.search(r"其|他|她|该|此", found["answer"]):
            yield Slot(found["answer"], "phrase", found.start(), found.start("verb"), "因为什么", 0.7)
    found_due = _DUE.search(text)
    if found_due and not re.search(r"其|他|她|该|此", found_due["answer"]):
        yield Slot(found_due["answer"], "phrase", 0, found_due.end(), "，原因是什么", 0.6, tail=True)
    found_aim = _AIM.search(text)
    if found_aim and not re.search(r"其|他|她|该|此", found_aim["answer"]):
        yield Slot(found_aim["answer"], "phrase", 0, found_aim.end(), "，目的是什么", 0.6, tail=True)


def superlatives(sentence: Prepared) -> Iterator[Slot]:
    for index in range(min(2, len(sentence.clauses))):
        lead = "".join(sentence.text[a:b] + "，" for a, b in sentence.clauses[:index])
        if not lead or re.search(r"^[\d年月日]+，$|(?:时|中|期间)，$", lead):
            yield from _superlative(sentence, index, lead)


def _superlative(sentence: Prepared, index: int, lead: str) -> Iterator[Slot]:
    start, end = sentence.clauses[index]
    found = _SUPERLATIVE.search(sentence.text[start:end])
    if not found or quoted(sentence.text, start, found.start("what")) or re.search(r"[一之]$|之一|[和与及]", found[0]):
        return
    inside = [w for w in sentence.words if start <= w.start and w.end <= start + found.end("answer")]
    if not inside or not is_named(found["answer"]):
        return
    last = inside[-1]
    what = re.sub(
        r"^(?:一[个项款家座部位种场条支]|全国|全球|世界|中国)(?=.{10})",
        lambda m: m[0] if m[0][0] != "一" else "",
        found["what"],
    )
    answer_is_quoted = found["answer"].endswith(("”", "》"))
    if "“" in what:
        return
    if answer_is_quoted:
        ask = f"{what}叫什么名字"
    elif last.flag in ("nr", "nrt"):
        ask = f"{what}是谁"
    elif re.search(r"公司|集团|企业", last.text + what[-4:]):
        ask = f"{what}是哪家公司"
    else:
        ask = f"{what}是哪一个"
    yield Slot(found["answer"], "name", 0, len(sentence.text), lead + ask, 0.7, whole=True)
