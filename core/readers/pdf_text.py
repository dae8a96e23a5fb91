"""Extracts the text of a PDF's pages: joins wrapped lines, removes running headers and page numbers. Also maps each code point
of the text to the character in pdfium, so that boxes on a page match the text exactly."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, islice, pairwise, takewhile
from math import inf
from typing import Any, NamedTuple, cast

from core.readers.reading import FORBIDDEN
from core.text.language import rows
from core.text.scripts import UNSPACED_CHARACTER
from core.text.sentences import ends_in_abbreviation

_LEFT_OUT = re.compile(f"(?<=[\ufffe\x02])(?:\r\n?|\n)|\r(?=\n)|(?![\ufffe\x02]){FORBIDDEN}")
"""Pattern of the characters that are left out of the text: the line end after pdfium's sign for a hyphen at a line break, the
first half of any other line end, and control characters of the layout."""
_CONTROLS = re.compile(FORBIDDEN)
_LINE = re.compile("[^\r\n\ufffe\x02]+")
_HYPHEN = re.compile("[\ufffe\x02]")
_LIST_ITEM = re.compile(r"(?:[-*•·●▪◦‣–—]|[(（]?(?P<number>\d{1,3}|[a-zA-Z])[.)）、])\s")
_DASH = re.compile(r"[-–—]\s")
_DASHED_FIGURE = re.compile(r"[-–—]\s+\d")
_SENTENCE_END = re.compile(r"[.!?:;…。！？：；][\"'”’」』)）\]]*$")
_NUMBER = re.compile(r"\d{1,6}")
_MAX_LEADING = 1.7
"""Maximum distance between two lines of one paragraph, as a multiple of the height of the letters."""
_SAMPLED_CHARACTERS = 16
"""Number of characters, spread evenly over a printed line, from which the height of the line is measured."""
_MIN_HEIGHT_SHARE = 0.25
"""Minimum share of a line's characters that must have the height of the line, so that one or two words in another font do not
change this height."""
_MIN_WORDS_BEFORE_BREAK = 4
"""Minimum number of words of a paragraph's first line for lines that were broken by hand to be joined."""
_OUTER_ROWS = 3
"""Number of rows at the top and at the bottom of a page that are examined as possible headers or footers."""
_SAME_HEIGHT = 8.0
"""Height in points of a band of the page; rows of several pages in the same band count as equally high."""


class PrintedLine(NamedTuple):
    """A printed line of a PDF page, with its position in points (1/72 inch) from the lower left corner of the page."""

    text: str
    is_cut: bool
    """Whether the line ends in a hyphen inside a word; the field with the line's text does not contain this hyphen."""
    left: float
    right: float
    bottom: float
    top: float
    """Bottom and top of the line's letters; its first character may be lower, such as a bullet."""
    word: float
    """Width of the line's first word in points."""
    foot: float
    """Bottom of the line's last printed row in points, because pdfium sometimes returns two printed rows as one line."""


class PageText(NamedTuple):
    """Text of one PDF page within the text of its document."""

    separator: str
    """Text between the previous page and this page: a blank line, or a space, a hyphen or "" if a sentence continues."""
    text: str


class _CharacterBox(NamedTuple):
    """The box of a character in points from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float


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
    """Numbers that begin lines of the page like items of a list, as "12. "; a letter ("b) ") counts as its negative code point."""


class _Row(NamedTuple):
    """Lines of a page that are printed at the same height, near the top or bottom of the page."""

    is_foot: bool
    rank: int
    """Number of the row, counted from the top or the bottom of the page and starting at 0."""
    lines: tuple[PrintedLine, ...]
    is_apart: bool
    """Whether the next row towards the middle of the page is farther away than the next line within a paragraph would be."""


class PlacedText(NamedTuple):
    """Text of a PDF page, with the character in pdfium for each code point."""

    text: str
    places: list[int]
    """For each code point of the text, the index of its character in pdfium."""


def page_lines(text_page: Any) -> list[PrintedLine]:
    """Return the lines of a page that pypdfium2 extracts, in pdfium's order."""
    raw = _read_raw(text_page)
    units = _number_units(raw)
    lines = []
    for match in _LINE.finditer(raw):
        words = match[0].strip()
        if not words:
            continue
        first = match.start() + len(match[0]) - len(match[0].lstrip())
        last, word_end = first + len(words) - 1, first + len(words.split(maxsplit=1)[0]) - 1
        start, end, end_of_word = (_measure_character(text_page, units, place) for place in (first, last, word_end))
        step = len(words) // _SAMPLED_CHARACTERS + 1
        between = (first + offset for offset in range(step, len(words) - 1, step) if not words[offset].isspace())
        sampled = [start, *(_measure_character(text_page, units, place) for place in between), end]
        (bottom, top), (foot, _) = _measure_row(sampled, start), _measure_row(sampled, end)
        left, right, word_right = start.left, end.right, end_of_word.right
        is_cut = bool(_HYPHEN.match(raw, match.end()))
        lines.append(PrintedLine(_CONTROLS.sub("", words), is_cut, left, right, bottom, top, word_right - left, foot))
    return lines


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


def place_text(text_page: Any) -> PlacedText:
    """Return the whole text of a page, line by line and with the hyphens at line ends, and for each code point the index in
    pdfium of its character."""
    import pypdfium2.raw as pdfium

    raw = _read_raw(text_page)
    units = _number_units(raw)
    gaps = [(0, 0), *(gap.span() for gap in _LEFT_OUT.finditer(raw)), (len(raw), len(raw))]
    indexes = [index for (_, end), (start, _) in pairwise(gaps) for index in range(end, start)]
    printed = [_HYPHEN.sub("-\n", raw[index]) for index in indexes]
    whole = "".join(printed).replace("\r", "\n")
    places = [index for index, letters in zip(indexes, printed, strict=True) for _ in letters]
    start, text = len(whole) - len(whole.lstrip()), whole.strip()
    own = places[start : start + len(text)]
    return PlacedText(text, [pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, units[index]) for index in own])


def align_text(page: PlacedText, text: str) -> PlacedText | None:
    """Return the text of a page together with an index for each code point, which says which of pdfium's characters the code
    point is. Some lines of the page may be missing in `text`, and others may be joined, with or without the hyphen between
    them. Returns None if `text` is not from this page. White space gets the index of the letter before it."""
    letters = [(point, letter) for point, letter in enumerate(text) if not letter.isspace()]
    remaining = "".join(letter for _, letter in letters)
    at, start, places = 0, 0, dict[int, int]()
    for line in page.text.split("\n"):
        points = [start + offset for offset, letter in enumerate(line) if not letter.isspace()]
        start += len(line) + 1
        words = "".join(page.text[point] for point in points)
        if words.endswith("-") and not remaining.startswith(words, at):
            words, points = words[:-1], points[:-1]
        if points and remaining.startswith(words, at):
            places |= {letters[at + offset][0]: page.places[point] for offset, point in enumerate(points)}
            at += len(points)
    if at < len(remaining):
        return None
    every, before = [], 0
    for point in range(len(text)):
        before = places.get(point, before)
        every.append(before)
    return PlacedText(text, every)


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


def _measure_row(characters: Sequence[_CharacterBox], among: _CharacterBox) -> tuple[float, float]:
    """Return the bottom and top of the row in which the character `among` is printed. They are the bottom and top of the
    tallest box that a large enough share of the row's characters have."""
    heights = [
        (round(box.bottom, 2), round(box.top, 2))
        for box in characters
        if 2 * (min(box.top, among.top) - max(box.bottom, among.bottom)) > min(box.top - box.bottom, among.top - among.bottom)
    ]
    frequent = [height for height, count in Counter(heights).items() if count >= _MIN_HEIGHT_SHARE * len(heights)]
    return max(frequent, key=lambda height: height[1] - height[0], default=(among.bottom, among.top))


def _measure_character(text_page: Any, units: Sequence[int], place: int) -> _CharacterBox:
    """Return the box of the character at index `place` in the raw text, with the height of the character's line; all values are
    zero if the character has no box."""
    import pypdfium2.raw as pdfium

    rectangle = pdfium.FS_RECTF()
    index = pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, units[place])
    if not pdfium.FPDFText_GetLooseCharBox(text_page, index, rectangle):
        return _CharacterBox(0.0, 0.0, 0.0, 0.0)
    return _CharacterBox(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)


def _number_units(raw: str) -> Sequence[int]:
    """Return, for each code point, its offset in UTF-16 units, in which pdfium counts."""
    if raw.isascii() or max(raw, default="") <= "\uffff":
        return range(len(raw) + 1)
    return list(accumulate((2 if character > "\uffff" else 1 for character in raw), initial=0))


def _read_raw(text_page: Any) -> str:
    """Return pdfium's text with surrogates left undecoded, so that UTF-16 units can be counted."""
    return cast(str, text_page.get_text_range(errors="surrogatepass"))
