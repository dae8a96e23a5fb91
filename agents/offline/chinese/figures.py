"""Finds the numbers in a Chinese sentence that a question can ask for: amounts with units, percentages, and periods of
years."""

import re
from collections.abc import Iterator

from agents.offline.chinese.sentences import PreparedSentence
from agents.offline.chinese.slots import TextSlot, clause_of, is_quoted, word_before

_UNIT = (
    "立方米每秒|个百分点|平方公里|平方千米|平方米|立方米|千瓦时|兆瓦时|万千瓦|人民币|摄氏度|千瓦|兆瓦|美元|"
    "欧元|港元|日元|英镑|卢布|韩元|澳元|人次|个月|架次|辆次|艘次|台套|场次|公里|千米|海里|厘米|毫米|公顷|小时|"
    "分钟|户次|公斤|千克|订单|元|人|名|位|家|个|件|起|架|辆|艘|台|套|场|吨|米|亩|度|股|票|岁|天|种|项|部|座|"
    "条|所|处|户|册|枚|桶|本|幅|篇|例|对|箱|袋|盒|瓶|间|栋|幢|棵|株|头|只|匹|尾|首|支|款|类|批|届|次|倍|周|级|"
    "斤|克|升|单|席|组|颗|片"
)
"""Pattern of the units after a figure; a longer unit stands before its beginning, so that 平方米 is not read as 平."""
_COUNTED = frozenset("人名位家个件架辆艘台套场种项部座条所处户册枚支款株头只匹尾间栋幢棵席片例")
_AMOUNT = (
    r"(?:(?<![\d.第至到/:：\-—~～A-Za-z每])\d+(?:\.\d+)?[千百]?[万亿]{0,2}[多余]?(?:万|亿)?"
    r"|(?<![第至到每几数唯一二三四五六七八九十百千万亿零两])(?!十[多几])[一二三四五六七八九十百千万亿零两点]{2,12}[多余]?)"
)
_NO_WORD = (
    r"(?<!部(?=[门队署委分件级]))(?<!周(?=年))(?<!家(?=[庭长属居电]))(?<!名(?=[额单]))(?<!位(?=[数置于]))"
    r"(?<!场(?=[馆地所景]))(?<!台(?=风))(?<!条(?=[例件]))(?<!项(?=目))(?<!次(?=[日年]))(?<!天(?=[津然]))"
    r"(?<!元(?=[旦首件]))(?<!首(?=[个次届批席]))(?<!度(?=[假过]))(?<!口(?=井))"
)
"""Pattern that refuses a unit followed by certain characters, with which it would be part of another word (部门, 周年,
家庭)."""
_NUMBER = re.compile(
    rf"(?P<lead>超过|超|逾|近|约|大约|接近)?(?P<answer>{_AMOUNT}(?P<unit>{_UNIT})(?:人民币)?){_NO_WORD}"
    r"(?![至到\-—~～\d以月/／])(?![多余来])(?!栏|跑|接力|自由泳|蛙泳|蝶泳|仰泳|赛|混合|短跑|气步枪|气手枪|跳台|"
    r"跳板|高铁|长的|高的)"
)
_PERCENT = re.compile(
    r"(?P<lead>超过|超|逾|近|约|大约|接近)?(?P<answer>(?<![\d.至到\-—~～])\d+(?:\.\d+)?[%％])(?![至到\-—~～以的和])"
)
_LINKED = re.compile(r"\d[^，]*?(?:为|达|超|完成|提高到|增至|降至|下降|增长|派出|发放|覆盖|提出|推出|投入|捐)[^，]*\d")
"""Pattern of a clause with two figures, of which the second has its own verb."""
_SENTENCED = re.compile(r"(?:有期徒刑|历时|时隔|为期|长达|任期)(?P<answer>\d+年)(?!\d)")
_ANY_FIGURE = re.compile(rf"{_AMOUNT}(?:{_UNIT})|\d+(?:\.\d+)?[%％万亿]")
_ORDINAL = ("级", "批", "度", "组", "类")
"""Units before which a Chinese numeral is usually an ordinal number or part of a name."""
_MOVES = re.compile(
    r"(?:涨|跌|降|增|升|报|收涨|收跌|下挫|上扬|历时|耗时|用时|为期|长达|重达|高达|占地|享年|年仅|时长|"
    r"进口|出口|投资|捐款|捐赠|募集|融资|募资|累计)$"
)
"""Pattern of verbs that the tagger jieba marks as nouns."""
_VERB_FLAGS = ("v", "vi", "vshi", "vyou")


def figures(sentence: PreparedSentence) -> Iterator[TextSlot]:
    text = sentence.text
    for pattern in (_NUMBER, _PERCENT, _SENTENCED):
        for match in pattern.finditer(text):
            clause = clause_of(sentence, match.start("answer"))
            if is_quoted(text, match.start(), match.end()) or not _is_told_apart(clause, match["answer"]):
                continue
            before = word_before(sentence, match.start())
            if before is None or before.text in "，、；" or re.match(r"1\D", match["answer"]):
                continue
            lead = match.groupdict().get("lead") or ""
            lead = {"超": "超过", "逾": "超过", "近": "接近", "大约": "约"}.get(lead, lead)
            answer = match["answer"]
            asked = (
                "百分之多少" if pattern is _PERCENT else "多少年" if pattern is _SENTENCED else _how_many(match["unit"], answer)
            )
            unit = match.groupdict().get("unit")
            if unit == "届" or (unit in _ORDINAL and not match["answer"][0].isdigit()):
                continue
            final = re.match(r"左右|$|，", text[match.end() :]) is not None
            bare = before.flag[0] in "nj" and not before.flag.startswith("nr") and not _MOVES.match(before.text)
            link = ""
            if bare and final and lead in ("", "约") and not _verb_before(sentence, match.start()):
                link = lead + ("有" if unit in _COUNTED else "为" if pattern is not _PERCENT else "是")
                lead = ""
            if (unit == "岁" and not final) or (
                lead and bare and not final and unit in _COUNTED and not _has_verb(sentence, match.start(), match.end())
            ):
                continue
            if not link and not _has_verb(sentence, match.start(), match.end()):
                continue
            if pattern is _PERCENT and "占" in clause:
                link = "的" if before.text != "的" else ""
            if unit in ("届", "级", "周", "对", "组", "类", "批", "次", "首", "本", "条") and (link or before.text in "的"):
                continue
            yield TextSlot(answer, "number", match.start(), match.end(), link + lead + asked, 0.6 if link else 0.7)


def _is_told_apart(clause: str, figure: str) -> bool:
    """Return whether a question can ask for the number `figure` unambiguously: it is the only number in the clause, or the
    second of two numbers that have different units and do not form a list."""
    figures = _ANY_FIGURE.findall(clause)
    if len(figures) == 1:
        return True
    return (
        len(figures) == 2
        and figures[1] in figure
        and figures[0][-1] != figures[1][-1]
        and bool(_LINKED.search(clause))
        and not re.search(r"\d[^，]*[、和及][^，]*\d", clause)
    )


def _has_verb(sentence: PreparedSentence, start: int, end: int) -> bool:
    """Return whether the clause has its own verb before or after the piece between `start` and `end`."""
    clause_end = sentence.clauses[sentence.clause_at(start)][1]
    return _verb_before(sentence, start) or any(w.flag in _VERB_FLAGS for w in sentence.words if end <= w.start < clause_end)


def _verb_before(sentence: PreparedSentence, start: int) -> bool:
    """Return whether a verb precedes the piece at `start` in its clause, not counting verbs in phrases that end in 的."""
    clause_start, _ = sentence.clauses[sentence.clause_at(start)]
    before = [w for w in sentence.words if clause_start <= w.start < start]
    relative = max((w.start for w in before if w.text == "的"), default=-1)
    if not any(w.text == "占" for w in before):
        before = [w for w in before if w.start > relative]
    return any(w.flag in _VERB_FLAGS or _MOVES.match(w.text) or w.text in ("达", "为", "占", "共计") for w in before)


def _how_many(unit: str, answer: str) -> str:
    return "多少" + ("元" if unit == "人民币" else unit)
