"""Read documents, their sentences, and revisions of items; those read last are cached in memory."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from core.errors import BenchError
from core.installation import COMMAND
from core.nouns import Document, Item, Span
from core.text.text import split_sentences
from store.corpus import documents
from store.engine.database import Database, find_follower
from store.format import Revision
from store.items import items
from store.items.items import ItemRevision
from store.queue.kind import ANY_KIND
from store.queue.state_row import StateMirror, StateRow, fetch_state_row

MAX_CACHED_DOCUMENTS, MAX_CACHED_REVISIONS = 32, 2_000
MAX_READ_AHEAD = 31
"""Maximum number of items whose texts are read in advance because they follow a waiting item in the queue; one query reads all
these texts."""


class DocumentCache:
    """Reads and caches documents and revisions of items, which never change."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self.document = lru_cache(maxsize=MAX_CACHED_DOCUMENTS)(self._document)
        """Function that returns the document with the given id and its text; it raises BenchError if the id is unknown."""
        self.sentences = lru_cache(maxsize=MAX_CACHED_DOCUMENTS)(self._sentences)
        """Function that returns (start, end) of each sentence of the document with the given id."""
        self._words: dict[tuple[str, int], ItemRevision] = {}

    def text(self, span: Span) -> str:
        """Return the text of a span. Raises BenchError if the span's document is not in the workspace."""
        return self.document(span.document).text[span.start : span.end]

    def cut_together(self, ids: Collection[str]) -> dict[str, list[tuple[int, int]]]:
        """Return a dict from document id to the list of (start, end) of its sentences. The documents are read with one query
        and not cached."""
        return {one.id: split_sentences(one.text, one.language) for one in documents.load_documents(self._db, ids)}

    def documents_of(self, item: Item) -> tuple[str, ...]:
        """List the ids of the item's documents: first those that it was drafted from, then others with its evidence."""
        return tuple(dict.fromkeys((*item.given, *(span.document for span in item.evidence))))

    def load_current(self, item: str) -> tuple[Item, StateRow]:
        """Load the current revision of the item, and its row in the table of item states. Raises BenchError if the item does
        not exist."""
        row = fetch_state_row(self._db, item)
        if row is None:
            raise _missing_item(item)
        if (item, row.revision) not in self._words:
            self._read_words([(one.item, one.revision) for one in (row, *self.list_ahead(row))])
        return replace(self.words(item, row.revision).item, status=row.status), row

    def list_ahead(self, row: StateRow) -> list[StateRow]:
        """Return the rows of the items that follow this waiting item in the queue; they are read in advance, because people
        will probably get them next."""
        state = find_follower(self._db, StateMirror)
        return state.list_next(ANY_KIND, row, None, lambda _: True, MAX_READ_AHEAD) if state and row.is_queued else []

    def words(self, item: str, revision: int) -> ItemRevision:
        """Return the text of the item at `revision`, with its author. Raises BenchError if the revision is unknown."""
        words = self._words.get((item, revision)) or self._read_words([(item, revision)]).get((item, revision))
        if words is None and fetch_state_row(self._db, item) is None:
            raise _missing_item(item)
        if words is None:
            raise BenchError(f"Item {item} has no revision {revision}: load the page again.")
        return words

    def lineage(self, item: str, latest: int) -> list[Revision]:
        """Return every revision of the item up to `latest`, oldest first."""
        return [self.words(item, revision).made for revision in range(1, latest + 1)]

    def _read_words(self, wanted: Sequence[tuple[str, int]]) -> dict[tuple[str, int], ItemRevision]:
        kept = self._words if len(self._words) < MAX_CACHED_REVISIONS else {}
        read = items.load_revisions(self._db, [pair for pair in wanted if pair not in kept])
        self._words = {**kept, **read}
        return read

    def _document(self, document: str) -> Document:
        rows = documents.load_documents(self._db, [document])
        if not rows:
            raise BenchError(f"Document {document}, in which an item has evidence, is not in this workspace: add it again.")
        return rows[0]

    def _sentences(self, document: str) -> tuple[tuple[int, int], ...]:
        source = self.document(document)
        return tuple(split_sentences(source.text, source.language))


def _missing_item(item: str) -> BenchError:
    return BenchError(f"No item {item} in this workspace: `{COMMAND} items` lists them.")
