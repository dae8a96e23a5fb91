"""Leases: who holds which item until when, so that no item is more people's than are wanted on it; and whom one was given to.
All that changes one runs on the writer thread, one after the other. A lease past its time is none, nor is one that outlasts
any, as a clock that was put back leaves it: so nothing blocks the queue for ever."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from store.engine.columns import Fetch, fetch_from, insert_row, insert_rows, pair_key, replace_surrogates
from store.engine.database import Cursor, Database
from store.queue.queue import IS_QUEUED, WAITING_STATUS

MAX_LEASE_MINUTES = 24 * 60
"""Minutes that a lease may last."""
NONE_SO_LONG = MAX_LEASE_MINUTES + 60
"""Minutes ahead beyond which a lease is from a clock that was put back, and not from another request's slightly later time."""
RENEWED_AFTER = 0.1
"""A lease is written again when this share of its time is gone: not with every key."""
_LEASE = ("key", "item", "person", "until", "taken_at")
_ASSIGNMENT = {"key": "VARCHAR", "item": "VARCHAR", "person": "VARCHAR", "assigned_by": "VARCHAR", "made_at": "VARCHAR"}
_LIVE_CONDITION = "until > ? AND until <= ?"
_HELD = """
    SELECT item, person, until, taken_at FROM lease {where}
    UNION ALL
    SELECT item, person, '', made_at FROM assignment {where}
    """
_CLAIMS = f"""
    claim AS (
        SELECT item, person FROM lease WHERE person <> ? AND {_LIVE_CONDITION}
        UNION
        SELECT item, person FROM assignment WHERE person <> ?
        EXCEPT
        SELECT item, person FROM opinion
    )"""
"""Who else holds or was given which item, and has yet to give an opinion."""


class Lease(NamedTuple):
    """One person's hold of one item."""

    item: str
    person: str
    until: str
    """UTC, ISO format; "" = without end: the item was given to that person by name."""
    taken_at: str
    """UTC, ISO format."""

    @property
    def is_given(self) -> bool:
        return not self.until


class Assignment(NamedTuple):
    """An item that was given to a person by name."""

    item: str
    person: str
    by: str
    at: str
    """UTC, ISO format."""


class EndedLease(NamedTuple):
    """A lease that somebody else ended."""

    item: str
    person: str
    """Who had held it."""
    by: str
    what: Literal["taken over", "released", "given away"]
    at: str
    """UTC, ISO format."""


def list_blocked_items(fetch: Fetch, person: str, at: str) -> list[str]:
    """The waiting items all whose places are taken by others who hold them, or whom they were given to."""
    return [
        row[0]
        for row in fetch(
            f"""
            WITH {_CLAIMS}
            SELECT c.item
            FROM claim c
            JOIN state s ON s.item = c.item
            WHERE s.status = '{WAITING_STATUS}' AND s.given < s.wanted
            GROUP BY c.item, s.wanted, s.given
            HAVING count(*) >= s.wanted - s.given
            """,
            [person, *_live_parameters(at), person],
        )
    ]


def load_leases_on(fetch: Fetch, item: str) -> list[Lease]:
    """Everybody's leases on that item, this person's own and those past their time among them; whom it was given to holds it,
    with no time."""
    return [Lease(*row) for row in fetch(_HELD.format(where="WHERE item = ?"), [item, item])]


def load_leases(fetch: Fetch) -> list[Lease]:
    """As on, of all items."""
    return [Lease(*row) for row in fetch(_HELD.format(where=""), [])]


def count_free_places(fetch: Fetch, item: str, person: str, at: str, on_it: Sequence[Lease]) -> int:
    """How many of the people wanted on a waiting item are missing, this person among them; 0 when this person is no more
    wanted, or the item waits for no opinion."""
    rows = fetch("SELECT wanted, given FROM state WHERE item = ? AND status = ? AND given < wanted", [item, WAITING_STATUS])
    if not rows:
        return 0
    [(wanted, given)] = rows
    if given and fetch("SELECT 1 FROM opinion WHERE key = ?", [pair_key(person, item)]):
        return 0
    return int(wanted - given) - len(list_claims(fetch, item, person, at, on_it))


def hold(database: Database, item: str, person: str, *, at: str, minutes: float, between: bool = False) -> Lease | None:
    """Take a waiting item that is free, or renew one's own lease; somebody else's stays. What waits for no more opinions is
    only taken to decide `between` those. Returns the lease that keeps this person from deciding, None when there is none."""
    until = add_minutes(at, minutes)
    mine = _load_own_lease(database.rows, item, person)
    if mine is not None and _is_fresh(mine, at, minutes):
        return None

    def write(cursor: Cursor) -> Lease | None:
        fetch = fetch_from(cursor)
        other = find_blocking_lease(fetch, item, person, at)
        sql = "SELECT 1 FROM state WHERE item = ? AND status = ? AND (given < wanted OR ?)"
        if other is None and fetch(sql, [item, WAITING_STATUS, between or mine is not None]):
            take(cursor, item, person, at, until)
        return other

    return find_blocking_lease(database.rows, item, person, at) or database.write(write)


def is_fresh(database: Database, item: str, person: str, *, at: str, minutes: float) -> bool:
    """Whether the person holds it, and need not write that again."""
    mine = _load_own_lease(database.rows, item, person)
    return mine is not None and _is_fresh(mine, at, minutes)


def find_blocking_lease(fetch: Fetch, item: str, person: str, at: str, on_it: Sequence[Lease] | None = None) -> Lease | None:
    """The lease of somebody else that keeps this person from the item; None when there is none. On an item whose opinions are
    all in, whoever holds it to decide between them is alone with it."""
    others = list_claims(fetch, item, person, at, on_it)
    if not others:
        return None
    own = pair_key(person, item)
    [(places,)] = fetch(
        """
        SELECT coalesce(any_value(wanted - given), 1) + (SELECT count(*) FROM opinion WHERE key = ?)
        FROM state WHERE item = ?
        """,
        [own, item],
    )
    return others[0] if len(others) >= max(1, places) else None


def find_blockers(fetch: Fetch, wanted: Sequence[str], person: str, at: str) -> dict[str, str]:
    """As in_the_way, of many items with one query: item -> one of those who keep this person from it."""
    rows = fetch(
        f"""
        WITH {_CLAIMS}
        SELECT c.item, min(c.person)
        FROM claim c
        JOIN state s ON s.item = c.item
        WHERE c.item IN (SELECT unnest(?::VARCHAR[]))
        GROUP BY c.item, s.wanted, s.given
        HAVING count(*) >= greatest(
            1, s.wanted - s.given + (SELECT count(*) FROM opinion o WHERE o.item = c.item AND o.person = ?)
        )
        """,
        [person, *_live_parameters(at), person, list(wanted), person],
    )
    return dict(rows)


def list_claims(fetch: Fetch, item: str, person: str, at: str, on_it: Sequence[Lease] | None = None) -> list[Lease]:
    """The leases of others on it who have yet to give their opinion, the longest first; whom it was given to holds it, with no
    time. `on_it` are all leases on it where they were read."""
    theirs = select_live(load_leases_on(fetch, item) if on_it is None else on_it, person, at)
    if not theirs:
        return []
    done = {row[0] for row in fetch("SELECT person FROM opinion WHERE item = ?", [item])}
    others = sorted({one.person for one in theirs} - done)
    found = [
        Lease(
            item,
            name,
            max(one.until for one in theirs if one.person == name),
            min(one.taken_at for one in theirs if one.person == name),
        )
        for name in others
    ]
    return sorted(found, key=lambda lease: lease.until, reverse=True)


def select_live(on_it: Iterable[Lease], person: str, at: str) -> list[Lease]:
    """Those of the leases that others have now."""
    now, longest = _live_parameters(at)
    return [one for one in on_it if one.person != replace_surrogates(person) and (one.is_given or now < one.until <= longest)]


def list_deciding_items(fetch: Fetch, person: str, at: str) -> list[str]:
    """The items whose opinions are all in, and that others hold to decide between them."""
    return [
        row[0]
        for row in fetch(
            f"""
            WITH {_CLAIMS}
            SELECT DISTINCT c.item
            FROM claim c
            JOIN state s ON s.item = c.item
            WHERE s.status = '{WAITING_STATUS}' AND s.given >= s.wanted
            """,
            [person, *_live_parameters(at), person],
        )
    ]


def take_over(database: Database, item: str, person: str, *, at: str, minutes: float) -> list[str]:
    """End the leases of all others on the item, and what others were given of it, which is on record from then on, and hold it;
    returns whose they were."""
    until = add_minutes(at, minutes)

    def write(cursor: Cursor) -> list[str]:
        others = [
            EndedLease(item, one.person, person, "taken over", at) for one in list_claims(fetch_from(cursor), item, person, at)
        ]
        _end(cursor, others)
        take(cursor, item, person, at, until)
        return [ended.person for ended in others]

    return database.write(write)


def assign(database: Database, wanted: Sequence[str], person: str, *, by: str, at: str, instead_of: str = "") -> list[str]:
    """Give waiting items to a person by name, in the place of somebody else when one is named: they are that person's next, and
    nobody else gets that place. Returns those that were given; what waits for no opinion of theirs is left out."""
    return database.write(lambda cursor: insert_assignments(cursor, wanted, person, by=by, at=at, instead_of=instead_of))


def insert_assignments(
    cursor: Cursor, wanted: Sequence[str], person: str, *, by: str, at: str, instead_of: str = ""
) -> list[str]:
    """As assign, within a transaction of the caller's."""
    fetch = fetch_from(cursor)
    among = "s.item IN (SELECT unnest(?::VARCHAR[]))"
    sql = f"SELECT s.item FROM state s WHERE {among} AND s.status = ? AND s.given < s.wanted AND {IS_QUEUED}"
    waiting = {row[0] for row in fetch(sql, [list(wanted), WAITING_STATUS])}
    mine = {row[0] for row in fetch("SELECT item FROM opinion WHERE person = ?", [person])}
    given = [item for item in dict.fromkeys(wanted) if item in waiting and item not in mine]
    if instead_of and instead_of != person:
        _end(cursor, [EndedLease(item, instead_of, by, "given away", at) for item in given])
    rows = [(pair_key(person, item), item, person, by, at) for item in given]
    insert_rows(cursor, "assignment", _ASSIGNMENT, rows)
    return given


def list_assignments(database: Database) -> list[Assignment]:
    """What was given to whom and still waits for them, by person, the oldest first."""
    sql = "SELECT item, person, assigned_by, made_at FROM assignment ORDER BY person, made_at, item"
    return [Assignment(*row) for row in database.rows(sql)]


def unassign(database: Database, wanted: Sequence[str], person: str) -> list[str]:
    """What was given to that person by name waits for anybody again; returns the items."""
    return database.write(lambda cursor: remove_assignments(cursor, wanted, person))


def remove_assignments(cursor: Cursor, wanted: Sequence[str], person: str) -> list[str]:
    """As take_back, within a transaction of the caller's."""
    keys = [pair_key(person, item) for item in wanted]
    sql = "DELETE FROM assignment WHERE key IN (SELECT unnest(?::VARCHAR[])) RETURNING item"
    return [row[0] for row in cursor.execute(sql, [keys]).fetchall()]


def release_items(database: Database, person: str, *, by: str, at: str, item: str | None = None) -> list[str]:
    """Let go of that person's item, or of all that the person holds; returns the items. On record when it is somebody else."""

    def write(cursor: Cursor) -> list[str]:
        sql = f"SELECT item FROM lease WHERE person = ? AND {_LIVE_CONDITION} ORDER BY taken_at, item"
        mine = fetch_from(cursor)(sql, [person, *_live_parameters(at)])
        ended = [EndedLease(name, person, by, "released", at) for (name,) in mine if item in (None, name)]
        _end(cursor, [one for one in ended if one.person != by])
        for one in ended:
            drop_lease(cursor, person, one.item)
        return [one.item for one in ended]

    return database.write(write)


def end_many_claims(cursor: Cursor, person: str, items: Sequence[str]) -> None:
    """As done, of many items."""
    keys = [pair_key(person, item) for item in items]
    for table in ("lease", "assignment"):
        cursor.execute(f"DELETE FROM {table} WHERE key IN (SELECT unnest(?::VARCHAR[]))", [keys])


def drop_lease(cursor: Cursor, person: str, item: str) -> None:
    """Let go of it, within a transaction of the caller's; what was given by name stays given."""
    cursor.execute("DELETE FROM lease WHERE key = ?", [pair_key(person, item)])


def end_leases(cursor: Cursor, gone: Iterable[Lease]) -> None:
    """Those neither hold their items any more, nor are they given."""
    for one in gone:
        table = "assignment" if one.is_given else "lease"
        cursor.execute(f"DELETE FROM {table} WHERE key = ?", [pair_key(one.person, one.item)])


def end_claims(cursor: Cursor, person: str, item: str) -> None:
    """This person has decided on it: it is neither held nor given any more."""
    key = pair_key(person, item)
    drop_lease(cursor, person, item)
    cursor.execute("DELETE FROM assignment WHERE key = ?", [key])


def list_held(database: Database, *, at: str) -> list[Lease]:
    """Who holds what, by person, the oldest first."""
    sql = f"SELECT item, person, until, taken_at FROM lease WHERE {_LIVE_CONDITION} ORDER BY person, taken_at, item"
    return [Lease(*row) for row in database.rows(sql, _live_parameters(at))]


def list_ended(database: Database, limit: int = 20) -> list[EndedLease]:
    """The leases that somebody else ended, the newest first."""
    sql = "SELECT item, person, ended_by, what, made_at FROM lease_end ORDER BY number DESC LIMIT ?"
    return [EndedLease(*row) for row in database.rows(sql, [limit])]


def add_minutes(at: str, minutes: float) -> str:
    """That many minutes after a time in ISO format."""
    return (datetime.fromisoformat(at) + timedelta(minutes=minutes)).isoformat(timespec="milliseconds")


def _live_parameters(at: str) -> list[str]:
    """The parameters of that condition."""
    return [at, add_minutes(at, NONE_SO_LONG)]


def _load_own_lease(fetch: Fetch, item: str, person: str) -> Lease | None:
    rows = fetch("SELECT item, person, until, taken_at FROM lease WHERE key = ?", [pair_key(person, item)])
    return Lease(*rows[0]) if rows else None


def _is_fresh(mine: Lease, at: str, minutes: float) -> bool:
    return add_minutes(at, minutes * (1 - RENEWED_AFTER)) < mine.until <= add_minutes(at, minutes)


def take(cursor: Cursor, item: str, person: str, at: str, until: str, held: Sequence[Lease] | None = None) -> None:
    """Hold it, whether it was held or not; what others left on it past its time goes, and whatever outlasts any lease. `held`
    are all leases where they were read."""
    key, (_, longest) = pair_key(person, item), _live_parameters(at)
    leases = [one for one in (load_leases(fetch_from(cursor)) if held is None else held) if not one.is_given]
    is_own = any((one.item, one.person) == (item, replace_surrogates(person)) for one in leases)
    end_leases(
        cursor,
        (
            one
            for one in leases
            if (one.item, one.person) != (item, replace_surrogates(person))
            and (one.until > longest or (one.item == item and one.until <= at))
        ),
    )
    if is_own:
        went_on = "CASE WHEN taken_at <= ? AND ? < until THEN taken_at ELSE ? END"
        cursor.execute(f"UPDATE lease SET taken_at = {went_on}, until = ? WHERE key = ?", [at, at, at, until, key])
    else:
        insert_row(cursor, "lease", _LEASE, (key, item, person, until, at))


def _end(cursor: Cursor, gone: Sequence[EndedLease]) -> None:
    """Put the ends on record, and let go."""
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM lease_end").fetchall()[0]
    for number, one in enumerate(gone, last + 1):
        row = [number, one.item, one.person, replace_surrogates(one.by), one.what, one.at]
        cursor.execute("INSERT INTO lease_end (number, item, person, ended_by, what, made_at) VALUES (?, ?, ?, ?, ?, ?)", row)
        end_claims(cursor, one.person, one.item)
