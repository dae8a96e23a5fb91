"""Joins the printed lines of a PDF's pages into their text, without running headers and page numbers."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, pairwise, takewhile
from math import inf
from typing import NamedTuple

from core.readers.pdf_lines import PrintedLine
from core.text.language import rows
from core.text.scripts import UNSPACED_CHARACTER
from core.text.sentences import ends_in_abbreviation

_LIST_ITEM = re.compile(r"(?:[-*•·●▪◦‣–—]|[(（]?(?P<number>\d{1,3}|[a-zA-Z])[.)）、])\s")
_DASH = re.compile(r"[-–—]\s")
_DASHED_FIGURE = re.compile(r"[-–—]\s+\d")
_SENTENCE_END = re.compile(r"[.!?:;…。！？：；][\"'”’」』)）\]]*$")
_NUMBER = re.compile(r"\d{1,6}")
_MAX_LEADING = 1.7
"""Maximum distance between two lines of one paragraph, as a multiple of the height of the letters."""
_MIN_WORDS_BEFORE_BREAK = 4
"""Minimum number of words of a paragraph's first line for lines that were broken by hand to be joined."""
_OUTER_ROWS = 3
"""Number of rows at the top and at the bottom of a page that are examined as possible headers or footers."""
_SAME_HEIGHT = 8.0
"""Height in points of a band of the page; rows of several pages in the same band count as equally high."""


class PageText(NamedTuple):
    """Text of one PDF page within the text of its document."""

    separator: str
    """Text between the previous page and this page: a blank line, or a space, a hyphen or "" if a sentence continues."""
    text: str


class _Block(NamedTuple):
    """A block of consecutive lines with small distances between them, such as a paragraph."""

    right: float
    """Right edge of the block's lines in points."""
    column: float
    """Right edge in points of all lines with the same letter size above and below the block, which is the edge of the column.
    Lines that reach into the neighbouring column do not count."""
    lines: int
    dashes: int
    """Number of the block's lines that begin with a dash."""
    numbers: frozenset[int]
    """Numbers that begin lines of the page like items of a list ("12. "); a letter ("b) ") is its negative code point."""


class _Row(NamedTuple):
    """Lines of a page that are printed at the same height, near the top or bottom of the page."""

    is_foot: bool
    rank: int
    """Number of the row, counted from the top or the bottom of the page and starting at 0."""
    lines: tuple[PrintedLine, ...]
    is_apart: bool
    """Whether the next row towards the middle of the page is farther away than the next line within a paragraph would be."""


def join_lines(pages: Sequence[Sequence[PrintedLine]]) -> list[PageText]:
    """Return the text of each page from its printed lines, without running headers and footers."""
    running = _find_running_lines(pages)
    without = [[line for line in page if (number, line) not in running] for number, page in enumerate(pages)]
    printed = without if any(without) else [list(page) for page in pages]
    blocks = [_find_blocks(page) for page in printed]
    texts = [PageText("", _join_page(lines, of)) for lines, of in zip(printed, blocks, strict=True)]
    for number, (lines, following) in enumerate(pairwise(printed)):
        separator = "\n\n"
        if lines and following:
            line, below = lines[-1], following[0]
            if _is_continued(line, below, blocks[number][-1], blocks[number + 1][0]):
                separator = _choose_separator(line, below)
            elif line.text[-1:].isalpha() and below.text[:1].islower() and _is_one_size(line, below):
                separator = " "
        texts[number + 1] = texts[number + 1]._replace(separator=separator)
    return texts


def _join_page(lines: Sequence[PrintedLine], blocks: Sequence[_Block]) -> str:
    parts = [lines[0].text] if lines else []
    first = parts[0] if parts else ""
    for number, (line, below) in enumerate(pairwise(lines)):
        is_new_column = below.bottom > line.foot and _is_continued(line, below, blocks[number], blocks[number + 1])
        is_joined = is_new_column or line.is_cut or _is_wrapped(line, below, blocks[number], blocks[number + 1], first)
        parts += [_choose_separator(line, below) if is_joined else "\n", below.text]
        first = first if is_joined else below.text
    return "".join(parts).strip()


def _choose_separator(line: PrintedLine, below: PrintedLine) -> str:
    """Return the separator between two lines of one sentence: a space, or "" inside a word or next to a script without spaces.
    A word keeps its hyphen before a digit or a capital ("Nassau-Usingen"), but not between capitals ("INTERNATIONAL")."""
    if line.is_cut:
        is_in_capitals = line.text[-2:].isupper() and below.text[:2].isupper()
        return "-" if below.text[:1].isdecimal() or (below.text[:1].isupper() and not is_in_capitals) else ""
    is_unspaced = UNSPACED_CHARACTER.match(line.text[-1:]) or UNSPACED_CHARACTER.match(below.text)
    return "" if is_unspaced else " "


def _find_blocks(lines: Sequence[PrintedLine]) -> list[_Block]:
    """Return the block that each line belongs to, in the order of `lines`."""
    groups: list[list[PrintedLine]] = []
    for line in lines:
        if groups and _is_next_line(groups[-1][-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    blocks: list[_Block] = []
    items = (_LIST_ITEM.match(line.text) for line in lines)
    numbers = frozenset(_read_item_number(item) for item in items if item and item["number"])
    for group in groups:
        left, right = min(line.left for line in group), max(line.right for line in group)
        beside = min(
            (line.left for line in lines if line.left >= right and group[-1].foot < line.top and line.foot < group[0].top),
            default=inf,
        )
        column = [
            line.right for line in lines if line.left < right and left < line.right <= beside and _is_one_size(line, group[0])
        ]
        dashes = sum(bool(_DASH.match(line.text)) for line in group)
        blocks += [_Block(right, max(column, default=right), len(group), dashes, numbers)] * len(group)
    return blocks


def _is_one_size(line: PrintedLine, below: PrintedLine) -> bool:
    height, other = line.top - line.bottom, below.top - below.bottom
    return min(height, other) > 0 and max(height, other) <= 1.25 * min(height, other)


def _is_continued(line: PrintedLine, below: PrintedLine, block: _Block, following: _Block) -> bool:
    """Return whether a sentence continues from the last line of a column or page to the first line of the next. Both lines must
    be in paragraphs and have the same letter size; the last line must be full, and must not end in a full stop other than that
    of an abbreviation."""
    return (
        min(block.lines, following.lines) > 1
        and _is_one_size(line, below)
        and _has_no_room(line, below, block.column)
        and (not _SENTENCE_END.search(line.text) or ends_in_abbreviation(line.text, below.text))
        and not _begins_item(line, below, following)
    )


def _has_no_room(line: PrintedLine, below: PrintedLine, margin: float) -> bool:
    """Return whether `line` has too little space left for the first word of the next line, `below`."""
    return line.right + 0.2 * (line.top - line.bottom) + below.word > margin


def _is_next_line(line: PrintedLine, below: PrintedLine) -> bool:
    """Return whether the line `below` is printed directly below `line`, with the same letter size."""
    return (
        _is_one_size(line, below)
        and 0 < line.foot - below.bottom <= _MAX_LEADING * (line.top - line.bottom)
        and below.left < line.right
        and line.left < below.right
    )


def _begins_item(line: PrintedLine, below: PrintedLine, block: _Block) -> bool:
    """Return whether the line `below` in the block of lines `block` begins an item of a list. In the middle of a sentence, a
    dash before a number does not begin an item, except if further lines of the block begin with a dash: "born on 12 April 1850
    | – 11 November 1910". In the middle of a sentence, a number or a letter begins an item only if another line of the page
    begins with its neighbour: "died in early | 268. His sons" or "by Henry | F. Hoit" continue."""
    item = _LIST_ITEM.match(below.text)
    if not item or (_SENTENCE_END.search(line.text) and not ends_in_abbreviation(line.text, below.text)):
        return bool(item)
    if item["number"]:
        number = _read_item_number(item)
        return not block.numbers.isdisjoint({number - 1, number + 1})
    return block.dashes > 1 or not _DASHED_FIGURE.match(below.text)


def _read_item_number(item: re.Match[str]) -> int:
    number = item["number"]
    return int(number) if number.isdecimal() else -ord(number)


def _is_wrapped(line: PrintedLine, below: PrintedLine, block: _Block, following: _Block, first: str) -> bool:
    """Return whether the paragraph, whose first line is `first`, continues on the next line of `block`. The paragraph continues
    in four cases: the first word of the next line would not have fit on this line; the next line begins with a number that
    completes this line; this line ends in an abbreviation; or the lines were broken by hand. Indented lines and list items
    start a new paragraph."""
    if not _is_next_line(line, below) or _begins_item(line, below, following):
        return False
    is_indented = below.left > line.left + 0.8 * (line.top - line.bottom) and not _LIST_ITEM.match(line.text)
    leads_on = _leads_to_figure(line, below) or ends_in_abbreviation(line.text, below.text)
    leads_on = leads_on or _is_broken_by_hand(line, below, first)
    return not is_indented and (leads_on or _has_no_room(line, below, block.right))


def _is_broken_by_hand(line: PrintedLine, below: PrintedLine, first: str) -> bool:
    """Return whether a sentence continues below a line that somebody ended far from the column's edge: no full stop stands at
    its end, and the next line begins with a small letter. Lines of a list may all begin so, therefore the paragraph must begin
    otherwise, and its first line must have more words than most headings."""
    return (
        below.text[:1].islower()
        and not first[:1].islower()
        and len(first.split()) >= _MIN_WORDS_BEFORE_BREAK
        and not _SENTENCE_END.search(line.text)
    )


def _leads_to_figure(line: PrintedLine, below: PrintedLine) -> bool:
    """Return whether `below` starts with a number and `line` ends in a word that cannot end a sentence: "built in", "1872 by".
    A line before a number may be shorter than the other lines of its block, because typesetters do not separate a number from
    the word after it."""
    words = line.text.split()
    if not below.text[:1].isdigit() or _LIST_ITEM.match(below.text):
        return False
    return bool(words) and words[-1].islower() and words[-1] in _read_stop_words()


@cache
def _read_stop_words() -> frozenset[str]:
    return frozenset[str]().union(*(row.stop_words for row in rows().values()))


def _find_running_lines(pages: Sequence[Sequence[PrintedLine]]) -> set[tuple[int, PrintedLine]]:
    """Return all headers, footers and page numbers, each as (page, line).

    A row is a header or footer if a gap separates the row from the text, and if at least three pages (both pages of a two-page
    file) have an outermost row with the same words at the same height. The words may differ in a number that grows with the
    page. If the row ends with a number that grows with the page, the words before the number may be completely different."""
    rows = [_outer_rows(page) for page in pages]
    counts = Counter(key for number, page in enumerate(rows) for row in page for key in _row_keys(number, row))
    fewest = 2 if len(pages) == 2 else 3
    running: set[tuple[int, PrintedLine]] = set()
    for number, page in enumerate(rows):
        for is_foot in (False, True):
            outer = [row for row in page if row.is_foot == is_foot]
            same = list(takewhile(lambda row: any(counts[key] >= fewest for key in _row_keys(number, row)), outer))  # noqa: B023
            while same and not same[-1].is_apart:
                same.pop()
            running |= {(number, line) for row in same for line in row.lines}
    return running


def _outer_rows(lines: Sequence[PrintedLine]) -> list[_Row]:
    """Return the outermost rows at the top and at the bottom of a page, beginning at the page's edge; for a page with a single
    row, return none."""
    rows: list[list[PrintedLine]] = []
    for line in sorted(lines, key=lambda line: -line.bottom):
        if rows and abs(rows[-1][0].bottom - line.bottom) < 2:
            rows[-1].append(line)
        else:
            rows.append([line])
    outer = []
    for is_foot, order in ((False, rows), (True, rows[::-1])):
        for rank, (row, inner) in enumerate(islice(pairwise(order), _OUTER_ROWS)):
            is_apart = abs(row[0].bottom - inner[0].bottom) > _MAX_LEADING * max(row[0].top - row[0].bottom, 1.0)
            outer.append(_Row(is_foot, rank, tuple(sorted(row, key=lambda line: line.left)), is_apart))
    return outer


def _row_keys(page: int, row: _Row) -> Iterator[tuple[object, ...]]:
    """Yield keys by which the same header or footer is recognised on other pages: the words of the row, the words without a
    number that grows with the page and with any other numbers, and only that number if it ends the row, so that chapter titles
    may differ."""
    words = " ".join(line.text for line in row.lines)
    place = (row.is_foot, row.rank, round(row.lines[0].bottom / _SAME_HEIGHT))
    yield (*place, words)
    for number in _NUMBER.finditer(words):
        rest = _NUMBER.sub("#", f"{words[: number.start()]} {words[number.end() :]}")  # such as the number of the chapter
        yield (*place, " ".join(rest.split()), int(number[0]) - page)
        if number.end() == len(words):
            yield (*place, int(number[0]) - page)
