"""Documents as they look: the pages of the PDF that a document was read from, and where evidence stands on them. Each page is
looked at in a process of its own, so that no file can hold up or bring down the app."""

import tempfile
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

from core.errors import BenchError
from core.nouns import Span
from core.readers import pdf_drawing
from core.readers.pdf_pages import WIDTHS
from store.corpus import document_pages, originals
from store.engine.database import Database
from store.items import items

MOST_SPANS = 200
"""On one page."""
_KEPT = 8
"""Files that lie ready."""
_ITEMS = 50


class PageViewStage:
    """Pages to look at. A document never changes, so neither does what is told of it."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = threading.Lock()
        self._files: OrderedDict[str, BinaryIO] = OrderedDict()

    def has(self, documents: Iterable[str]) -> set[str]:
        """Those of the documents that can be shown by their pages."""
        return originals.filter_stored(self._db, documents)

    def pages(self, document: str) -> list[list[int]]:
        """[start, end] of each page in the document's text. Raises BenchError when it has no pages to show."""
        found = document_pages.load_heading(self._db, document)
        if found is None or not self.has([document]):
            raise BenchError(f"No pages of document {document} are kept here: add its PDF again to see them.")
        pages: list[list[int]] = found.meta["pages"]
        return pages

    def picture(self, document: str, number: int, width: int) -> bytes:
        """Page `number`, from 1, as PNG or JPEG. Raises BenchError when it cannot be drawn."""
        self._page(document, number)
        if width not in WIDTHS:
            raise BenchError(f"A page is drawn {' or '.join(map(str, WIDTHS))} pixels wide: load this page again.")
        return pdf_drawing.picture(self._file(document), number, width)

    def boxes(self, document: str, number: int, spans: Sequence[tuple[int, int]]) -> dict[str, Any]:
        """For each span (code points of the document) its boxes on page `number`, in shares of the page from its top left, and
        in `starts` where the line that it begins on starts;
        `more` when there are too many to tell. Raises BenchError when they cannot be placed."""
        start, end = self._page(document, number)
        if len(spans) > MOST_SPANS:
            raise BenchError(f"Page {number} has {len(spans)} spans on it, and {MOST_SPANS} can be boxed: take some away.")
        here = [(max(first, start) - start, min(last, end) - start) for first, last in spans]
        text = document_pages.load_stretch(self._db, document, start, end - start)
        found = pdf_drawing.boxes(self._file(document), number, here, text)
        if found["text"] != text:
            raise BenchError(f"Page {number} reads otherwise than when it came in, so no box can be placed: see its text.")
        return {"spans": found["spans"], "starts": found["starts"], "more": found["more"]}

    def evidence_in(self, document: str) -> list[Span]:
        """Evidence of the newest items on the document, in its order."""
        newest = [row[0] for row in document_pages.list_items_of(self._db, document, _ITEMS)]
        return sorted(
            {span for item in items.load_items(self._db, newest) for span in item.evidence if span.document == document}
        )

    def close(self) -> None:
        with self._lock:
            self._files.clear()

    def _page(self, document: str, number: int) -> tuple[int, int]:
        pages = self.pages(document)
        if not 1 <= number <= len(pages):
            raise BenchError(f"This document has pages 1 to {len(pages):,}, and no page {number}.")
        start, end = pages[number - 1]
        return start, end

    def _file(self, document: str) -> BinaryIO:
        """The file out of the store, without a name on the disk: it is gone with the last who reads it."""
        with self._lock:
            if document not in self._files:
                try:
                    self._files[document] = _laid_out(originals.read(self._db, document))
                except OSError as error:
                    raise BenchError(f"The PDF cannot be drawn, the disk said {error.strerror}: make room.") from error
                if len(self._files) > _KEPT:
                    self._files.popitem(last=False)
            self._files.move_to_end(document)
            return self._files[document]


def _laid_out(pieces: Iterable[bytes]) -> BinaryIO:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever reads it last closes it
    for piece in pieces:
        file.write(piece)
    file.flush()
    return file
