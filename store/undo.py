"""Undo: a person's last decision on an item is taken back, by a review of its own. Nothing is deleted: after the undo of an
edit the new words stay the current revision, and wait for a decision."""

from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Review
from store.columns import Fetch, fetching, now
from store.database import Cursor, Database
from store.reviews import append, of_id

FAR = 200
"""Decisions of a person that are looked through for one that stands."""


class Last(NamedTuple):
    """The decision that an undo would take back."""

    item: str
    number: int
    revision: int
    """The revision decided on."""
    current: int
    """The item's revision now."""


def last(database: Database, person: str) -> Last | None:
    """That person's last decision on an item that stands; None when there is none."""
    return _last(database.rows, person)


def undo(database: Database, person: str, key: str, item: str | None = None) -> str:
    """Take back that person's last decision; returns its item, which is again what it was when its revision landed. The same
    key again does nothing more. With `item` only a decision on that one is taken back. Raises BenchError when there is nothing
    to take back, or others built on it since."""
    at = now()
    outcome = database.write(lambda cursor: _undo(cursor, person, key, item, at))
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def _undo(cursor: Cursor, person: str, key: str, item: str | None, at: str) -> str | BenchError:
    """Errors are returned, not raised: nothing was written, and other writes of this transaction go on."""
    fetch = fetching(cursor)
    stored = of_id(fetch, key)
    if stored is not None:
        if (stored.person, stored.decision) != (person, "undo"):
            return BenchError(f"The key {key} belongs to another decision already: give each undo a key of its own.")
        return stored.item
    found = _last(fetch, person)
    if found is None:
        return BenchError(f"{person} has no decision that could be undone.")
    if item is not None and item != found.item:
        return BenchError("Your last decision is another one by now, made elsewhere: look at it before you undo it.")
    trouble = _since(fetch, person, found)
    if trouble:
        return BenchError(trouble)
    cursor.execute(
        """
        UPDATE state
        SET status = (SELECT r.status FROM revision r WHERE r.key = ?)
        WHERE item = ?
        """,
        [f"{found.item}@{found.current}", found.item],
    )
    append(cursor, Review(key, found.item, found.current, person, "undo", at=at))
    return found.item


def _since(fetch: Fetch, person: str, found: Last) -> str:
    """Who did what to the item after that decision, as the sentence that refuses; "" when nobody."""
    sql = "SELECT person FROM review WHERE item = ? AND number > ? AND person <> ? ORDER BY number DESC LIMIT 1"
    others: list[tuple[Any, ...]] = fetch(sql, [found.item, found.number, person])
    if others:
        return f"{others[0][0]} decided on {found.item} after you: it cannot be undone any more, open the item to decide again."
    if found.current == found.revision:
        return ""
    [(maker,)] = fetch("SELECT made_by FROM revision WHERE key = ?", [f"{found.item}@{found.current}"])
    if maker == person:
        return ""
    return f"{found.item} has a newer revision by {maker}: it cannot be undone any more, open the item to decide again."


def _last(fetch: Fetch, person: str) -> Last | None:
    """In three small queries: joined into one it takes four times as long."""
    mine = fetch(
        """
        SELECT item, number, revision
        FROM review
        WHERE person = ? AND decision <> 'undo'
        ORDER BY number DESC
        LIMIT ?
        """,
        [person, FAR],
    )
    undone: dict[str, int] = dict(fetch("SELECT item, max(number) FROM review WHERE decision = 'undo' GROUP BY item", []))
    for item, number, revision in mine:
        if number > undone.get(item, 0):
            current = fetch("SELECT revision FROM state WHERE item = ?", [item])
            if current:  # a variant has no such row, and is decided elsewhere
                return Last(item, number, revision, current[0][0])
    return None
