"""Documents as readers of one stage look at them again and again: their texts and sentences, the last few kept."""

from functools import lru_cache

from core.errors import BenchError
from core.nouns import Document, Item, Span
from core.text import split_sentences
from store import documents
from store.database import Database

KEPT = 32
"""Documents held in memory at most."""


class Reading:
    """Documents never change, so what was read stays true."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self.document = lru_cache(maxsize=KEPT)(self._document)
        """id -> the document with its text; raises BenchError when there is none."""
        self.sentences = lru_cache(maxsize=KEPT)(self._sentences)
        """id -> (start, end) of each of its sentences."""

    def text(self, span: Span) -> str:
        """The text of a span; raises BenchError for a document that is not there."""
        return self.document(span.document).text[span.start : span.end]

    def of(self, item: Item) -> tuple[str, ...]:
        """Ids of the documents that belong to an item: those given, then others that its evidence stands in."""
        return tuple(dict.fromkeys((*item.given, *(span.document for span in item.evidence))))

    def _document(self, document: str) -> Document:
        found = documents.many(self._db, [document])
        if not found:
            raise BenchError(f"No document {document} in this workspace, and an item's evidence stands in it.")
        return found[0]

    def _sentences(self, document: str) -> tuple[tuple[int, int], ...]:
        found = self.document(document)
        return tuple(split_sentences(found.text, found.language))
