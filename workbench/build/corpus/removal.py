"""Documents leave the corpus, or give way to a newer text. What stands on them is told first, and nothing that stands is lost:
releases keep their texts, and items move only where their evidence stands in the newer text letter by letter."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import BenchError
from core.nouns import Document, Item, Span
from store.corpus import document_changes, document_pages, document_use, documents
from store.corpus.document_pages import DocumentRow, Filter
from store.engine.columns import current_time
from store.engine.database import Database
from store.items import items
from workbench.roles import act

MOST_SUCCESSORS = 20
"""Newest documents that are offered as the newer text."""


@dataclass(frozen=True, slots=True)
class DocumentDependents:
    """What stands on documents."""

    drafted: int
    """Items that wait for review."""
    accepted: int
    releases: Sequence[str]
    """Names of those that hold one of the documents."""

    @property
    def items(self) -> int:
        """Items that would lose a document."""
        return self.drafted + self.accepted


@dataclass(frozen=True, slots=True)
class Replacement:
    """What became of the items when a newer text took a document's place."""

    moved: Sequence[str]
    """Ids of items whose evidence stands in the newer text: they wait for review again."""
    left: Sequence[str]
    """Ids of items that stay on the old text."""
    is_removed: bool
    """Whether the old document left the corpus: it does when nothing is left on it."""


class RemovalStage:
    """Verbs on documents that are to go."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def standing(self, ids: Sequence[str]) -> DocumentDependents:
        """What stands on those documents; nothing is changed."""
        found = [status for _, status in document_use.standing_on(self._db, ids)]
        return DocumentDependents(found.count("drafted"), found.count("accepted"), document_use.releases_with(self._db, ids))

    @act("change the corpus", "ids")
    def remove(self, ids: Sequence[str], person: str) -> int:
        """Take those documents out of the corpus, on record; returns how many were in it. Their texts stay for what was made
        from them. Raises BenchError when items stand on one, or without a name."""
        on = self.standing(ids)
        if on.items:
            raise BenchError(
                f"{on.items:,} {'item stands' if on.items == 1 else 'items stand'} on what is to be removed ({on.accepted:,} "
                f"accepted, {on.drafted:,} to review): discard them first, or replace the document by a newer text."
            )
        return document_changes.change(self._db, ids, "removed_at", current_time(), _name(person))

    @act("change the corpus", "ids")
    def bring_back(self, ids: Sequence[str], person: str) -> int:
        """Put removed documents back into the corpus, on record; returns how many were out of it."""
        return document_changes.change(self._db, ids, "removed_at", None, _name(person))

    def successors(self, document: str) -> list[DocumentRow]:
        """Documents that may be the newer text of this one: those of its title, then the newest ones."""
        title = documents.get(self._db, document).title
        named = document_pages.page(self._db, Filter(search=title), limit=MOST_SUCCESSORS)
        newest = document_pages.page(self._db, Filter(), limit=MOST_SUCCESSORS)
        return list({one.id: one for one in (*named, *newest) if one.id != document}.values())

    @act("change the corpus", "document", notes=["by"])
    def replace(self, document: str, by: str, person: str) -> Replacement:
        """Move the items of a document to its newer text: each becomes a new revision, which waits for review, when every piece
        of its evidence stands in the newer text exactly once. The document leaves the corpus when no item is left on it. Raises
        BenchError when a document is not there, when both are one, or without a name."""
        name = _name(person)
        old, new = documents.get(self._db, document), documents.get(self._db, by)
        if document == by:
            raise BenchError("A document cannot take its own place: choose the newer text.")
        moved: list[str] = []
        left: list[str] = []
        ids = [item for item, _ in document_use.standing_on(self._db, [document])]
        for item in items.load_items(self._db, ids):
            there = move(item, old, new)
            edited = items.edit(self._db, there, name) if there else None
            (moved if edited else left).append(item.id)
        if not left:
            document_changes.change(self._db, [document], "removed_at", current_time(), name)
        return Replacement(moved, left, not left)


def move(item: Item, old: Document, new: Document) -> Item | None:
    """The item on the newer text; None when a piece of its evidence does not stand there exactly once."""
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
    given = tuple(new.id if one == old.id else one for one in item.given)
    return replace(item, evidence=tuple(evidence), given=given)


def _name(person: str) -> str:
    if not person.strip():
        raise BenchError("A change of the corpus wants a name: give yours first.")
    return person.strip()
