"""Remove documents from the corpus, or replace them with a newer text. Before a document is removed, the items that use it are
shown. Texts are never lost, because releases keep the texts of their documents. An item moves to the newer text only if its
evidence occurs there word for word."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.errors import BenchError
from core.nouns import Document, Item, Span
from store.corpus import document_changes, document_pages, document_use, documents
from store.corpus.document_pages import DocumentFilter, DocumentRow
from store.engine.columns import current_time
from store.engine.database import Database
from store.items import items
from workbench.build.corpus.corpus import check_name
from workbench.roles import requires

MAX_SUCCESSORS = 20
"""Maximum number of documents that are suggested as the newer text: those with the same title, and the newest ones."""


@dataclass(frozen=True, slots=True)
class DocumentDependents:
    """The items and releases that use at least one of some documents."""

    drafted: int
    """Number of items that use one of the documents and wait for review."""
    accepted: int
    releases: Sequence[str]
    """Names of the releases that contain one of the documents."""

    @property
    def items(self) -> int:
        """Return the number of items that use one of the documents."""
        return self.drafted + self.accepted


@dataclass(frozen=True, slots=True)
class Replacement:
    """What became of the items when a newer text replaced their document."""

    moved: Sequence[str]
    """Ids of the items that now use the newer text; they wait for review again."""
    left: Sequence[str]
    """Ids of the items that still use the old text, because their evidence is not in the newer text."""
    accepted: int
    """Number of the moved items that were accepted before."""

    @property
    def is_removed(self) -> bool:
        """Return whether the old document was removed from the corpus, which happens if no item uses it any more."""
        return not self.left


class RemovalStage:
    """Methods that remove documents from the corpus, restore them, or replace them with a newer text."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def count_dependents(self, ids: Sequence[str]) -> DocumentDependents:
        """Count the items and releases that use the documents."""
        statuses = [status for _, status in document_use.list_items_on(self._db, ids)]
        releases = document_use.list_releases_with(self._db, ids)
        return DocumentDependents(statuses.count("drafted"), statuses.count("accepted"), releases)

    @requires("change the corpus", "ids")
    def remove(self, ids: Sequence[str], person: str) -> int:
        """Remove documents from the corpus and log this; return the number of removed documents. Raises BenchError if items use
        one of the documents, or if the person gives no name."""
        dependents = self.count_dependents(ids)
        if dependents.items:
            raise BenchError(
                f"{dependents.items:,} {'item uses' if dependents.items == 1 else 'items use'} documents that would "
                f"be removed ({dependents.accepted:,} accepted, {dependents.drafted:,} to review): discard the items first, or "
                "replace the document by a newer text."
            )
        return document_changes.change_field(self._db, ids, "removed_at", current_time(), check_name(person))

    @requires("change the corpus", "ids")
    def bring_back(self, ids: Sequence[str], person: str) -> int:
        """Bring removed documents back into the corpus and log this; return the number of documents."""
        return document_changes.change_field(self._db, ids, "removed_at", None, check_name(person))

    def list_successors(self, document: str) -> list[DocumentRow]:
        """List documents that may be the newer text of this document: those with the same title, then the newest ones."""
        title = documents.get(self._db, document).title
        same_title = document_pages.load_page(self._db, DocumentFilter(search=title), limit=MAX_SUCCESSORS)
        newest = document_pages.load_page(self._db, DocumentFilter(), limit=MAX_SUCCESSORS)
        return list({row.id: row for row in (*same_title, *newest) if row.id != document}.values())

    @requires("change the corpus", "document", notes=["by"])
    def replace(self, document: str, by: str, person: str) -> Replacement:
        """Replace `document` with its newer text `by`, and move its items to the newer text where possible.

        If every piece of an item's evidence occurs exactly once in the newer text, the item gets a new revision, which waits
        for review. The document is removed from the corpus if no item uses it any more. Raises BenchError if a document does
        not exist, if both documents are the same, or if the person gives no name."""
        name = check_name(person)
        replacement = self._move_items(document, by, lambda item: items.edit(self._db, item, name) is not None)
        if replacement.is_removed:
            document_changes.change_field(self._db, [document], "removed_at", current_time(), name)
        return replacement

    def preview_replacement(self, document: str, by: str) -> Replacement:
        """Return what `replace` would do with the items now; nothing is changed. Raises BenchError if a document does not exist
        or both are the same."""
        return self._move_items(document, by, lambda item: True)

    def _move_items(self, document: str, by: str, move: Callable[[Item], bool]) -> Replacement:
        """Call `move` with the new revision of each item that can move to the newer text; it returns whether the item moved."""
        old, new = documents.get(self._db, document), documents.get(self._db, by)
        if document == by:
            raise BenchError("A document cannot replace itself: choose the newer text.")
        moved: list[Item] = []
        left: list[str] = []
        ids = [item for item, _ in document_use.list_items_on(self._db, [document])]
        for item in items.load_items(self._db, ids):
            revised = move_item(item, old, new)
            if revised and move(revised):
                moved.append(item)
            else:
                left.append(item.id)
        return Replacement([item.id for item in moved], left, sum(item.status == "accepted" for item in moved))


def move_item(item: Item, old: Document, new: Document) -> Item | None:
    """Return the item with its evidence moved to the new document, or None if a piece of the evidence does not occur there
    exactly once."""
    evidence = []
    for span in item.evidence:
        if span.document != old.id:
            evidence.append(span)
            continue
        words = old.text[span.start : span.end]
        if not words or new.text.count(words) != 1:
            return None
        start = new.text.index(words)
        evidence.append(Span(new.id, start, start + len(words)))
    given = tuple(new.id if document == old.id else document for document in item.given)
    return replace(item, evidence=tuple(evidence), given=given)
