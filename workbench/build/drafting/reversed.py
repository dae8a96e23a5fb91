"""List the items that were made from a source document that RAG systems may not retrieve (reverse construction). The lists show
the source, the searches, and every search result with its score, kept or dropped. Leads check these items with the lists."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from builders.task import tasks
from core.errors import BenchError
from core.nouns import Document, Item
from store.corpus import documents
from store.engine.database import Database
from store.items import finding, items
from store.items.finding import ItemSearch
from store.queue.kind import ItemKind
from workbench.build.corpus.sources import leaves_any_out
from workbench.roles import requires


class ReverseLine(NamedTuple):
    """An item that was made by reverse construction, as one line of a list."""

    id: str
    question: str
    status: str
    language: str
    domain: str
    kept: int
    """Number of documents that searches found and that were kept."""
    dropped: int


class ReverseItem(NamedTuple):
    """An item that was made by reverse construction, with its source document and its searches."""

    item: Item
    source: Document | None
    """The document that the item was made from, or None if it is not in this workspace."""
    cited: Sequence[str]
    """Texts of those pieces of the item's evidence that are in the source document."""
    searches: Sequence[Mapping[str, Any]]
    """The searches that were made while the item was drafted, each with query, provider, limits and results."""


class ReverseStage:
    """Methods that load items whose source document is hidden from RAG systems."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @requires("draft items", is_logged=False)
    def counts(self) -> dict[str, int]:
        """Return a dict from task to its number of items, for tasks whose source documents are hidden from RAG systems."""
        counts = {name: 0 for name in tasks() if leaves_any_out(name)}
        for count in items.count_items(self._db):
            if count.task in counts:
                counts[count.task] += count.items
        return counts

    @requires("draft items", is_logged=False)
    def page(self, task: str, limit: int, offset: int) -> list[ReverseLine]:
        """Return a page of the task's items, newest first."""
        ids = finding.list_ids(self._db, ItemSearch(ItemKind(task=task)))[offset : offset + limit]
        return [_line(item) for item in items.load_items(self._db, ids)]

    @requires("draft items", "id_", is_logged=False)
    def open_item(self, id_: str) -> ReverseItem:
        """Return an item with its source document and its searches. Raises BenchError if the item does not exist."""
        item = items.get(self._db, id_)
        wanted = tasks()[item.task].excluded_documents(item) if item.task in tasks() else ()
        if not wanted:
            raise BenchError(f"{id_} was not drafted from a source that is hidden from retrieval: choose an item of the list.")
        sources = {document.id: document for document in documents.load_documents(self._db, wanted)}
        cited = [sources[s.document].text[s.start : s.end] for s in item.evidence if s.document in sources]
        return ReverseItem(item, sources.get(wanted[0]), cited, _searches(item))


def _searches(item: Item) -> list[Mapping[str, Any]]:
    return [step for step in item.steps if step.get("kind") == "search"]


def _line(item: Item) -> ReverseLine:
    is_kept = {hit["document"]: bool(hit["kept"]) for step in _searches(item) for hit in step["hits"]}
    kept = sum(is_kept.values())
    return ReverseLine(item.id, item.question, item.status, item.language, item.domain, kept, len(is_kept) - kept)
