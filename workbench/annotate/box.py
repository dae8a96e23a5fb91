"""What a person types in a box beside an item and has not sent: kept as it is typed, whatever its length."""

from core.errors import BenchError
from store import scratch
from store.database import Database
from store.scratch import Scratch


def keep(database: Database, words: Scratch, since: str | None = None) -> str:
    """Keep it in the place of what was there; returns when. `since` as in store/scratch.py. Raises Elsewhere when the person
    typed other words in another tab, BenchError when there is no such item, or no name."""
    if not words.person.strip():
        raise BenchError("What you type is kept under your name: give it first.")
    kept = scratch.put(database, words, since=since)
    if kept is None:
        raise BenchError(f"No item {words.item} in this workspace: what you typed stays on the screen alone.")
    return kept.at
