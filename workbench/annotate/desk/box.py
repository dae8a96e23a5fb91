"""What a person types in a box beside an item and has not sent: kept as it is typed, whatever its length."""

from core.errors import BenchError
from store.engine.database import Database
from store.reviews import unsent_edits
from store.reviews.unsent_edits import UnsentEdit


def keep(database: Database, words: UnsentEdit, since: str | None = None) -> str:
    """Keep it in the place of what was there; returns when. `since` as in store/reviews/unsent_edits.py. Raises EditedElsewhere
    when the person typed other words in another tab, BenchError when there is no such item, or no name."""
    if not words.person.strip():
        raise BenchError("What you type is kept under your name: give it first.")
    kept = unsent_edits.put(database, words, since=since)
    if kept is None:
        raise BenchError(f"No item {words.item} in this workspace: what you typed stays on the screen alone.")
    return kept.at
