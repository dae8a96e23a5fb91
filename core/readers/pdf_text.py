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
_SENTENCE_END = re.compile(r"[.!?:;…。！？：；][\"'”’」』)）\]]*$")
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
    foot: float
    """The bottom of its last character: pdfium sometimes gives two printed lines as one."""


class PageText(NamedTuple):
    """A page as a document holds it."""

    separator: str
    """What parts it from the page before: a blank line, or a blank or nothing where a sentence runs on."""
    text: str


class _Block(NamedTuple):
    """Lines that stand closely under each other."""

    right: float
    """Their right margin."""
    column: float
    """That of all lines of their size above and below them."""
    lines: int


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
        (left, bottom, _, top), (_, foot, right, _), (_, _, word_right, _) = (
            _box(text_page, units, place) for place in (first, last, word_end)
        )
        is_cut = bool(_HYPHEN.match(raw, match.end()))
        found.append(PrintedLine(_CONTROLS.sub("", words), is_cut, left, right, bottom, top, word_right - left, foot))
    return found


def join_lines(pages: Sequence[Sequence[PrintedLine]]) -> list[PageText]:
    """The text of each page, without what runs through them."""
    running = _find_running_lines(pages)
    without = [[line for line in page if (number, line) not in running] for number, page in enumerate(pages)]
    kept = without if any(without) else [list(page) for page in pages]
    blocks = [_find_blocks(page) for page in kept]
    found = [PageText("", _text(lines, of)) for lines, of in zip(kept, blocks, strict=True)]
    for number, (lines, following) in enumerate(pairwise(kept)):
        separator = "\n\n"
        if lines and following:
            line, below = lines[-1], following[0]
            if _runs_on(line, below, blocks[number][-1], blocks[number + 1][0]):
                separator = _choose_separator(line, below)
            elif line.text[-1:].isalpha() and below.text[:1].islower() and _is_one_size(line, below):
                separator = " "
        found[number + 1] = found[number + 1]._replace(separator=separator)
    return found


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


def _text(lines: Sequence[PrintedLine], blocks: Sequence[_Block]) -> str:
    parts = [lines[0].text] if lines else []
    for number, (line, below) in enumerate(pairwise(lines)):
        is_new_column = below.bottom > line.foot and _runs_on(line, below, blocks[number], blocks[number + 1])
        if is_new_column or line.is_cut or _is_wrapped(line, below, blocks[number].right):
            parts.append(_choose_separator(line, below))
        else:
            parts.append("\n")
        parts.append(below.text)
    return "".join(parts).strip()


def _choose_separator(line: PrintedLine, below: PrintedLine) -> str:
    """What parts two lines of one sentence."""
    is_chinese = HAN_CHARACTER.match(line.text[-1:]) or HAN_CHARACTER.match(below.text)
    return "" if line.is_cut or is_chinese else " "


def _find_blocks(lines: Sequence[PrintedLine]) -> list[_Block]:
    """For each line the block that it stands in."""
    found: list[_Block] = []
    block: list[PrintedLine] = []

    def end_block() -> None:
        if block:
            left, right = min(one.left for one in block), max(one.right for one in block)
            beside = (one.right for one in lines if one.left < right and one.right > left and _is_one_size(one, block[0]))
            found.extend([_Block(right, max(beside, default=right), len(block))] * len(block))

    for line in lines:
        if block and not _is_next_line(block[-1], line):
            end_block()
            block = []
        block.append(line)
    end_block()
    return found


def _is_one_size(line: PrintedLine, below: PrintedLine) -> bool:
    height, other = line.top - line.bottom, below.top - below.bottom
    return min(height, other) > 0 and max(height, other) <= 1.25 * min(height, other)


def _runs_on(line: PrintedLine, below: PrintedLine, block: _Block, following: _Block) -> bool:
    """Whether a sentence goes on from the last line of a column or page to the first one of the next: both stand in paragraphs
    in letters of one size, and the last line is full and has no full stop."""
    return (
        min(block.lines, following.lines) > 1
        and _is_one_size(line, below)
        and _has_no_room(line, below, block.column)
        and not _SENTENCE_END.search(line.text)
        and not _LIST_ITEM.match(below.text)
    )


def _has_no_room(line: PrintedLine, below: PrintedLine, margin: float) -> bool:
    """Whether the first word of `below` does not fit behind `line`."""
    return line.right + 0.2 * (line.top - line.bottom) + below.word > margin


def _is_next_line(line: PrintedLine, below: PrintedLine) -> bool:
    """Whether two lines stand closely under each other in letters of one size."""
    return (
        _is_one_size(line, below)
        and 0 < line.foot - below.bottom <= _MOST_LEADING * (line.top - line.bottom)
        and below.left < line.right
        and line.left < below.right
    )


def _is_wrapped(line: PrintedLine, below: PrintedLine, margin: float) -> bool:
    """Whether a line ends because it is full: the next one's first word has no room on it. An indented line and an item of a
    list begin anew."""
    if not _is_next_line(line, below) or _LIST_ITEM.match(below.text):
        return False
    is_indented = below.left > line.left + 0.8 * (line.top - line.bottom) and not _LIST_ITEM.match(line.text)
    return not is_indented and _has_no_room(line, below, margin)


def _find_running_lines(pages: Sequence[Sequence[PrintedLine]]) -> set[tuple[int, PrintedLine]]:
    """(page, line) of headers, footers and page numbers: the outermost rows that stand at the same height of three pages (of
    both, where there are two), stand apart, and say the same, or the same but for a number that grows with the page, or end in
    such a number."""
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
    """What it shares with the same row of other pages: its words, its words but for a number that grows with the page, or that
    number at its end, whatever chapter it names."""
    words = " ".join(line.text for line in row.lines)
    place = (row.is_foot, row.rank, round(row.lines[0].bottom / _SAME_HEIGHT))
    yield (*place, words)
    for number in _NUMBER.finditer(words):
        rest = f"{words[: number.start()]} {words[number.end() :]}"
        yield (*place, " ".join(rest.split()), int(number[0]) - page)
        if number.end() == len(words):
            yield (*place, int(number[0]) - page)


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
