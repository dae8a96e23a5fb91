"""Leases: who holds which item until when, so that no item is two people's. All that changes one runs on the writer thread, one
after the other. A lease past its time is none, nor is one that outlasts any, as a clock that was put back leaves it: so nothing
blocks the queue for ever."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from store.columns import Fetch, fetching, pair_key, storable
from store.database import Cursor, Database
from store.queue import WAITING, Kind, matching

WANTED = 1
"""People who may hold one item at the same time."""
LONGEST = 24 * 60
"""Minutes that a lease may last."""
RENEWED_AFTER = 0.1
"""A lease is written again when this share of its time is gone: not with every key."""


class Lease(NamedTuple):
    """One person's hold of one item."""

    item: str
    person: str
    until: str
    """UTC, ISO format."""
    taken_at: str
    """UTC, ISO format."""


class Ended(NamedTuple):
    """A lease that somebody else ended."""

    item: str
    person: str
    """Who had held it."""
    by: str
    what: Literal["taken over", "released"]
    at: str
    """UTC, ISO format."""


def claim(
    database: Database, kind: Kind, person: str, *, at: str, minutes: float, after: str | None = None
) -> str | None:  # fmt: skip
    """The waiting item of the kind that is this person's next, held by that person from now on. Without `after`: what the
    person held last and nobody took since, else the first that nobody else holds. With it: the next one behind that item, round
    again at the end, and that item is let go. None when nothing (else) is free; then nothing is let go."""
    until = later(at, minutes)

    def write(cursor: Cursor) -> str | None:
        fetch = fetching(cursor)
        found = free(fetch, kind, person, at, after)
        if found is not None:
            _take(cursor, found, person, at, until)
            if after is not None:
                drop(cursor, person, after)
        return found

    return database.write(write)


def free(fetch: Fetch, kind: Kind, person: str, at: str, after: str | None = None) -> str | None:
    """As claim, but nothing is held or let go."""
    where, params = matching(kind)
    if taken := full(fetch, person, at):
        where, params = f"{where} AND s.item NOT IN (SELECT unnest(?::VARCHAR[]))", [*params, taken]
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
            return str(own[0][0])
    if after is not None:
        sql = f"""
            SELECT s.item
            FROM state s
            WHERE {where} AND s.number > (SELECT number FROM state WHERE item = ?)
            ORDER BY s.number
            LIMIT 1
            """
        rows = fetch(sql, [*params, after])
        if rows:
            return str(rows[0][0])
        where, params = f"{where} AND s.item <> ?", [*params, after]
    rows = fetch(f"SELECT s.item FROM state s WHERE {where} ORDER BY s.number LIMIT 1", params)
    return str(rows[0][0]) if rows else None


def full(fetch: Fetch, person: str, at: str) -> list[str]:
    """The items that as many others hold as may hold one: they are not free for this person."""
    sql = f"SELECT item FROM lease WHERE person <> ? AND {_LIVE} GROUP BY item HAVING count(*) >= ?"
    return [row[0] for row in fetch(sql, [person, *_live(at), WANTED])]


def hold(database: Database, item: str, person: str, *, at: str, minutes: float) -> Lease | None:
    """Take a waiting item that is free, or renew one's own lease; somebody else's stays. Returns the lease that keeps this
    person from deciding, None when there is none."""
    until = later(at, minutes)
    mine = _own(database.rows, item, person)
    if mine is not None and mine.until > later(at, minutes * (1 - RENEWED_AFTER)) and mine.until <= until:
        return None

    def write(cursor: Cursor) -> Lease | None:
        fetch = fetching(cursor)
        other = in_the_way(fetch, item, person, at)
        if other is None and fetch("SELECT 1 FROM state WHERE item = ? AND status = ?", [item, WAITING]):
            _take(cursor, item, person, at, until)
        return other

    return in_the_way(database.rows, item, person, at) or database.write(write)


def in_the_way(fetch: Fetch, item: str, person: str, at: str) -> Lease | None:
    """The lease of somebody else that keeps this person from the item; None when there is none."""
    sql = f"SELECT item, person, until, taken_at FROM lease WHERE item = ? AND person <> ? AND {_LIVE} ORDER BY until DESC"
    others = fetch(sql, [item, person, *_live(at)])
    return Lease(*others[0]) if len(others) >= WANTED else None


def take_over(database: Database, item: str, person: str, *, at: str, minutes: float) -> list[str]:
    """End the leases of all others on the item, which is on record from then on, and hold it; returns whose they were."""
    until = later(at, minutes)

    def write(cursor: Cursor) -> list[str]:
        sql = f"SELECT item, person FROM lease WHERE item = ? AND person <> ? AND {_LIVE} ORDER BY person"
        theirs = fetching(cursor)(sql, [item, person, *_live(at)])
        others = [Ended(name, owner, person, "taken over", at) for name, owner in theirs]
        _end(cursor, others)
        _take(cursor, item, person, at, until)
        return [ended.person for ended in others]

    return database.write(write)


def release(database: Database, person: str, *, by: str, at: str, item: str | None = None) -> list[str]:
    """Let go of that person's item, or of all that the person holds; returns the items. On record when it is somebody else."""

    def write(cursor: Cursor) -> list[str]:
        sql = f"SELECT item FROM lease WHERE person = ? AND {_LIVE} ORDER BY taken_at, item"
        mine = fetching(cursor)(sql, [person, *_live(at)])
        ended = [Ended(name, person, by, "released", at) for (name,) in mine if item in (None, name)]
        _end(cursor, [one for one in ended if one.person != by])
        for one in ended:
            drop(cursor, person, one.item)
        return [one.item for one in ended]

    return database.write(write)


def drop(cursor: Cursor, person: str, item: str) -> None:
    """Let go of it, within a transaction of the caller's."""
    cursor.execute("DELETE FROM lease WHERE key = ?", [pair_key(person, item)])


def held(database: Database, *, at: str) -> list[Lease]:
    """Who holds what, by person, the oldest first."""
    sql = f"SELECT item, person, until, taken_at FROM lease WHERE {_LIVE} ORDER BY person, taken_at, item"
    return [Lease(*row) for row in database.rows(sql, _live(at))]


def ended(database: Database, limit: int = 20) -> list[Ended]:
    """The leases that somebody else ended, the newest first."""
    sql = "SELECT item, person, ended_by, what, made_at FROM lease_end ORDER BY number DESC LIMIT ?"
    return [Ended(*row) for row in database.rows(sql, [limit])]


def later(at: str, minutes: float) -> str:
    """That many minutes after a time in ISO format."""
    return (datetime.fromisoformat(at) + timedelta(minutes=minutes)).isoformat(timespec="milliseconds")


_LIVE = "until > ? AND until <= ?"


def _live(at: str) -> list[str]:
    """The parameters of that condition."""
    return [at, later(at, LONGEST)]


def _own(fetch: Fetch, item: str, person: str) -> Lease | None:
    rows = fetch("SELECT item, person, until, taken_at FROM lease WHERE key = ?", [pair_key(person, item)])
    return Lease(*rows[0]) if rows else None


def _take(cursor: Cursor, item: str, person: str, at: str, until: str) -> None:
    """Hold it, whether it was held or not; what others left on it past its time goes, and whatever outlasts any lease."""
    sql = "DELETE FROM lease WHERE (item = ? AND person <> ? AND until <= ?) OR until > ?"
    cursor.execute(sql, [item, person, *_live(at)])
    cursor.execute(
        """
        INSERT INTO lease (key, item, person, until, taken_at)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET
            taken_at = CASE
                WHEN taken_at <= excluded.taken_at AND excluded.taken_at < until THEN taken_at ELSE excluded.taken_at
            END,
            until = excluded.until
        """,
        [pair_key(person, item), storable(item), storable(person), until, at],
    )


def _end(cursor: Cursor, gone: Sequence[Ended]) -> None:
    """Put the ends on record, and let go."""
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM lease_end").fetchall()[0]
    for number, one in enumerate(gone, last + 1):
        row = [number, one.item, one.person, storable(one.by), one.what, one.at]
        cursor.execute("INSERT INTO lease_end (number, item, person, ended_by, what, made_at) VALUES (?, ?, ?, ?, ?, ?)", row)
        drop(cursor, one.person, one.item)
