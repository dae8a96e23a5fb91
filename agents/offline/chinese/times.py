"""Finds the days, months and years of single events in a Chinese sentence, which a question can ask for."""

import re
from collections.abc import Iterator

from agents.offline.chinese.dates import in_year
from agents.offline.chinese.sentences import PreparedSentence
from agents.offline.chinese.slots import TextSlot, is_quoted
from agents.offline.factoid import Kind

DAY = r"(?:\d{4}年)?\d{1,2}月\d{1,2}日"
_CLOCK = (
    r"(?:上午|下午|晚间|晚上|晚|凌晨|中午|早上|早间|傍晚|清晨|夜间|起|\d{1,2}[时点：:]\d{0,2}(?:分|许|整)?(?:前后|许|左右)?)*"
)
_DATE = re.compile(
    rf"(?P<before>将于|定于|已于|于|在|自|"
    rf"从)?(?P<answer>(?<![至到—~～、和-]){DAY})(?![至到\-—~～、和前后以之截]){_CLOCK}(?P<comma>，)?"
)
_YEAR = re.compile(
    r"(?P<before>将于|已于|始于|于|"
    r"在)?(?P<answer>(?<![至到—~～、和自从截前-])\d{4}年(?:\d{1,2}月)?)(?![\d至到\-—~～、和前后底初末以第度版期"
    r"间中上下春夏秋冬的代来起])(?P<comma>，)?"
)
_EVENT = (
    "举行|举办|召开|开幕|成立|创立|创办|发布|上市|签署|启动|开工|通车|逝世|去世|出生|宣布|揭晓|揭牌|登陆|发射|"
    "抵达|访问|会见|会晤|开业|上线|施行|生效|闭幕|上映|"
    "首映|落成|交付|就任|当选|任命|公布|开馆|开园|开赛|落幕|签约|挂牌|投产|竣工|开播|首发|出版|问世|印发|出台|"
    "通过|聘任|发生|收购|进入|加入|获批|批准|建成|始建|"
    "开通|首飞|下水|亮相|入选|荣获|获得|夺得|出任|担任|毕业|入职|离任|设立|更名|迁|起诉|判处|逮捕|立案|宣判|"
    "提交|递交|质押|增持|减持|回购|登场|上演|首演|开放|审理|开庭|写下|凿|出生|下线|开班|开营|首秀|揭幕|竞得|中标|摘牌|试运行|投用|启用|拍卖|起航|首航|返航|遇难|坠毁|受灾"
)
EVENT_VERB = re.compile(_EVENT)
_VERB_THEN_DATE = re.compile(
    rf"(?:成立|出生|生|始建|创立|创建|创办|上市|建成|落成|开业|开馆|发起|启用|创刊|组建|逝世|"
    rf"上映)于(?P<answer>{DAY}|\d{{4}}年(?:\d{{1,2}}月)?)(?=$|，)"
)


def times(sentence: PreparedSentence) -> Iterator[TextSlot]:
    text = sentence.text
    for match in _VERB_THEN_DATE.finditer(text):
        answer = match["answer"]
        kind: Kind = "date" if answer.endswith("日") else "year"
        ask = in_year(answer, sentence.published) if kind == "date" else "什么时候" if answer.endswith("月") else "哪一年"
        yield TextSlot(answer, kind, match.start("answer"), match.end("answer"), ask, 0.8)
    days = list(_DATE.finditer(text))
    alone = len(days) == 1 or (days and days[0].start() == 0 and "，" in text[: days[1].start()].strip("，")[12:])
    for match in days[:1] if alone else ():
        yield from _time_slot(sentence, match, "date", in_year(match["answer"], sentence.published))
    years = [m for m in _YEAR.finditer(text) if not is_quoted(text, m.start(), m.end())]
    for match in years if len(years) == 1 and not days and len(re.findall(r"\d{4}", text)) == 1 else ():
        yield from _time_slot(sentence, match, "year", "什么时候" if match["answer"].endswith("月") else "哪一年")


def _time_slot(sentence: PreparedSentence, match: re.Match[str], kind: Kind, ask: str) -> Iterator[TextSlot]:
    text = sentence.text
    if is_quoted(text, match.start(), match.end()):
        return
    rest = text[match.end() :]
    clause = re.split("，", rest, maxsplit=1)[0]
    if len(clause) < 8 or not EVENT_VERB.search(clause):
        return
    if match.start() == 0:
        if not re.match(r"[起以至前后的]", clause):
            yield TextSlot(match["answer"], kind, 0, match.end(), f"是在{ask}", 0.55, tail=True)
    elif (
        not match["comma"]
        and match["before"] not in ("自", "从")
        and text[match.start() - 1] not in "，；的"
        and not re.search(r"以来|时|之后|之前|期间|的(?:会谈|讲话)|前夕|前$|后$", clause)
        and not re.match("的", clause)
    ):
        yield TextSlot(match["answer"], kind, match.start(), match.end(), (match["before"] or "于") + ask, 0.7)
