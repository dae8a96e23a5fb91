"""Find words that noise must not change: names, digits, quotations, and the words of the gold answers. A typing error in a name
or a digit may change the question or make it meaningless."""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from builders.variation.proper_names import proper_names
from core.text.words import jieba_words, words

TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
"""Pattern of one token: a word with its inner apostrophes, or a punctuation mark."""
_QUOTED_TEXT = re.compile(
    r"\"[^\"\n]*\"|“[^“”\n]*”|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』|《[^《》\n]*》|(?<!\w)'[^'\n]*'(?!\w)|‘[^‘’\n]*’(?!\w)"
)
_POSSESSIVE = re.compile(r"['’‘`´′](?:[sS]\b)?")
"""Pattern of a possessive ending ('s) that is a separate token: after a quotation mark, or with another apostrophe sign."""
_PART = re.compile(r"\w+")
_FOREIGN = re.compile(r"[A-Za-z0-9０-９]+")


class ProtectedToken(NamedTuple):
    """A word or punctuation mark, with its position in the text."""

    start: int
    end: int
    text: str


class ProtectedSpans:
    """The parts of one text that noise must not change."""

    def __init__(self, spans: Sequence[tuple[int, int]] = ()) -> None:
        self._taken = bytearray(max((end for _, end in spans), default=0))
        for start, end in spans:
            self._taken[start:end] = b"x" * (end - start)

    def is_touched(self, start: int, end: int) -> bool:
        """Check whether any character from `start` to `end` is protected."""
        return b"x" in self._taken[start:end]


NO_SPANS = ProtectedSpans()
"""Protected spans of a text in which nothing is protected."""


def tokens(text: str) -> list[ProtectedToken]:
    """Return the words and punctuation marks of the text in order, with their offsets."""
    return [ProtectedToken(match.start(), match.end(), match[0]) for match in TOKEN.finditer(text)]


def protect_spans(text: str, answers: Sequence[str], language: str) -> ProtectedSpans:
    """Return the spans of the text that noise must not change: quoted text and the tokens of the gold answers, in any case. In
    English, the protected spans also include tokens with a digit or with a capital after the first letter, capitalised tokens
    except the first of the text, and a possessive ending after any of these tokens; in Chinese, proper names and everything not
    in Han characters."""
    quoted = [match.span() for match in _QUOTED_TEXT.finditer(text)]
    if language == "zh":
        return ProtectedSpans(quoted + _chinese(text, answers))
    return ProtectedSpans([_with_possessive(text, *span) for span in quoted + _english(text, answers)])


def _with_possessive(text: str, start: int, end: int) -> tuple[int, int]:
    match = _POSSESSIVE.match(text, end)
    return start, match.end() if match else end


def _english(text: str, answers: Sequence[str]) -> list[tuple[int, int]]:
    gold = {match[0] for answer in answers for pattern in (TOKEN, _PART) for match in pattern.finditer(answer.casefold())}

    def is_left(word: str, is_first: bool) -> bool:
        if not (word.isalpha() and word.islower()):
            if any(map(str.isdigit, word)) or any(map(str.isupper, word[1:] if is_first else word)):
                return True
            word = word.casefold()
            if not word.isalpha() and any(part in gold for part in _PART.findall(word) if len(part) > 1):
                return True
        return word in gold

    return [match.span() for place, match in enumerate(TOKEN.finditer(text)) if is_left(match[0], place == 0)]


def _chinese(text: str, answers: Sequence[str]) -> list[tuple[int, int]]:
    spans = [match.span() for match in _FOREIGN.finditer(text)]
    whole = [*proper_names(text, "zh"), *(answer.strip() for answer in answers)]
    spans += [match.span() for name in whole if name for match in re.finditer(re.escape(name), text)]
    gold = {word for answer in answers for word in words(answer, "zh")}
    cut = jieba_words(text)
    ends = list(accumulate(map(len, cut)))
    spans += [(end - len(word), end) for word, end in zip(cut, ends, strict=True) if word.lower() in gold]
    return spans
