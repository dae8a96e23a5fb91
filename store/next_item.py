"""Who gets which item next. It is looked for beside the writer, in the queue's order; the writer takes the first of the found
ones that is still free, so that two people never get one place, and a search holds nobody's writes up."""

from typing import Any

from store.columns import Fetch, fetching
from store.database import Cursor, Database
from store.kind import Kind, condition
from store.leases import blocked, drop, free_places, later, take
from store.queue import WAITING

AT_ONCE = 24
"""Items that one search finds; others may be quicker on the first ones."""
TRIES = 50
"""Searches, each of which found only items that others had taken by then."""


def claim(
    database: Database, kind: Kind, person: str, *, at: str, minutes: float, after: str | None = None
) -> str | None:  # fmt: skip
    """The waiting item of the kind that is this person's next, held by that person from now on. Without `after`: what the
    person held last and nobody took since. Else the first free one in this order: given to this person by name, of the lowest
    place, of the same document as `after`, behind `after` (round again at the end), the oldest; `after` is let go. None when
    nothing (else) is free; then nothing is let go."""
    until = later(at, minutes)

    def write(cursor: Cursor) -> str | None:
        fetch = fetching(cursor)
        found = next((one for one in candidates if free_places(fetch, one, person, at) > 0), None)
        if found is not None:
            take(cursor, found, person, at, until)
            if after is not None:
                drop(cursor, person, after)
        return found

    for _ in range(TRIES):
        candidates = free(database.rows, kind, person, at, after, AT_ONCE)
        if not candidates:
            return None
        found = database.write(write)
        if found is not None:
            return found
    return None


def free(fetch: Fetch, kind: Kind, person: str, at: str, after: str | None = None, limit: int = 1) -> list[str]:
    """As claim, but nothing is held or let go: the items in order, at most so many."""
    where, params = condition(kind)
    where = f"s.status = '{WAITING}' AND s.given < s.wanted AND {where}"
    if taken := blocked(fetch, person, at):
        where, params = f"{where} AND s.item NOT IN (SELECT unnest(?::VARCHAR[]))", [*params, taken]
    if fetch("SELECT 1 FROM opinion WHERE person = ? LIMIT 1", [person]):
        where, params = f"{where} AND s.item NOT IN (SELECT item FROM opinion WHERE person = ?)", [*params, person]
    if after is None and person:
        own = fetch(
            f"""
            SELECT s.item
            FROM lease l
            JOIN state s ON s.item = l.item
            WHERE l.person = ? AND {where}
            ORDER BY l.taken_at DESC, s.number
            LIMIT 1
            """,
            [person, *params],
        )
        if own:
            return [str(own[0][0])]
    order: list[str] = []
    values: list[Any] = []
    if fetch("SELECT 1 FROM assignment WHERE person = ? LIMIT 1", [person]):
        order.append("s.item NOT IN (SELECT item FROM assignment WHERE person = ?)")
        values.append(person)
    order.append("s.place")
    here = fetch("SELECT number, document FROM state WHERE item = ?", [after]) if after is not None else []
    if here:
        [(number, document)] = here
        where, params = f"{where} AND s.item <> ?", [*params, after]
        order += ["NOT coalesce(s.document = ? AND s.number > ?, false)", "s.number < ?"]
        values += [document, number, number]
    rows = fetch(f"SELECT s.item FROM state s WHERE {where} ORDER BY {', '.join([*order, 's.number'])} LIMIT {limit}",
                 [*params, *values])  # fmt: skip
    return [str(row[0]) for row in rows]
