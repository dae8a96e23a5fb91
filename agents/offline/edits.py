"""Introduces one error into a true text in English or Chinese: a wrong time, number, name, negation or relation in one
sentence. Only the replaced words of the text change."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from agents.offline.antonyms import ANTONYMS
from agents.offline.chinese.people import titled_people
from agents.offline.corpus import OfflineCorpus
from agents.offline.exchange import FIGURE, Shape, in_range, names_of, other_figure
from core.ids import derived_id
from core.text.chinese_names import find_certain_names
from core.text.english_names import DATE, MONTHS

KINDS = ("time", "number", "entity", "relation", "negation")
MAX_SAMPLED_EDITS = 600
"""Maximum number of corpus sentences from which names are taken to replace another name."""
MIN_SENTENCE_CHARACTERS = {"en": 30, "zh": 12}
"""Minimum number of characters in a sentence into which an error is introduced."""
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TIME_ZH = re.compile(
    r"(?:1[5-9]|20)\d\d年(?:(?:1[0-2]|[1-9])月(?:[12]\d|3[01]|[1-9])日|(?:1[0-2]|[1-9])月)?(?!度|代|内)"
    r"|(?<!\d)(?:1[0-2]|[1-9])月(?:[12]\d|3[01]|[1-9])日"
    r"|(?<![\d.至到—月-])(?:[12]\d|3[01]|[1-9])日(?=[，晚上下在电召举发就公])"
)
_DAY_EN = re.compile(rf"\b(?:{'|'.join(_DAYS)})\b")
_MONTH_EN = re.compile(rf"\b(?:{MONTHS})\b")
_UNFIT = re.compile(r"责任编辑|来源|记者|图片|[?？]|https?:|@")
_FIGURE_ZH = re.compile(
    r"(?<![\d.])\d+(?:,\d{3})*(?:\.\d+)?(?=[多余]?[%％万亿元人名个家次项天米吨台座公辆条件所户亩种位周岁倍])"
)
_NOT_EN = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|should|may|must|did|does|do)\b(?! (?:not|no|never|to)\b)(?! \()"
)
_NOT_ZH = (
    ("已经", "尚未"),
    ("能够", "无法"),
    ("可以", "不可以"),
    ("允许", "不允许"),
    ("有权", "无权"),
    ("同意", "不同意"),
    ("没有", "有"),
    ("尚未", "已经"),
    ("不再", "仍然"),
    ("无法", "能够"),
    ("完成了", "没有完成"),
    ("获得了", "没有获得"),
    ("通过了", "没有通过"),
    ("不得", "可以"),
    ("属于", "不属于"),
    ("符合", "不符合"),
    ("需要", "不需要"),
    ("均为", "均不是"),
    ("也是", "也不是"),
    ("将会", "不会"),
    ("曾", "从未"),
    ("有望", "无望"),
    ("适合", "不适合"),
    ("愿意", "不愿意"),
    ("应当", "不应当"),
    ("必须", "不必"),
    ("未", "已"),
)
_NO_TURN = frozenset(
    (
        "将",
        "是",
        "不会",
        "不是",
        "已经",
        "尚未",
        "促进",
        "阻碍",
        "推动",
        "加强",
        "削弱",
        "改善",
        "恶化",
        "成功",
        "失败",
        "支持",
        "反对",
        "不足",
        "超过",
        "由于",
        "尽管",
        "was",
        "is",
        "could",
        "left",
        "was not",
        "is not",
        "could not",
    )
)
"""Antonyms that are not used to introduce an error, because they negate or their opposite rarely reads well."""
_MEASURED = frozenset(("增长", "下降", "上升", "增加", "减少", "提高", "降低", "上涨", "下跌", "扩大", "缩小"))
"""Verbs of increase and decrease that are replaced by their antonym only before a figure."""
_PLACES = {
    "province": re.compile(
        "(?:河北|山西|辽宁|吉林|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海)(?![路街大航银证高])"
    ),
    "country": re.compile(
        "(?:美国|英国|法国|德国|日本|韩国|印度|俄罗斯|意大利|西班牙|加拿大|澳大利亚|巴西|墨西哥|埃及|泰国|越南|马来西亚)(?![人队语])"
    ),
}


class SentenceEdit(NamedTuple):
    """An error introduced into one sentence of a text."""

    sentence: int
    """Number of the changed sentence, from 1."""
    kind: str
    was: str
    """Words that the error replaces; they occur only once in the sentence."""
    put: str


def edit(sentences: Sequence[str], beginning: str, corpus: OfflineCorpus, language: str, seed: str) -> SentenceEdit | None:
    """Return an error to introduce into one of the sentences; `seed` determines the kind of error and the sentence. Returns
    None if no replacement gives a sentence that is wrong but reads well."""
    places = [
        n for n, text in enumerate(sentences, 1) if len(text) >= MIN_SENTENCE_CHARACTERS[language] and not _UNFIT.search(text)
    ]
    places.sort(key=lambda n: derived_id(seed, n))
    turn = int(derived_id(seed)[:6], 16) % len(KINDS)
    known = "\n".join([beginning, *sentences])
    for kind in KINDS[turn:] + KINDS[:turn]:
        for n in places:
            for was, put in _MAKERS[kind](sentences[n - 1], known, corpus, language):
                if _stands_once(sentences[n - 1], was) and put != was:
                    return SentenceEdit(n, kind, was, put)
    return None


def _stands_once(sentence: str, words_: str) -> bool:
    return sentence.count(words_) == 1


Options = Iterator[tuple[str, str]]


def _times(sentence: str, known: str, corpus: OfflineCorpus, language: str) -> Options:
    if language == "zh":
        for match in _TIME_ZH.finditer(sentence):
            text = match.group()
            if not re.search(r"[至到—~-]$", sentence[: match.start()]) and not re.match(r"[至到—~-]", sentence[match.end() :]):
                yield text, _other_date_zh(text, known)
        return
    for match in DATE.finditer(sentence):
        year = re.search(r"\d{4}", match.group())
        if year and not in_range(sentence, match):
            other = other_figure(year.group(), known)
            yield match.group(), match.group().replace(year.group(), other)
    for pattern, cycle in ((_DAY_EN, _DAYS), (_MONTH_EN, tuple(MONTHS.split("|")))):
        for match in pattern.finditer(sentence):
            others = [time for time in cycle if time not in known]
            if others and match.group() in cycle:
                yield match.group(), others[cycle.index(match.group()) % len(others)]


def _other_date_zh(date: str, known: str) -> str:
    """Return another date of the same form as `date` that does not occur in the text `known`."""
    number = re.search(r"\d+(?=日)", date) or re.search(r"\d+(?=月)", date) or re.search(r"\d+", date)
    if number is None:
        return date
    top = 28 if date.endswith("日") else 12 if date.endswith("月") else 9999
    value = int(number.group())
    for step in range(2, 28):
        put = value - step if top == 9999 else (value + step - 1) % top + 1
        other = f"{date[: number.start()]}{put}{date[number.end() :]}"
        if other not in known and f"{put}{date[number.end() :]}" not in known:
            return other
    return date


def _numbers(sentence: str, known: str, corpus: OfflineCorpus, language: str) -> Options:
    for match in (_FIGURE_ZH if language == "zh" else FIGURE).finditer(sentence):
        in_name = re.search(r"[“《A-Za-z第][^，。“”《》 ]{0,6}$", sentence[: match.start()]) if language == "zh" else None
        is_year = language == "en" and re.fullmatch(r"1\d{3}|20\d\d", match.group())
        is_day = language == "en" and (
            re.match(rf" (?:{MONTHS})\b", sentence[match.end() :]) or re.search(rf"(?:{MONTHS}) $", sentence[: match.start()])
        )
        if not in_range(sentence, match) and not in_name and not is_year and not is_day:
            start, end = match.span()
            before = re.search(r"[^\s，。、；：]{0,4}$" if language == "zh" else r"\S* ?$", sentence[:start])
            after = re.match(r"[^\s，。、；：\d]{1,3}" if language == "zh" else r" ?\S*", sentence[end:])
            lead, tail = before.group() if before else "", after.group() if after else ""
            put = other_figure(match.group(), known)
            once = next(
                (
                    shape
                    for shape in (("", ""), ("", tail), (lead, tail))
                    if _stands_once(sentence, f"{shape[0]}{match.group()}{shape[1]}")
                ),
                None,
            )
            if once is not None:
                yield f"{once[0]}{match.group()}{once[1]}", f"{once[0]}{put}{once[1]}"


def _entities(sentence: str, known: str, corpus: OfflineCorpus, language: str) -> Options:
    """Yield possible replacements of names in a sentence, each as (name in the sentence, other name from the corpus with the
    same shape)."""
    mine = _names(sentence, language)
    others = {} if not mine else _known_names(corpus, language)
    for name, shape in mine.items():
        if language == "en" and (sentence.startswith(name) or not re.search(rf"(?<!\w){re.escape(name)}(?![\w’'-])", sentence)):
            continue
        same = [o for o, theirs in others.items() if theirs == shape and not _are_akin(o, name) and o not in known]
        if same:
            yield name, min(same, key=lambda o: derived_id(sentence, o))


def _are_akin(word: str, other: str) -> bool:
    """Return whether two names may refer to the same thing, because one contains the other or they share a word."""
    return word in other or other in word or bool(set(word.lower().split()) & set(other.lower().split()) - {"the", "of"})


def _names(text: str, language: str) -> dict[str, Shape]:
    if language == "en":
        return names_of([text], language)
    names: dict[str, Shape] = {}
    for name in find_certain_names(text):
        if "《" in name or "·" in name:
            names[name] = ("work", len(name) // 4) if "《" in name else ("person", True)
    for name, _, _ in titled_people(text):
        names.setdefault(name, ("person", "·" in name))
    for kind, places in _PLACES.items():
        for match in places.finditer(text):
            names.setdefault(match.group(), ("place", kind))
    return names


@lru_cache(maxsize=4)
def _known_names(corpus: OfflineCorpus, language: str) -> Mapping[str, Shape]:
    """Return a dict from name to shape for the names in a sample of the corpus; the sample takes sentences at equal
    intervals."""
    every = corpus.sentences(language)
    names: dict[str, Shape] = {}
    for sentence in every[:: max(1, len(every) // MAX_SAMPLED_EDITS)]:
        for name, shape in _names(" ".join(sentence.text.split()), language).items():
            names.setdefault(name, shape)
    return names


def _relations(sentence: str, known: str, corpus: OfflineCorpus, language: str) -> Options:
    for word, other in ANTONYMS[language]:
        for left, right in ((word, other), (other, word)):
            if left in _NO_TURN:
                continue
            behind = r"[了至到约近超]*\d" if left in _MEASURED else ""
            if re.search(f"{left}{behind}" if language == "zh" else rf"\b{re.escape(left)}\b", sentence):
                yield left, right


def _negations(sentence: str, known: str, corpus: OfflineCorpus, language: str) -> Options:
    if language == "en":
        for match in re.finditer(r"\b(?:is|are|was|were|has|had|have|will|would|can|could|should|may|must) not\b", sentence):
            yield match.group(), match.group().removesuffix(" not")
        for match in _NOT_EN.finditer(sentence):
            yield match.group(), f"{match.group()} not"
        return
    for left, right in _NOT_ZH:
        if left in sentence and not re.search(rf"(?:[没不未从并]|是否|即将){left}|{left}[来必免能知成]", sentence):
            yield left, right


_MAKERS = {"time": _times, "number": _numbers, "entity": _entities, "relation": _relations, "negation": _negations}
