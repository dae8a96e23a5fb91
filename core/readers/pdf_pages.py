"""Renders a page of a PDF as an image and finds where text is on the page. Runs in the process of core/readers/pdf_child.py,
because an untrusted file may take any amount of time and memory."""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from core.readers.pdf_lines import align_text, place_text

WIDTHS = (1000, 2000)
"""Allowed widths in pixels for the picture of a page."""
MAX_PIXELS = 8_000_000
MAX_COLOURS = 4_096
"""Maximum number of colours for a picture saved as PNG. Pages with more colours have photographs or are scans; JPEG makes them
ten times smaller."""
MAX_BOXES = 2_000
"""Maximum number of boxes that are returned for one page."""
_PAGE_STEPS = 1_000_000
"""Number of units of pdfium's coordinates across a page's width and height."""
_MAX_LINE_CHARACTERS = 1_000
"""Number of characters before a letter in which the start of its line is searched."""
_MAX_GAP_HEIGHTS = 1.5
"""Maximum gap between two characters in one box, as a multiple of the height of the letters."""


class Box(NamedTuple):
    """A rectangle on the visible page, as shares of the page's width and height (0..1) from the top left corner."""

    left: float
    top: float
    right: float
    bottom: float


def picture(document: Any, number: int, width: int) -> bytes:
    """Render a page (counted from 0) as PNG, or as JPEG if the page has many colours. The image of a very long page is narrower
    than `width`."""
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
    """Return the boxes that spans of a page's text cover on the page, as {"text", "spans": boxes of each span, "starts",
    "more"}.

    Spans are given in code points, counted from the first character of the page. A box covers one line or part of a line.
    `starts` contains the left edge of the first line of each span, as a share of the width; `more` says whether further boxes
    are left out. `text` is the stored text of the page; if the stored text cannot be aligned with the page, the text is read
    from the page."""
    page = document[number]
    text_page = page.get_textpage()
    whole = place_text(text_page)
    text, places = (align_text(whole, text) if text is not None else None) or whole
    sheet = _Sheet(page, text_page)
    by_span: list[list[list[float]]] = []
    left = MAX_BOXES
    for start, end in spans:
        own = [[round(side, 5) for side in box] for box in sheet.lines(text, places, start, end, left + 1)]
        by_span.append(own[:left])
        left -= len(own)
        if left < 0:
            break
    starts = [sheet.start(text, places, start) for start, _ in spans[: len(by_span)]]
    return {"text": text, "spans": by_span, "starts": starts, "more": left < 0}


class _Sheet:
    """A PDF page as it is displayed: cropped and rotated."""

    def __init__(self, page: Any, text_page: Any) -> None:
        self.page, self.text_page = page, text_page
        self.shape: float = page.get_width() / max(page.get_height(), 1e-6)

    def lines(self, text: str, places: Sequence[int], start: int, end: int, most: int) -> Iterator[Box]:
        """Yield one box for each line, or part of a line, that the span covers on the page."""
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
                run = Box(min(run[0], box[0]), min(run[1], box[1]), max(run[2], box[2]), max(run[3], box[3]))
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
        """Return the left edge of the line that contains the first letter at or after code point `point`, as a share of the
        page's width, or None if no letter follows."""
        while point < len(text) and text[point].isspace():
            point += 1
        if point >= len(text):
            return None
        first = place = places[point]
        while place and first - place < _MAX_LINE_CHARACTERS and not self._has_line_break([place - 1]):
            place -= 1
        boxes = (self._measure_box(number) for number in range(place, first + 1))
        return next((round(box.left, 5) for box in boxes if box), None)

    def _measure_box(self, place: int) -> Box | None:
        """Return the box of a character, with the height of its line, or None if the character lies outside the cropped
        page."""
        import ctypes

        import pypdfium2.raw as pdfium

        rectangle = pdfium.FS_RECTF()
        if not pdfium.FPDFText_GetLooseCharBox(self.text_page, place, rectangle):
            return None
        corners = []
        for x, y in ((rectangle.left, rectangle.bottom), (rectangle.right, rectangle.top)):
            across, down = ctypes.c_int(), ctypes.c_int()
            if not pdfium.FPDF_PageToDevice(self.page, 0, 0, _PAGE_STEPS, _PAGE_STEPS, 0, x, y, across, down):
                return None
            corners.append([min(max(side.value / _PAGE_STEPS, 0.0), 1.0) for side in (across, down)])
        (a, b), (c, d) = corners
        box = Box(min(a, c), min(b, d), max(a, c), max(b, d))
        return box if box.right > box.left and box.bottom > box.top else None

    def _has_line_break(self, between: Iterable[int]) -> bool:
        """Return whether one of these characters is a line end; they are characters of pdfium that the text leaves out."""
        import pypdfium2.raw as pdfium

        return any(pdfium.FPDFText_GetUnicode(self.text_page, place) in (0x0A, 0x0D, 0x02, 0xFFFE) for place in between)

    def _is_beside(self, a: Box, b: Box) -> bool:
        """Return whether two characters are next to each other on the same line, in horizontal or vertical writing."""
        across = _overlap_share(a.left, a.right, b.left, b.right)
        down = _overlap_share(a.top, a.bottom, b.top, b.bottom)
        height = max(a.bottom - a.top, b.bottom - b.top) / self.shape
        width = max(a.right - a.left, b.right - b.left) * self.shape
        if down > 0.5:
            return max(a.left, b.left) - min(a.right, b.right) < _MAX_GAP_HEIGHTS * height
        return across > 0.5 and max(a.top, b.top) - min(a.bottom, b.bottom) < _MAX_GAP_HEIGHTS * width


def _overlap_share(a: float, b: float, c: float, d: float) -> float:
    """Return the overlap of the intervals (a, b) and (c, d) as a share of the shorter one, at most 1; negative for disjoint
    intervals."""
    return (min(b, d) - max(a, c)) / max(min(b - a, d - c), 1e-9)
