"""The text of a PDF's page as it is stored, and which of pdfium's characters each of its code points is. Reading and showing
take the same steps here, so that a box on a page never drifts from the text."""

import re
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from core.readers.reading import FORBIDDEN

_LEFT_OUT = re.compile(f"\r(?=\n)|[\ufffe\x02](?:\r\n?|\n)?|{FORBIDDEN}")
"""The first half of a line end, pdfium's signs for a hyphen that only broke a line, and remains of the layout."""


class Placed(NamedTuple):
    """A page's text, code point by code point."""

    text: str
    places: list[int]
    """Number of pdfium's character for each code point."""


def page_text(text_page: Any) -> str:
    """The text of a pypdfium2 text page, as a document holds it."""
    raw = _raw(text_page)
    return "".join(raw[start:end] for start, end in _runs(raw)).replace("\r", "\n").strip()


def placed(text_page: Any) -> Placed:
    """The same, with the place of each code point on the page."""
    import pypdfium2.raw as pdfium

    raw = _raw(text_page)
    units = list(accumulate((2 if character > "\uffff" else 1 for character in raw), initial=0))
    kept = [place for run in _runs(raw) for place in range(*run)]
    whole = "".join(raw[place] for place in kept).replace("\r", "\n")
    start, text = len(whole) - len(whole.lstrip()), whole.strip()
    where = [pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, units[place]) for place in kept[start : start + len(text)]]
    return Placed(text, where)


def _raw(text_page: Any) -> str:
    """pdfium's text; half a surrogate pair stays, so that units can be counted."""
    text: str = text_page.get_text_range(errors="surrogatepass")
    return text


def _runs(raw: str) -> list[tuple[int, int]]:
    """What is kept of the raw text."""
    gaps = [(0, 0), *(found.span() for found in _LEFT_OUT.finditer(raw)), (len(raw), len(raw))]
    return [(end, start) for (_, end), (start, _) in pairwise(gaps) if start > end]

