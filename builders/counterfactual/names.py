"""Tell by rules what a name stands for, find a name or a part of a person's name in texts, and list the names in a text."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from core.text import chinese_names, english_names
from core.text.names import NO_NAME
from core.text.scripts import UNSPACED_CHARACTER
from core.text.words import jieba_words
from core.wording.answer_leaks import fold_words, is_common_word

Kind = Literal["person", "nationality", "place", "organisation", "other"]
"""What a name stands for. A name is replaced by another name of the same kind."""
CONTEXT_CHARACTERS = 10
"""Number of characters on each side of a Chinese name that are divided into words together with the name."""
_WHO = re.compile(r"\W*(?:who|whom|whose)\b", re.IGNORECASE)
_WHERE = re.compile(r"\bwhere\b|\b(?:which|what) (?:country|city|town|state|place|village|nation)\b", re.IGNORECASE)
_CHINESE: dict[str, Kind] = {
    "nr": "person",
    "nrt": "person",
    "nrfg": "person",
    "ns": "place",
    "nt": "organisation",
    "nz": "other",
}
_BEFORE = re.compile(r"(?<![\w’'.-])([A-Z][\w’'.-]*)( of(?: the)?)?[  ]$")
_AFTER = re.compile(r"[  ][A-Z]|-\w|[’']\w{2,}")


def read_kind(name: str, question: str, language: str) -> Kind | None:
    """Return what the name stands for, or None if the text is not a name. The question (may be "") helps to recognise persons
    and places."""
    if language == "zh" or UNSPACED_CHARACTER.search(name):
        return _read_chinese_kind(name, question)
    words = name.split()
    if not english_names.NAME.fullmatch(name) or all(word.lower() in NO_NAME for word in words):
        return None
    if name in english_names.NATIONALITIES:
        return "nationality"
    if english_names.ORGANISATION.search(name):
        return "organisation"
    if english_names.PLACE.search(name) or _WHERE.search(question):
        return "place"
    if english_names.is_person(name) or (_WHO.match(question) and len(words) > 1):
        return "person"
    return "other"


def _read_chinese_kind(name: str, question: str) -> Kind | None:
    if re.fullmatch(r"《[^》]{2,20}》", name):
        return "other"
    if re.search(r"[\s，。；：、？！]", name):
        return None
    if name in chinese_names.names_by_ending(name):
        return "place" if name[-1] in "市县省镇港" else "organisation"
    if re.fullmatch(rf"[{chinese_names.FOREIGN}]{{2,8}}(?:·[{chinese_names.FOREIGN}]{{2,8}})+", name):
        return "person"
    if "谁" in question and len(name) in (2, 3) and name[0] in chinese_names.SURNAMES:
        return "person"
    words = chinese_names.words(name)
    return _CHINESE.get(words[-1].flag) if words and all(word.flag.startswith("n") for word in words) else None


def find_head(question: str) -> str:
    """Return the first content word of a question, such as "award" in "Which award did she win?"; "" if the question has none,
    or if its script has no spaces."""
    words = [word for word in fold_words(question) if not is_common_word(word)]
    return words[0] if words and not UNSPACED_CHARACTER.search(question) else ""


def find_name(forms: Sequence[str], text: str, language: str) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, whether the place is a part of a longer name) for each place that contains a form of the name. If two
    forms begin at the same place, the longer form counts."""
    pattern = re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True))))
    for match in pattern.finditer(text):
        start, end = match.span()
        if UNSPACED_CHARACTER.search(match[0]):
            yield start, end, not _is_cut_out(text, start, end)
        elif not (_is_letter(text[start - 1 : start]) or _is_letter(text[end : end + 1])):
            yield start, end, _is_longer(text, start, end)


def _is_letter(sign: str) -> bool:
    return bool(sign) and (sign.isalnum() or sign == "_") and not UNSPACED_CHARACTER.match(sign)


def _is_longer(text: str, start: int, end: int) -> bool:
    """Return whether a capitalised word stands directly before or after the name, such as "Paris Hilton" or "University of
    Paris". Titles, and words that are capitalised at the start of a sentence only, do not count."""
    if _AFTER.match(text, end) or re.search(r"\w-$", text[max(0, start - 2) : start]):
        return True
    before = _BEFORE.search(text[max(0, start - 40) : start])
    return before is not None and (bool(before[2]) or not (before[1].lower() in NO_NAME or before[1] in english_names.TITLES))


def _is_cut_out(text: str, start: int, end: int) -> bool:
    """Return whether the name in a Chinese text begins where a word begins, and ends where a word ends."""
    if text[start] == "《":
        return True
    left = max(0, start - CONTEXT_CHARACTERS)
    ends = {left}
    for word in jieba_words(text[left : end + CONTEXT_CHARACTERS]):
        ends.add(max(ends) + len(word))
    return start in ends and end in ends


def find_parts(name: str, text: str, whole: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, whether the place is a part of a longer name) for each place with a single word of a person's name.
    Places in `whole`, which have the whole name, are left out."""
    words = [word for word in name.split() if len(word) > 2 and word[0].isupper() and word not in english_names.TITLES]
    if not words or UNSPACED_CHARACTER.search(name):
        return
    for start, end, longer in find_name(words, text, "en"):
        if not any(begin <= start < stop for begin, stop in whole):
            yield start, end, longer


def rewrite_part(old: str, new: str, part: str) -> str:
    """Return the word of the new name at the position that `part` has in the old name."""
    return new.split()[old.split().index(part)]


def count_words(name: str) -> int:
    """Return the number of words of a name, or the number of characters in a script without spaces. A name is replaced only by
    a name with the same number."""
    return len(name) if UNSPACED_CHARACTER.search(name) else len(name.split())


def list_names(text: str, language: str) -> Iterator[tuple[str, Kind]]:
    """Yield each name that rules find in the text, with its kind."""
    found = chinese_names.find_certain_names(text) if language == "zh" else [one.text for one in english_names.names(text)]
    if language == "zh":
        found += chinese_names.names_by_ending(text)
        found += [word.text for word in chinese_names.words(text) if word.flag in _CHINESE and len(word.text) > 1]
    for name in dict.fromkeys(found):
        if kind := read_kind(name, "", language):
            yield name, kind
