"""Items that a person skipped, and why: they come to that person again when nothing else is free."""

from typing import NamedTuple

from store.engine.columns import Fetch, replace_surrogates
from store.engine.database import Database
from store.queue.queue import WAITING_STATUS

_STANDS = f"FROM skip k JOIN state s ON s.item = k.item AND s.revision = k.revision AND s.status = '{WAITING_STATUS}'"


class Skip(NamedTuple):
    """One person passed one item over."""

    id: str
    """The press's idempotency key."""
    item: str
    revision: int
    person: str
    reason: str
    at: str
    """UTC, ISO format."""


def add(database: Database, skip: Skip) -> None:
    """Store it; the same id again stores nothing."""
    row = [skip.id, skip.item, skip.revision, replace_surrogates(skip.person), replace_surrogates(skip.reason), skip.at]
    database.write(lambda cursor: cursor.execute("INSERT INTO skip VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row))


def list_skipped_items(database: Database, fetch: Fetch, person: str) -> list[str]:
    """The items that wait and that this person skipped in the words that they have."""
    if not database.has_any("skip"):
        return []
    return [row[0] for row in fetch(f"SELECT DISTINCT k.item {_STANDS} WHERE k.person = ?", [person])]


def list_current_skips(database: Database) -> list[Skip]:
    """The last skip of each person on each item that still waits in those words, the newest first."""
    rows = database.rows(
        f"""
        SELECT k.id, k.item, k.revision, k.person, k.reason, k.made_at
        {_STANDS}
        QUALIFY row_number() OVER (PARTITION BY k.item, k.person ORDER BY k.made_at DESC, k.id) = 1
        ORDER BY k.made_at DESC, k.id
        """
    )
    return [Skip(*row) for row in rows]
