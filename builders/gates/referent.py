"""Refuse an implicit question (level 2) that contains the name it must hide: the full name, a distinctive part of the name, its
initials, or another name that the evidence gives for the same thing. Flag an implicit question that cannot be checked. Also
flag an implicit question if the level 1 question from which it was made does not contain the name, so that there was no name to
hide."""

import re
from collections.abc import Iterator
from unicodedata import normalize

from builders.gate import Finding, Gate, GateContext
from core.errors import BenchError
from core.nouns import Item
from core.text.names import NO_NAME

MIN_REFERENT_RATIO = 85
"""Least rapidfuzz partial_ratio (0..100) at which a question counts as containing the name that it must hide."""
KINDS_EN = """
company corporation corp inc ltd limited group holdings association society institute institution university college school
academy department ministry office agency authority commission committee council board court tribunal hospital clinic museum
gallery library theatre theater orchestra opera hall house palace castle church cathedral abbey temple bridge tower station
airport port harbour harbor river lake sea ocean bay island islands mountain mount hill valley forest park garden gardens street
road avenue square city town village county district region province state republic kingdom empire union league club team party
army navy bank fund trust foundation prize award medal festival cup championship act treaty agreement report paper journal book
novel film album song series war battle revolution north south east west northern southern eastern western upper lower new old
great royal national international central general public supreme high grand united first second third king queen prince
princess duke lord lady president
professor captain colonel doctor bishop mayor judge works mill mills factory railway line
"""
KINDS = frozenset(KINDS_EN.split())
"""English words for kinds of things ("university", "river"), which a level 2 question may use to describe the hidden name."""
KINDS_ZH = """
股份有限公司 有限责任公司 有限公司 人民法院 人民政府 人民医院 总公司 分公司 委员会 研究院 研究所 出版社 图书馆 博物馆
美术馆 歌剧院 俱乐部 基金会 实验室 公司 集团 企业 工厂 大学 学院 学校 中学 小学 医院 法院 银行 协会 学会 中心 部门 政府
机构 组织 法庭 剧院 剧团 书店 报社 电视台 车站 机场 港口 码头 大桥 公园 广场 大街 大厦 大道 小镇 先生 女士 教授 博士 院长
校长 市长 主任 经理 科技 技术 科学 国际 国家 全国 中国 中央 人民 第一 第二 第三 中级 高级 最高 股份 有限 工业 商业 贸易
投资 文化 教育 发展 管理 建设 工程 玻璃厂 玻璃 纺织 机械 电子 有轨 电车 铁路 公路 河流 北京 上海 天津 重庆 广州 深圳 省 市
县 区 镇 乡 村 州 路 街 桥 河 江 湖 山 海 岛 厂 局 部 院 馆 社 会 奖 节 法 案 号
"""
SPLIT_ZH = re.compile("|".join(sorted(KINDS_ZH.split(), key=len, reverse=True)))


def check(item: Item, context: GateContext) -> Finding:
    referent = str(item.labels.get("referent") or "").strip()
    if not referent:
        return Finding("flag", "The draft does not record which name the question hides, so nothing could be checked.")
    named = [referent, *(str(alias) for alias in item.labels.get("aliases") or ()), *_aliases(item, referent, context)]
    for name in dict.fromkeys(named):
        spelling = _find_name_words(name, item.question, item.language)
        if spelling:
            why = f"The question still names what it should hide, {referent}: {spelling!r}."
            return Finding("refuse", why, {"referent": referent, "found": spelling})
    source = next((str(step.get("question") or "") for step in item.steps if step.get("kind") == "source_item"), "")
    if source and not _find_name_words(referent, source, item.language):
        why = f"The level 1 question does not name {referent}, so hiding it may hide nothing."
        return Finding("flag", why, {"referent": referent, "source": source})
    return Finding("pass", details={"referent": referent})


def _find_name_words(name: str, question: str, language: str) -> str:
    """Return the words of the question that reveal the name which the question must hide, or "" if no words do."""
    name, question = normalize("NFKC", name).strip(" .,'\"“”《》"), normalize("NFKC", question)
    if language == "zh" and re.search(r"[㐀-鿿]", name):
        return _find_named_zh(name, question)
    return _find_near_stretch(name, question) or next(
        (match.group() for part in _parts(name) if (match := re.search(rf"(?<!\w){re.escape(part)}(?:s|es)?(?!\w)", question))),
        "",
    )


def _find_near_stretch(name: str, question: str) -> str:
    """Return the whole words of the question that nearly equal the name."""
    from rapidfuzz.fuzz import partial_ratio_alignment, ratio

    low, text = " ".join(name.casefold().split()), " ".join(question.casefold().split())
    place = partial_ratio_alignment(low, text, score_cutoff=MIN_REFERENT_RATIO) if len(low) <= len(text) else None
    if place is None:
        return ""
    start, end = place.dest_start, place.dest_end
    while start > 0 and text[start - 1].isalnum() and text[start : start + 1].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    words = text[start:end].strip(" ,.?!;:\"'")
    return words if ratio(low, words) >= MIN_REFERENT_RATIO - 5 else ""


def _parts(name: str) -> Iterator[str]:
    """Yield the distinctive parts of an English name: its initials, and its capitalised words except common nouns for a kind of
    thing."""
    words = [word for word in re.findall(r"[^\W_]+(?:['’][^\W_]+)?", name) if word.lower() not in NO_NAME]
    for word in words:
        bare = re.sub(r"['’]s$", "", word)
        if len(bare) >= 3 and bare[0].isupper() and bare.lower() not in KINDS:
            yield bare
    initials = "".join(word[0] for word in words if word[0].isupper())
    if len(initials) >= 3:
        yield initials


def _find_named_zh(name: str, question: str) -> str:
    name, question = (re.sub(r"[\s《》“”\"'·]", "", text) for text in (name, question))
    if name in question or (len(name) >= 5 and _near_zh(name, question)):
        return name
    for core in SPLIT_ZH.split(name):
        for part in _pieces(core):
            if part in question:
                return part
    return ""


def _near_zh(name: str, question: str) -> bool:
    from rapidfuzz.fuzz import partial_ratio

    return len(name) <= len(question) and partial_ratio(name, question) >= MIN_REFERENT_RATIO


def _pieces(core: str) -> Iterator[str]:
    """Yield the distinctive pieces of a Chinese name; `core` is the name without common nouns for a kind of thing. For a name
    of two or three characters, the pieces are its pairs of characters. For a longer name, the pieces are its triples of
    characters and its first two characters, because long names are abbreviated in these ways."""
    size = 2 if len(core) <= 3 else 3
    if len(core) >= 4:
        yield core[:2]
    for at in range(len(core) - size + 1):
        yield core[at : at + size]


def _aliases(item: Item, referent: str, context: GateContext) -> list[str]:
    """Return other names of the hidden name `referent`, given in brackets after it in the evidence, e.g. "Aldermoor Glassworks
    (AGW)" or "X公司（简称Y）". Brackets that contain a number are ignored, because they contain the years of a person's life or
    a location, not a name."""
    try:
        evidence = " ".join(context.text_of(span) for span in item.evidence)
    except BenchError:
        return []
    aliases = re.findall(rf"{re.escape(referent)}\s*[(（]([^)）]{{2,30}})[)）]", evidence)
    words = re.compile(r"^(?:以下)?(?:简称|又称|又名|即|下称|the|or|hereafter)[:：]?\s*")
    return [words.sub("", name).strip("\"“”'") for name in aliases if not re.search(r"\d", name)]


GATE = Gate(version="1", check=check)
