"""Find documents of the corpus that are nearly copies of each other. The search runs in the background, once for each state of
the corpus."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from builders.near_duplicates.duplicate_pairs import find_near_duplicates
from store.corpus import document_pages, documents
from store.engine.columns import split_in_batches
from store.engine.database import Database
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.roles import requires

MAX_DOCUMENTS_IN_MEMORY = 500


class CopiedDocument(NamedTuple):
    """One of two documents that are nearly copies of each other."""

    id: str
    title: str
    characters: int


class NearCopyPair(NamedTuple):
    """Two documents of which the longer one contains at least half of the shorter one."""

    shorter: CopiedDocument
    longer: CopiedDocument
    share: float
    """Share of the shorter document's windows of 40 characters that also occur in the longer document."""


class NearCopyStage:
    """Methods that list documents which are nearly copies of each other."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache(max_results=1)

    @requires("change the corpus", is_logged=False)
    def pairs(self) -> RunningWork[list[NearCopyPair]]:
        """Return all pairs of documents that are nearly copies, beginning with the most similar pair."""
        return self._cache.get(document_pages.fingerprint(self._db), self._find_pairs)

    def _find_pairs(self) -> list[NearCopyPair]:
        pairs = find_near_duplicates(self._load_texts(document_pages.list_ids(self._db)), self._load_texts)
        lengths = documents.load_lengths(self._db)
        headings = documents.load_headings(self._db, {name for pair in pairs for name in (pair.shorter, pair.longer)})
        copies = {heading.id: CopiedDocument(heading.id, heading.title, lengths[heading.id]) for heading in headings}
        return [NearCopyPair(copies[pair.shorter], copies[pair.longer], pair.share) for pair in pairs]

    def _load_texts(self, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
        for piece in split_in_batches(ids, MAX_DOCUMENTS_IN_MEMORY):
            for document in documents.load_documents(self._db, piece):
                yield document.id, document.text
