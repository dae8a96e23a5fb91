"""Store which items a person skipped, with the reasons that the person gave. The queue gives a skipped item to that person
again only when no other item is free."""

from typing import NamedTuple

from store.engine.columns import Fetch, Timestamp
from store.engine.database import Database
from store.queue.queue import WAITING_STATUS

_WAITING = f"FROM skip k JOIN state s ON s.item = k.item AND s.revision = k.revision AND s.status = '{WAITING_STATUS}'"
"""SQL query for skips of items that still wait for a decision and have not been edited since the skip."""


class Skip(NamedTuple):
    """One person's skip of one item, with the reason."""

    id: str
    """Key that the click on the skip button sends, so that one click is stored only once."""
    item: str
    revision: int
    person: str
    reason: str
    at: Timestamp


def add(database: Database, skip: Skip) -> None:
    """Store a skip; storing a skip with the same id again changes nothing."""
    database.execute("INSERT INTO skip VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", skip)


def list_skipped_items(database: Database, fetch: Fetch, person: str) -> list[str]:
    """Return the ids of the waiting items that the person skipped and that were not edited since."""
    if not database.has_any("skip"):
        return []
    return [row[0] for row in fetch(f"SELECT DISTINCT k.item {_WAITING} WHERE k.person = ?", [person])]


def list_current_skips(database: Database) -> list[Skip]:
    """Return each person's last skip of each item that is still waiting and was not edited since, newest first."""
    rows = database.rows(
        f"""
        SELECT k.id, k.item, k.revision, k.person, k.reason, k.made_at {_WAITING}
        QUALIFY row_number() OVER (PARTITION BY k.item, k.person ORDER BY k.made_at DESC, k.id) = 1
        ORDER BY k.made_at DESC, k.id
        """
    )
    return [Skip(*row) for row in rows]
