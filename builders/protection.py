"""What noise leaves alone: names, digits, quotations, and the words of the gold answers. A typo in one of those asks for
something else, or nothing at all."""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from builders.proper_names import proper_names
from core.words import jieba_words, words

TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
"""A word with its inner apostrophes, or a mark."""
_QUOTED = re.compile(
    r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|《[^》\n]*》|(?<!\w)'[^'\n]*'(?!\w)|‘[^’\n]*’(?!\w)"
)
_FOREIGN = re.compile(r"[A-Za-z0-9０-９]+")


class Token(NamedTuple):
    """A token where it stands."""

    start: int
    end: int
    text: str


class Spans:
    """Stretches of one text that are left alone."""

    def __init__(self, spans: Sequence[tuple[int, int]] = ()) -> None:
        self._taken = frozenset(place for start, end in spans for place in range(start, end))

    def touches(self, start: int, end: int) -> bool:
        """Whether any of those characters is left alone."""
        return any(place in self._taken for place in range(start, end))


NOTHING = Spans()
"""Nothing is left alone."""


def tokens(text: str) -> list[Token]:
    """Words and marks in order, with their offsets."""
    return [Token(match.start(), match.end(), match[0]) for match in TOKEN.finditer(text)]


def protected(text: str, answers: Sequence[str], language: str) -> Spans:
    """Quoted spans; in English every token that holds a digit, a capital behind its first letter, or begins with a capital and
    is not the text's first; in Chinese proper names and what is not written in Han characters; and the tokens of the gold
    answers, in upper or lower case."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    return Spans(quoted + (_chinese(text, answers) if language == "zh" else _english(text, answers)))


def _english(text: str, answers: Sequence[str]) -> list[tuple[int, int]]:
    gold = {token.text.casefold() for answer in answers for token in tokens(answer)}
    gold |= {part.casefold() for answer in answers for part in re.findall(r"\w+", answer)}
    return [
        (token.start, token.end)
        for place, token in enumerate(tokens(text))
        if any(letter.isdigit() for letter in token.text)
        or any(letter.isupper() for letter in token.text[bool(place == 0) :])
        or token.text.casefold() in gold
        or any(part in gold for part in re.findall(r"\w+", token.text.casefold()) if len(part) > 1)
    ]


def _chinese(text: str, answers: Sequence[str]) -> list[tuple[int, int]]:
    spans = [match.span() for match in _FOREIGN.finditer(text)]
    whole = [*proper_names(text, "zh"), *(answer.strip() for answer in answers)]
    spans += [match.span() for name in whole if name for match in re.finditer(re.escape(name), text)]
    gold = {word for answer in answers for word in words(answer, "zh")}
    cut = jieba_words(text)
    ends = list(accumulate(map(len, cut)))
    spans += [(end - len(word), end) for word, end in zip(cut, ends, strict=True) if word.lower() in gold]
    return spans
