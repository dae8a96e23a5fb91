"""Documents of the corpus that are near copies of one another, worked out beside the page once for each state of the corpus."""

from collections.abc import Iterable, Iterator
from typing import Any

from builders.near_duplicates.duplicate_pairs import twins
from store.corpus import document_pages, documents
from store.engine.columns import in_pieces
from store.engine.database import Database
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act

AT_ONCE = 500
"""Documents in memory."""


class NearCopyStage:
    """Verbs on them."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = BackgroundCache(most=1)

    @act("change the corpus", is_logged=False)
    def pairs(self) -> RunningWork[list[dict[str, Any]]]:
        """{"shorter", "longer": {"id", "title", "characters"}, "share": of the shorter one's windows, found in the longer} of
        every pair, the nearest first (builders/near_duplicates/duplicate_pairs.py)."""
        return self._kept.get(document_pages.mark(self._db), self._made)

    def close(self) -> None:
        """Wait for what is under way."""
        self._kept.close()

    def _made(self) -> list[dict[str, Any]]:
        found = twins(self._texts(document_pages.ids(self._db)), self._texts)
        wanted = {name for one in found for name in (one.shorter, one.longer)}
        titles = {document.id: document.title for document in documents.headings(self._db, wanted)}
        lengths = documents.lengths(self._db)

        def told(name: str) -> dict[str, Any]:
            return {"id": name, "title": titles[name], "characters": lengths[name]}

        return [{"shorter": told(one.shorter), "longer": told(one.longer), "share": one.share} for one in found]

    def _texts(self, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
        for piece in in_pieces(ids, AT_ONCE):
            for document in documents.load_documents(self._db, piece):
                yield document.id, document.text
