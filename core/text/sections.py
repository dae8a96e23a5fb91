"""Splits a document into sections by its headings or, if it has none, into five equal parts. The sections joined together are
the whole text."""

import re
from bisect import bisect_right
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

PARTS_WITHOUT_HEADINGS = 5
"""Number of equal parts into which a document without headings is split."""
MAX_HEADING_CHARACTERS = 120
"""Maximum number of characters in a heading."""
_HEADING = re.compile(
    r"^(?: {0,3}#{1,6}[ \t]+(?P<mark>[^\n]*)"
    r"|(?P<word>(?:chapter|section|part|article|book)[ \t]+(?:\d+(?:\.\d+)*|[ivxlc]+)\b[^\n]*)"
    r"|(?P<chinese>[ \t\u3000]*第[一二三四五六七八九十百千零〇两\d]+[章节编篇卷部条回][^\n]*))$",
    re.IGNORECASE | re.MULTILINE,
)
"""Pattern of a heading line: Markdown, "Chapter 3 ...", "第三章 ..."."""
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)


class Section(NamedTuple):
    """One section of a document."""

    title: str
    """Heading of the section; "" for text before the first heading, and in a document without headings."""
    start: int
    end: int
    """Offset after the last code point of the section."""


class Sections(NamedTuple):
    """All sections of a document in order."""

    parts: tuple[Section, ...]
    is_by_headings: bool
    """Whether the sections follow the document's headings; otherwise they are five parts of equal length."""


def sections(text: str) -> Sections:
    """Return the sections of a text that are not empty; the result has at least one section."""
    fences = [fence.span() for fence in _FENCE.finditer(text)]
    heads = [head for head in _HEADING.finditer(text) if _is_title(_title(head)) and not _is_within(head.start(), fences)]
    if len(heads) < 2:
        edges = [len(text) * n // PARTS_WITHOUT_HEADINGS for n in range(PARTS_WITHOUT_HEADINGS + 1)]
        fifths = [Section("", a, b) for a, b in pairwise(edges) if a < b]
        return Sections(tuple(fifths) or (Section("", 0, len(text)),), False)
    starts = [head.start() for head in heads]
    parts = [Section("", 0, starts[0])] if text[: starts[0]].strip() else []
    starts[0] = starts[0] if parts else 0
    for head, a, b in zip(heads, starts, [*starts[1:], len(text)], strict=True):
        parts.append(Section(" ".join(_title(head).split()), a, b))
    return Sections(tuple(parts), True)


def _title(head: re.Match[str]) -> str:
    return (head["mark"] or "").rstrip(" \t#") or head["word"] or head["chinese"] or ""


def _is_title(text: str) -> bool:
    return bool(text.strip()) and len(text) <= MAX_HEADING_CHARACTERS


def _is_within(point: int, spans: list[tuple[int, int]]) -> bool:
    """Return whether one of the sorted spans contains the offset `point`."""
    before = bisect_right(spans, point, key=itemgetter(0)) - 1
    return before >= 0 and point < spans[before][1]
