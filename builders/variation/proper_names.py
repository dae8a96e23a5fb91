"""Find the proper names in a document (persons, organisations, works, events, places); shared names show whether two documents
are about the same subject. Agencies and reporters in a byline are left out, because they are not part of the content."""

import re

from core.text.chinese_names import find_certain_names, names_by_ending, words
from core.text.english_names import MONTHS, NATIONALITY, names, strip_brackets

_STAMP = re.compile(r"^[^。]{0,60}?正文[:：]")
_REPORTERS = re.compile(
    r"[（(【\[][^（）()【】\[\]]{0,60}(?:记者|通讯员|作者|编辑|实习)[^（）()【】\[\]]{0,60}[）)】\]]|(?:见习|实习|特约)?(?:记者|通讯员|作者|编辑)"
    r"[：:\s]*[一-鿿]{2,3}(?:[、\s]+[一-鿿]{2,3}){0,3}(?=[\s，。、）)])|[^\s，。：]{2,10}(?:网|社|报|客户端|APP)[^\s，。]{0,10}?(?:电|讯|消息)"
)
_QUOTED_NAME = re.compile(r"《[^》\n]{2,20}》|“([^”\n，。]{2,12})”")
_NAME_FLAGS = frozenset(("ns", "nt", "nz", "nrt", "nrfg"))
_GENERAL = frozenset(
    ["中国", "我国", "全国", "全球", "世界", "国家", "国际", "中华", "中共中央", "新华社", "国务院", "互联网", "华人", "汉族"]
)
"""Names that do not show what a document is about, because many documents contain these names."""
MAX_NAME_CHARACTERS = 40
"""Maximum length in characters of a proper name."""


def proper_names(text: str, language: str) -> list[str]:
    """Return the distinct proper names in the text, as spelled there, most frequent first."""
    names = dict.fromkeys(_chinese(text) if language == "zh" else _english(text))
    return sorted(
        (name for name in names if len(name) <= MAX_NAME_CHARACTERS), key=lambda name: (-text.count(name), text.find(name))
    )


def lead(text: str, language: str, most: int = 160) -> str:
    """Return the beginning of a document as a search query, without the agency and reporters of a news item, cut at the end of
    a sentence or clause after at most `most` characters."""
    if language == "zh":
        text = _REPORTERS.sub("", _STAMP.sub("", text))
    text = " ".join(text.lstrip(" 　)）】]，,：:—-").split())
    if len(text) <= most:
        return text
    ends = [match.end() for match in re.finditer(r"[。！？]|[.!?](?= )", text[:most])]
    clauses = [match.end() - 1 for match in re.finditer(r"[，；,;] ?", text[:most])]
    cut = next((end for end in reversed(ends) if end >= 30), None) or next(iter(reversed(clauses)), most)
    return text[:cut].strip()


def _chinese(text: str) -> list[str]:
    text = _REPORTERS.sub("，", _STAMP.sub("", text))
    names = [match[1] or match[0] for match in _QUOTED_NAME.finditer(text)]
    names += find_certain_names(text)
    names += [word.text for word in words(text) if word.flag in _NAME_FLAGS and len(word.text) > 1]
    names += names_by_ending(text)
    names += re.findall(r"(?<![A-Za-z])[A-Z][A-Za-z0-9-]{2,}(?![A-Za-z])", text)
    return [name for name in names if name not in _GENERAL]


def _english(text: str) -> list[str]:
    proper = []
    for name in names(strip_brackets(text)):
        words_ = name.text.split()
        if len(name.text) > 3 and not re.fullmatch(rf"{NATIONALITY}|(?:{MONTHS})(?: \d+)?", name.text) and len(words_) < 7:
            proper.append(name.text)
    return [name for name in proper if name in text]
