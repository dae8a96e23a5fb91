"""Store a person's unsent edits of an item while the person types; their length has no limit."""

from core.errors import BenchError
from store.engine.database import Database
from store.reviews import unsent_edits
from store.reviews.unsent_edits import UnsentEdit


def keep_edits(database: Database, edits: UnsentEdit, since: str | None = None) -> str:
    """Store the unsent edits instead of the person's earlier ones; return the time of storing.

    `since` is the time of the stored text that this browser tab has loaded, as in store/reviews/unsent_edits.py. Raises
    EditedElsewhere if another tab has stored a different text in the meantime, and BenchError if the item does not exist or the
    person gives no name."""
    if not edits.person.strip():
        raise BenchError("What you type is stored under your name: give your name first.")
    kept = unsent_edits.put(database, edits, since=since)
    if kept is None:
        raise BenchError(f"No item {edits.item} in this workspace: what you typed is only on the screen and is not stored.")
    return kept.at
