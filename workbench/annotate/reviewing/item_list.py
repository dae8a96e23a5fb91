"""The list of items as JSON records, for the command line. It imports nothing that a desk needs."""

from collections.abc import Sequence
from typing import Any

from core.errors import BenchError
from core.nouns import Item, Level, Span, Status
from core.records import item_record
from store.corpus import documents
from store.engine.database import Database
from store.items import finding, items
from store.items.finding import ItemSearch
from store.queue.kind import ItemKind


class ItemList:
    """Verbs on the list of items."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def items(
        self,
        *,
        task: str | None = None,
        domain: str | None = None,
        status: Status | None = None,
        text: str = "",
        level: Level = None,
        language: str | None = None,
        agent: str | None = None,
        flag: str | None = None,
    ) -> list[dict[str, Any]]:
        """Items as JSON records, in the order they came; those of a kind, with that text in question or answers."""
        search = ItemSearch(ItemKind(task, level, domain, language, agent, flag), status, text, order="oldest")
        return item_records(self._db, items.load_items(self._db, finding.list_ids(self._db, search)))


def item_records(database: Database, found: Sequence[Item]) -> list[dict[str, Any]]:
    """The items as JSON records, with the text of their evidence."""
    wanted = dict.fromkeys(span.document for item in found for span in item.evidence)
    texts = {document.id: document.text for document in documents.load_documents(database, wanted)}

    def cut(span: Span) -> str:
        if span.document not in texts:
            raise BenchError(f"No document {span.document} in this workspace, and an item's evidence stands in it.")
        return texts[span.document][span.start : span.end]

    return [item_record(item, cut) for item in found]
