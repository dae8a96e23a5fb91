"""A PDF's page as a picture, and where pieces of its text stand on it. These run in the process of core/readers/pdf_child.py: a
file from outside may ask for any amount of time and memory."""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from core.readers.pdf_text import align_text, place_text

WIDTHS = (1000, 2000)
"""Pixels across that a picture may be asked for."""
MAX_PIXELS = 8_000_000
MAX_COLOURS = 4_096
"""A page of more colours holds photographs or is a scan, and becomes a JPEG of a tenth of the size."""
MAX_BOXES = 2_000
"""On one page."""
_FINE = 1_000_000
"""Steps in which pdfium is asked for a place across a page."""
_LONGEST_LINE = 1_000
"""Characters of a printed line that are looked at."""
_MAX_GAP_HEIGHTS = 1.5
"""A gap of so many heights of the letters ends a box."""


class Box(NamedTuple):
    """A rectangle on the page as it is seen, in shares of its width and height, from the top left."""

    left: float
    top: float
    right: float
    bottom: float


def picture(document: Any, number: int, width: int) -> bytes:
    """The page, from 0, as PNG, or as JPEG when it holds photographs; a long page is drawn smaller than `width`."""
    page = document[number]
    across, down = max(page.get_width(), 1.0), max(page.get_height(), 1.0)
    scale = min(width / across, (MAX_PIXELS / (across * down)) ** 0.5, MAX_PIXELS / width / down)
    image = page.render(scale=scale).to_pil().convert("RGB")
    out = io.BytesIO()
    if image.getcolors(MAX_COLOURS) is None:
        image.save(out, "JPEG", quality=88, subsampling=0)
    else:
        image.save(out, "PNG", compress_level=4)
    return out.getvalue()


def boxes(document: Any, number: int, spans: Sequence[tuple[int, int]], text: str | None = None) -> dict[str, Any]:
    """The page's text, and for each span of it (code points from the page's first) its boxes, one a line, and in `starts` where
    the line that it begins on starts, in shares of the width; `more` when there were too many to tell. `text` is the stored
    text of the page; the page's own text is used where the two cannot be aligned."""
    page = document[number]
    text_page = page.get_textpage()
    whole = place_text(text_page)
    text, places = (align_text(whole, text) if text is not None else None) or whole
    sheet = _Sheet(page, text_page)
    found: list[list[list[float]]] = []
    left = MAX_BOXES
    for start, end in spans:
        mine = [[round(side, 5) for side in box] for box in sheet.lines(text, places, start, end, left + 1)]
        found.append(mine[:left])
        left -= len(mine)
        if left < 0:
            break
    starts = [sheet.start(text, places, start) for start, _ in spans[: len(found)]]
    return {"text": text, "spans": found, "starts": starts, "more": left < 0}


class _Sheet:
    """A page as it lies before the reader: cropped and turned."""

    def __init__(self, page: Any, text_page: Any) -> None:
        self.page, self.text_page = page, text_page
        self.shape: float = page.get_width() / max(page.get_height(), 1e-6)

    def lines(self, text: str, places: Sequence[int], start: int, end: int, most: int) -> Iterator[Box]:
        """One box for each line, or piece of one, that the span covers."""
        run: Box | None = None
        last: Box | None = None
        before = -1
        for point in range(max(start, 0), min(end, len(text))):
            place = places[point]
            if text[point] == "\n" or (before >= 0 and place > before + 1 and self._has_line_break(range(before + 1, place))):
                last = None
            before = place
            box = None if text[point].isspace() else self._measure_box(place)
            if box is None:
                continue
            if run is not None and last is not None and self._is_beside(last, box):
                run = _enclose_boxes((run, box))
            else:
                if run is not None:
                    yield run
                    most -= 1
                    if not most:
                        return
                run = box
            last = box
        if run is not None:
            yield run

    def start(self, text: str, places: Sequence[int], point: int) -> float | None:
        """The left edge of the printed line on which the first letter from that code point on stands."""
        while point < len(text) and text[point].isspace():
            point += 1
        if point >= len(text):
            return None
        first = place = places[point]
        while place and first - place < _LONGEST_LINE and not self._has_line_break([place - 1]):
            place -= 1
        there = (box for one in range(place, first + 1) if (box := self._measure_box(one)))
        return next((round(box.left, 5) for box in there), None)

    def _measure_box(self, place: int) -> Box | None:
        """The character's box, as high as its line; None when nothing of it is on the page as it is cropped."""
        import ctypes

        import pypdfium2.raw as pdfium

        rectangle = pdfium.FS_RECTF()
        if not pdfium.FPDFText_GetLooseCharBox(self.text_page, place, rectangle):
            return None
        corners = []
        for x, y in ((rectangle.left, rectangle.bottom), (rectangle.right, rectangle.top)):
            across, down = ctypes.c_int(), ctypes.c_int()
            if not pdfium.FPDF_PageToDevice(self.page, 0, 0, _FINE, _FINE, 0, x, y, across, down):
                return None
            corners.append((min(max(across.value / _FINE, 0.0), 1.0), min(max(down.value / _FINE, 0.0), 1.0)))
        (a, b), (c, d) = corners
        box = Box(min(a, c), min(b, d), max(a, c), max(b, d))
        return box if box.right > box.left and box.bottom > box.top else None

    def _has_line_break(self, between: Iterable[int]) -> bool:
        """Whether a line ends among pdfium's characters that the text leaves out."""
        import pypdfium2.raw as pdfium

        return any(pdfium.FPDFText_GetUnicode(self.text_page, place) in (0x0A, 0x0D, 0x02, 0xFFFE) for place in between)

    def _is_beside(self, one: Box, other: Box) -> bool:
        """Whether two characters stand on one line, which may run across the page or along it."""
        across = _overlap_share(one.left, one.right, other.left, other.right)
        down = _overlap_share(one.top, one.bottom, other.top, other.bottom)
        height = max(one.bottom - one.top, other.bottom - other.top) / self.shape
        width = max(one.right - one.left, other.right - other.left) * self.shape
        if down > 0.5:
            return max(one.left, other.left) - min(one.right, other.right) < _MAX_GAP_HEIGHTS * height
        return across > 0.5 and max(one.top, other.top) - min(one.bottom, other.bottom) < _MAX_GAP_HEIGHTS * width


def _overlap_share(a: float, b: float, c: float, d: float) -> float:
    """How much of the shorter of two stretches lies in the other, as a share; below 0 when they are apart."""
    return (min(b, d) - max(a, c)) / max(min(b - a, d - c), 1e-9)


def _enclose_boxes(every: Sequence[Box]) -> Box:
    return Box(min(b.left for b in every), min(b.top for b in every), max(b.right for b in every), max(b.bottom for b in every))
