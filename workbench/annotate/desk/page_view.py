"""Show a document as the pages of its original PDF, with boxes around the evidence. A separate process reads the PDF, so that a
damaged file cannot block or crash the app."""

import tempfile
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from core.errors import BenchError
from core.nouns import Span
from core.readers import pdf_drawing
from core.readers.pdf_pages import WIDTHS
from store.corpus import document_pages, originals
from store.engine.database import Database
from store.items import items

MAX_PAGE_SPANS = 200
MAX_OPEN_FILES = 8
MAX_EVIDENCE_ITEMS = 50

Box = Sequence[float]
"""A rectangle (left, top, right, bottom), in fractions of the page's size from its top left corner."""


@dataclass(frozen=True, slots=True)
class PageBoxes:
    """Where spans of text are on a page of a PDF."""

    spans: Sequence[Sequence[Box]]
    """The rectangles of each span on the page; a span over several lines has several rectangles."""
    starts: Sequence[float]
    """For each span of text, the left edge of its first line on the page."""
    more: bool
    """Whether some rectangles were left out, because there are too many."""


class PageViewStage:
    """Methods that show the PDF pages of documents as images. A document and its pages never change."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = threading.Lock()
        self._files: OrderedDict[str, BinaryIO] = OrderedDict()

    def select_paged(self, documents: Iterable[str]) -> set[str]:
        """Return those documents whose original file is stored, so that their pages can be shown."""
        return originals.filter_stored(self._db, documents)

    def pages(self, document: str) -> list[list[int]]:
        """Return [start, end] in the document's text for each page of the PDF. Raises BenchError if the document has no
        pages."""
        heading = document_pages.load_heading(self._db, document)
        if heading is None or not self.select_paged([document]):
            raise BenchError(f"No pages of document {document} are stored here: add its PDF again to see them.")
        pages: list[list[int]] = heading.meta["pages"]
        return pages

    def picture(self, document: str, number: int, width: int) -> bytes:
        """Return page `number` as a PNG or JPEG image; the first page has the number 1. Raises BenchError if the image cannot
        be made."""
        self._page(document, number)
        if width not in WIDTHS:
            raise BenchError(f"The image of a page can be {' or '.join(map(str, WIDTHS))} pixels wide: reload this page.")
        return pdf_drawing.picture(self._open_file(document), number, width)

    def boxes(self, document: str, number: int, spans: Sequence[tuple[int, int]]) -> PageBoxes:
        """Return the rectangles of each span on page `number`; a span is (start, end) in code points of the document. Raises
        BenchError if the rectangles cannot be found."""
        start, end = self._page(document, number)
        if len(spans) > MAX_PAGE_SPANS:
            raise BenchError(
                f"Page {number} has {len(spans)} marked spans; boxes can be drawn around at most "
                f"{MAX_PAGE_SPANS}: remove some spans."
            )
        here = [(max(first, start) - start, min(last, end) - start) for first, last in spans]
        text = document_pages.load_stretch(self._db, document, start, end - start)
        boxes = pdf_drawing.boxes(self._open_file(document), number, here, text)
        if boxes["text"] != text:
            raise BenchError(
                f"The text of page {number} has changed since the upload, so no box can be shown: read the text instead."
            )
        return PageBoxes(boxes["spans"], boxes["starts"], boxes["more"])

    def evidence_in(self, document: str) -> list[Span]:
        """List the spans of the document that the newest items cite as evidence, in the order of the text."""
        newest = [row[0] for row in document_pages.list_items_of(self._db, document, MAX_EVIDENCE_ITEMS)]
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

    def _open_file(self, document: str) -> BinaryIO:
        """Return a temporary copy of the document's stored PDF; it is deleted when its last reader closes it."""
        with self._lock:
            if document not in self._files:
                try:
                    self._files[document] = _copy_to_disk(originals.read(self._db, document))
                except OSError as error:
                    raise BenchError(f"The pages of the PDF cannot be shown ({error.strerror}): free disk space.") from error
                if len(self._files) > MAX_OPEN_FILES:
                    self._files.popitem(last=False)
            self._files.move_to_end(document)
            return self._files[document]


def _copy_to_disk(pieces: Iterable[bytes]) -> BinaryIO:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the last reader closes the file
    for piece in pieces:
        file.write(piece)
    file.flush()
    return file
