"""What readers of one stage look at again and again, the last few kept: documents with their sentences, and items in the words
of one revision."""

from dataclasses import replace
from functools import lru_cache

from core.errors import BenchError
from core.nouns import Document, Item, Span
from core.text.text import split_sentences
from store.corpus import documents
from store.engine.database import Database
from store.format import Revision
from store.items import items
from store.items.items import ItemRevision
from store.items.state_row import StateRow, fetch_state_row

KEPT, REVISIONS = 32, 512
"""Documents, and revisions of items, held in memory at most."""


class DocumentCache:
    """Neither documents nor revisions ever change, so what was read stays true."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self.document = lru_cache(maxsize=KEPT)(self._document)
        """id -> the document with its text; raises BenchError when there is none."""
        self.sentences = lru_cache(maxsize=KEPT)(self._sentences)
        """id -> (start, end) of each of its sentences."""
        self.words = lru_cache(maxsize=REVISIONS)(self._load_words)
        """(item, revision) -> its words, and who wrote them; raises BenchError when there is none."""

    def text(self, span: Span) -> str:
        """The text of a span; raises BenchError for a document that is not there."""
        return self.document(span.document).text[span.start : span.end]

    def documents_of(self, item: Item) -> tuple[str, ...]:
        """Ids of the documents that belong to an item: those given, then others that its evidence stands in."""
        return tuple(dict.fromkeys((*item.given, *(span.document for span in item.evidence))))

    def load_current(self, item: str) -> tuple[Item, StateRow]:
        """The item as it is now, and its row. Raises BenchError when there is none."""
        row = fetch_state_row(self._db.rows, item)
        if row is None:
            raise _no(item)
        return replace(self.words(item, row.revision).item, status=row.status), row

    def lineage(self, item: str, latest: int) -> list[Revision]:
        """Every revision of the item up to the latest, oldest first."""
        return [self.words(item, revision).made for revision in range(1, latest + 1)]

    def _load_words(self, item: str, revision: int) -> ItemRevision:
        found = items.load_revision(self._db, item, revision)
        if found is None and fetch_state_row(self._db.rows, item) is None:
            raise _no(item)
        if found is None:
            raise BenchError(f"Item {item} has no revision {revision}: load the page again.")
        return found

    def _document(self, document: str) -> Document:
        found = documents.load_documents(self._db, [document])
        if not found:
            raise BenchError(f"No document {document} in this workspace, and an item's evidence stands in it.")
        return found[0]

    def _sentences(self, document: str) -> tuple[tuple[int, int], ...]:
        found = self.document(document)
        return tuple(split_sentences(found.text, found.language))


def _no(item: str) -> BenchError:
    return BenchError(f"No item {item} in this workspace: `cli.py items` lists them.")
