"""Reads the printed lines of a PDF page from pdfium. Also maps each code point of a page's text to the character in pdfium, so
that boxes on a page match the text exactly."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, cast

from core.readers.reading import FORBIDDEN

_LEFT_OUT = re.compile(f"(?<=[\ufffe\x02])(?:\r\n?|\n)|\r(?=\n)|(?![\ufffe\x02]){FORBIDDEN}")
"""Pattern of the characters that are left out of the text: the line end after pdfium's sign for a hyphen at a line break, the
first half of any other line end, and control characters of the layout."""
_CONTROLS = re.compile(FORBIDDEN)
_LINE = re.compile("[^\r\n\ufffe\x02]+")
_HYPHEN = re.compile("[\ufffe\x02]")
_SAMPLED_CHARACTERS = 16
"""Number of characters, spread evenly over a printed line, from which the height of the line is measured."""
_MIN_HEIGHT_SHARE = 0.25
"""Minimum share of a line's characters that must have the height of the line, so that one or two words in another font do not
change this height."""


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


class _CharacterBox(NamedTuple):
    """The box of a character in points from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float


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
