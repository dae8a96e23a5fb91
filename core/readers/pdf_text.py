"""The text of a PDF's pages as a document holds it: lines that only wrap are joined, running headers and page numbers are left
out. And which of pdfium's characters each code point of such a text is, so that a box on a page never drifts from the text."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise
from typing import Any, NamedTuple

from core.readers.reading import FORBIDDEN
from core.text.scripts import HAN_CHARACTER

_LEFT_OUT = re.compile(f"\r(?=\n)|[\ufffe\x02](?:\r\n?|\n)?|{FORBIDDEN}")
"""The first half of a line end, pdfium's signs for a hyphen that only broke a line, and remains of the layout."""
_CONTROLS = re.compile(FORBIDDEN)
_LINE = re.compile("[^\r\n\ufffe\x02]+")
_HYPHEN = re.compile("[\ufffe\x02]")
_LIST_ITEM = re.compile(r"(?:[-*•·●▪◦‣–—]|[(（]?(?:\d{1,3}|[a-zA-Z])[.)）、])\s")
_NUMBER = re.compile(r"\d{1,6}")
_MOST_LEADING = 1.7
"""Heights of the letters from one line of a paragraph to the next, at most."""
_OUTER_ROWS = 3
"""Of a page, from its top and from its foot, that may be running ones."""
_SAME_HEIGHT = 8.0
"""Points; rows of several pages within one such band stand at one height."""


class PrintedLine(NamedTuple):
    """A line as it is printed, and where: points from the page's lower left."""

    text: str
    is_cut: bool
    """It ends in a hyphen that only breaks the word."""
    left: float
    right: float
    bottom: float
    top: float
    word: float
    """How wide its first word is."""


class _Row(NamedTuple):
    """Lines at one height of a page."""

    is_foot: bool
    rank: int
    """From the page's end, from 0."""
    lines: tuple[PrintedLine, ...]
    is_parted: bool
    """More than a line's height lies between it and the next row inwards."""


class PlacedText(NamedTuple):
    """A page's text, code point by code point."""

    text: str
    places: list[int]
    """Number of pdfium's character for each code point."""


def page_lines(text_page: Any) -> list[PrintedLine]:
    """The lines of a pypdfium2 text page, in pdfium's order."""
    raw = _raw(text_page)
    units = _units(raw)
    found = []
    for match in _LINE.finditer(raw):
        words = match[0].strip()
        if not words:
            continue
        first = match.start() + len(match[0]) - len(match[0].lstrip())
        last, word_end = first + len(words) - 1, first + len(words.split(maxsplit=1)[0]) - 1
        (left, bottom, _, top), (_, _, right, _), (_, _, word_right, _) = (
            _box(text_page, units, place) for place in (first, last, word_end)
        )
        is_cut = bool(_HYPHEN.match(raw, match.end()))
        found.append(PrintedLine(_CONTROLS.sub("", words), is_cut, left, right, bottom, top, word_right - left))
    return found


def texts(pages: Sequence[Sequence[PrintedLine]]) -> list[str]:
    """The text of each page, without what runs through them."""
    running = _find_running_lines(pages)
    kept = [[line for line in page if (number, line) not in running] for number, page in enumerate(pages)]
    return [_text(page) for page in (kept if any(kept) else pages)]


def choose_page_separator(page: str, following: str) -> str:
    """What parts two pages' texts: a blank line, unless a sentence runs on."""
    return " " if page[-1:].isalpha() and following[:1].islower() else "\n\n"


def place_text(text_page: Any) -> PlacedText:
    """All of a page's text, line by line, with the place of each code point on the page."""
    import pypdfium2.raw as pdfium

    raw = _raw(text_page)
    units = _units(raw)
    kept = [place for run in _runs(raw) for place in range(*run)]
    whole = "".join(raw[place] for place in kept).replace("\r", "\n")
    start, text = len(whole) - len(whole.lstrip()), whole.strip()
    where = [pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, units[place]) for place in kept[start : start + len(text)]]
    return PlacedText(text, where)


def align_text(page: PlacedText, text: str) -> PlacedText | None:
    """The places of a page's text as a document holds it, some lines left out and others joined; None when it is no text of
    that page. A blank has the place of the letter before it."""
    letters = [(point, letter) for point, letter in enumerate(text) if not letter.isspace()]
    wanted = "".join(letter for _, letter in letters)
    at, start, places = 0, 0, dict[int, int]()
    for line in page.text.split("\n"):
        here = [start + offset for offset, letter in enumerate(line) if not letter.isspace()]
        start += len(line) + 1
        if here and wanted.startswith("".join(page.text[point] for point in here), at):
            places |= {letters[at + offset][0]: page.places[point] for offset, point in enumerate(here)}
            at += len(here)
    if at < len(wanted):
        return None
    every, before = [], 0
    for point in range(len(text)):
        before = places.get(point, before)
        every.append(before)
    return PlacedText(text, every)


def _text(lines: Sequence[PrintedLine]) -> str:
    margins = _margins(lines)
    parts = [lines[0].text] if lines else []
    for number, (line, below) in enumerate(pairwise(lines)):
        if line.is_cut:
            parts.append("")
        elif _is_wrapped(line, below, margins[number]):
            is_chinese = HAN_CHARACTER.match(line.text[-1:]) or HAN_CHARACTER.match(below.text)
            parts.append("" if is_chinese else " ")
        else:
            parts.append("\n")
        parts.append(below.text)
    return "".join(parts).strip()


def _margins(lines: Sequence[PrintedLine]) -> list[float]:
    """For each line the right margin of the block of lines that it stands in."""
    found: list[float] = []
    block: list[PrintedLine] = []
    for line in lines:
        if block and not _is_next_line(block[-1], line):
            found += [max(one.right for one in block)] * len(block)
            block = []
        block.append(line)
    return found + [max((one.right for one in block), default=0.0)] * len(block)


def _is_next_line(line: PrintedLine, below: PrintedLine) -> bool:
    """Whether two lines stand closely under each other in letters of one size."""
    height, other = line.top - line.bottom, below.top - below.bottom
    return (
        min(height, other) > 0
        and max(height, other) <= 1.25 * min(height, other)
        and 0 < line.bottom - below.bottom <= _MOST_LEADING * height
        and below.left < line.right
        and line.left < below.right
    )


def _is_wrapped(line: PrintedLine, below: PrintedLine, margin: float) -> bool:
    """Whether a line ends because it is full: the next one's first word has no room on it. An indented line and an item of a
    list begin anew."""
    if not _is_next_line(line, below) or _LIST_ITEM.match(below.text):
        return False
    height = line.top - line.bottom
    is_indented = below.left > line.left + 0.8 * height and not _LIST_ITEM.match(line.text)
    return not is_indented and line.right + 0.2 * height + below.word > margin


def _find_running_lines(pages: Sequence[Sequence[PrintedLine]]) -> set[tuple[int, PrintedLine]]:
    """(page, line) of headers, footers and page numbers: the outermost rows that stand at the same height of three pages (of
    both, where there are two), say the same, or the same but for a number that grows with the page, and stand apart."""
    rows = [_outer_rows(page) for page in pages]
    seen = Counter(key for number, page in enumerate(rows) for row in page for key in _keys(number, row))
    enough = 2 if len(pages) == 2 else 3
    found: set[tuple[int, PrintedLine]] = set()
    for number, page in enumerate(rows):
        for is_foot in (False, True):
            outer = [row for row in page if row.is_foot == is_foot]
            same: list[_Row] = []
            for row in outer:
                if not any(seen[key] >= enough for key in _keys(number, row)):
                    break
                same.append(row)
            while same and not same[-1].is_parted:
                same.pop()
            found |= {(number, line) for row in same for line in row.lines}
    return found


def _outer_rows(lines: Sequence[PrintedLine]) -> list[_Row]:
    """A page's outermost rows, each end from outside in; none of a page of one row."""
    rows: list[list[PrintedLine]] = []
    for line in sorted(lines, key=lambda one: -one.bottom):
        if rows and abs(rows[-1][0].bottom - line.bottom) < 2:
            rows[-1].append(line)
        else:
            rows.append([line])
    found = []
    for is_foot, order in ((False, rows), (True, rows[::-1])):
        for rank, (row, inner) in enumerate(islice(pairwise(order), _OUTER_ROWS)):
            apart = abs(row[0].bottom - inner[0].bottom) > _MOST_LEADING * max(row[0].top - row[0].bottom, 1.0)
            found.append(_Row(is_foot, rank, tuple(sorted(row, key=lambda one: one.left)), apart))
    return found


def _keys(page: int, row: _Row) -> Iterator[tuple[object, ...]]:
    """What it shares with the same row of other pages."""
    words = " ".join(line.text for line in row.lines)
    place = (row.is_foot, row.rank, round(row.lines[0].bottom / _SAME_HEIGHT))
    yield (*place, words)
    for number in _NUMBER.finditer(words):
        rest = f"{words[: number.start()]} {words[number.end() :]}"
        yield (*place, " ".join(rest.split()), int(number[0]) - page)


def _box(text_page: Any, units: Sequence[int], place: int) -> tuple[float, float, float, float]:
    """(left, bottom, right, top) of the character at that place of the raw text, as high as its line; zeros when none."""
    import pypdfium2.raw as pdfium

    rectangle = pdfium.FS_RECTF()
    index = pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, units[place])
    if not pdfium.FPDFText_GetLooseCharBox(text_page, index, rectangle):
        return 0.0, 0.0, 0.0, 0.0
    return rectangle.left, rectangle.bottom, rectangle.right, rectangle.top


def _units(raw: str) -> Sequence[int]:
    """For each code point where it begins in UTF-16 units."""
    if raw.isascii() or max(raw, default="") <= "\uffff":
        return range(len(raw) + 1)
    return list(accumulate((2 if character > "\uffff" else 1 for character in raw), initial=0))


def _raw(text_page: Any) -> str:
    """pdfium's text; half a surrogate pair stays, so that units can be counted."""
    text: str = text_page.get_text_range(errors="surrogatepass")
    return text


def _runs(raw: str) -> list[tuple[int, int]]:
    """What is kept of the raw text."""
    gaps = [(0, 0), *(found.span() for found in _LEFT_OUT.finditer(raw)), (len(raw), len(raw))]
    return [(end, start) for (_, end), (start, _) in pairwise(gaps) if start > end]
