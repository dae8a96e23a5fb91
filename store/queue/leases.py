"""Store leases and assignments. A lease reserves an item for a person for a limited time, so that not too many people work on
it. An assignment reserves an item for a person without a time limit. All changes run one after the other on the thread that
writes. Two sorts of leases are ignored, so that no lease blocks the queue for ever: expired leases, and leases whose end is
impossibly late because the computer's clock was set back."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from store.engine.columns import Fetch, Timestamp, fetch_from, insert_row, insert_rows, pair_key, replace_surrogates
from store.engine.database import Cursor, Database, Source, follow
from store.engine.followers import Mirror
from store.queue.queue import IS_QUEUED, WAITING_STATUS
from store.queue.state_row import fetch_state_row

MAX_LEASE_MINUTES = 24 * 60
MAX_CREDIBLE_MINUTES = MAX_LEASE_MINUTES + 60
"""No lease made with the current clock ends more than this number of minutes from now; a lease with a later end is ignored."""
RENEWAL_SHARE = 0.1
"""Share of a lease's duration after which it is renewed, so that not every key press writes to the database."""
LIVE_CONDITION = "until > ? AND until <= ?"
"""SQL condition for rows of valid leases; `live_parameters` returns its parameters."""
CLAIMS = f"""
    claim AS (
        SELECT item, person FROM lease WHERE person <> ? AND {LIVE_CONDITION}
        UNION
        SELECT item, person FROM assignment WHERE person <> ?
        EXCEPT
        SELECT item, person FROM opinion
    )"""
"""SQL query for a WITH clause: (item, person) pairs of other people who have reserved an item, or to whom it is assigned, and
who have given no opinion on it. Parameters of the query: the person, `live_parameters`, and the person again."""


class Lease(NamedTuple):
    """One person's temporary reservation of one item."""

    item: str
    person: str
    until: Timestamp
    """Time at which the lease ends; "" if it has no end, because the item is assigned to the person."""
    taken_at: Timestamp

    @property
    def is_given(self) -> bool:
        return not self.until


class Assignment(NamedTuple):
    """Records that an item is reserved for a person without a time limit."""

    item: str
    person: str
    by: str
    at: Timestamp


class EndedLease(NamedTuple):
    """Records that a person ended another person's lease."""

    item: str
    person: str
    """Name of the person whose lease was ended."""
    by: str
    what: Literal["taken over", "released", "given away"]
    at: Timestamp


class OwnOpinion(NamedTuple):
    """Records that a person gave an opinion on an item that still waits for a decision."""

    item: str
    person: str


class LeaseMirror(Mirror[Lease]):
    """All leases in memory, including expired ones."""

    table, columns, row = "lease", Lease._fields, Lease
    key = indexes = ("item", "person")


class AssignmentMirror(Mirror[Assignment]):
    """All open assignments of items to people, in memory."""

    table, columns, row = "assignment", ("item", "person", "assigned_by", "made_at"), Assignment
    key = indexes = ("item", "person")


class OpinionMirror(Mirror[OwnOpinion]):
    """All opinions on waiting items as (item, person) pairs, in memory."""

    table, columns, row = "opinion", OwnOpinion._fields, OwnOpinion
    key = indexes = ("item", "person")


def has_opinion(source: Source, item: str, person: str) -> bool:
    """Check whether the person has given an opinion on the waiting item."""
    return follow(source, OpinionMirror).get(item, replace_surrogates(person)) is not None


def list_own_opinions(source: Source, person: str) -> set[str]:
    """Return the ids of the waiting items on which the person has given an opinion."""
    return {opinion.item for opinion in follow(source, OpinionMirror).list_having("person", replace_surrogates(person))}


def list_assigned(source: Source, person: str) -> set[str]:
    """Return the ids of the items that are assigned to the person."""
    return {given.item for given in follow(source, AssignmentMirror).list_having("person", replace_surrogates(person))}


def list_own_leases(source: Source, person: str) -> list[Lease]:
    """Return the leases of the person, including expired ones, latest first."""
    own = follow(source, LeaseMirror).list_having("person", replace_surrogates(person))
    return sorted(own, key=lambda lease: lease.taken_at, reverse=True)


def count_claims(source: Source, person: str, at: Timestamp) -> Counter[str]:
    """Return a dict from item to the number of other people who have a lease on it or an assignment to it, and who have given
    no opinion yet."""
    opinions = follow(source, OpinionMirror)
    claims = {(lease.item, lease.person) for lease in select_live(_list_all(source), person, at)}
    return Counter(item for item, name in claims if opinions.get(item, name) is None)


def load_leases_on(source: Source, item: str) -> list[Lease]:
    """Return all leases and assignments on the item, including the person's own and expired leases."""
    given = follow(source, AssignmentMirror).list_having("item", item)
    return [*follow(source, LeaseMirror).list_having("item", item), *map(_lease_from_assignment, given)]


def count_free_places(source: Source, item: str, person: str, at: Timestamp) -> int:
    """Return how many people, including this person, can still take the waiting item; 0 if the item needs no opinion from this
    person."""
    row = fetch_state_row(source, item)
    if row is None or not row.missing_opinions or has_opinion(source, item, person):
        return 0
    return row.missing_opinions - len(list_claims(source, item, person, at))


def hold(database: Database, item: str, person: str, *, at: Timestamp, minutes: float, between: bool = False) -> Lease | None:
    """Reserve a free waiting item for the person with a lease, or renew the person's lease. Return another person's lease if it
    prevents the reservation, otherwise None. If all needed opinions on the item are given, the item can be leased only with
    `between`, in order to decide between the opinions."""
    until = add_minutes(at, minutes)
    own = _find_own_lease(database, item, person)
    if own is not None and _is_fresh(own, at, minutes):
        return None

    def write(cursor: Cursor) -> Lease | None:
        other, row = find_blocking_lease(cursor, item, person, at), fetch_state_row(cursor, item)
        is_wanted = row is not None and (row.missing_opinions > 0 or between or own is not None)
        if other is None and row is not None and row.status == WAITING_STATUS and is_wanted:
            take(cursor, item, person, at, until)
        return other

    return find_blocking_lease(database, item, person, at) or database.write(write)


def is_fresh(database: Database, item: str, person: str, *, at: Timestamp, minutes: float) -> bool:
    """Check whether the person has a lease on the item that need not be renewed yet."""
    own = _find_own_lease(database, item, person)
    return own is not None and _is_fresh(own, at, minutes)


def find_blocking_lease(source: Source, item: str, person: str, at: Timestamp) -> Lease | None:
    """Return the lease of another person that prevents this person from taking the item, or None if there is none. Once all
    needed opinions on the item are given, only one person at a time can hold a lease on it, in order to decide between them."""
    others = list_claims(source, item, person, at)
    if not others:
        return None
    row = fetch_state_row(source, item)
    places = (1 if row is None else row.wanted - row.given) + has_opinion(source, item, person)
    return others[0] if len(others) >= max(1, places) else None


def find_blockers(fetch: Fetch, items: Sequence[str], person: str, at: Timestamp) -> dict[str, str]:
    """Return a dict from each item that `person` cannot take to the other people whose leases prevent this; one query serves
    many items."""
    sql = f"""
        WITH {CLAIMS}
        SELECT c.item, min(c.person)
        FROM claim c JOIN state s ON s.item = c.item
        WHERE c.item IN (SELECT unnest(?::VARCHAR[]))
        GROUP BY c.item, s.wanted, s.given
        HAVING count(*) >= greatest(
            1, s.wanted - s.given + (SELECT count(*) FROM opinion o WHERE o.item = c.item AND o.person = ?)
        )
        """
    return dict(fetch(sql, [person, *live_parameters(at), person, list(items), person]))


def list_claims(source: Source, item: str, person: str, at: Timestamp) -> list[Lease]:
    """Return the leases on the item that belong to other people who have given no opinion on it, the lease that ends last
    first. An assignment is returned as a lease without an end."""
    theirs = select_live(load_leases_on(source, item), person, at)
    claims = []
    for name in sorted({lease.person for lease in theirs}):
        if not has_opinion(source, item, name):
            own = [lease for lease in theirs if lease.person == name]
            claims.append(Lease(item, name, max(lease.until for lease in own), min(lease.taken_at for lease in own)))
    return sorted(claims, key=lambda lease: lease.until, reverse=True)


def select_live(leases: Iterable[Lease], person: str, at: Timestamp) -> list[Lease]:
    """Return the given leases that other people hold and that are valid at the time `at`."""
    now, longest = live_parameters(at)
    own = replace_surrogates(person)
    return [lease for lease in leases if lease.person != own and (lease.is_given or now < lease.until <= longest)]


def list_deciding_items(fetch: Fetch, person: str, at: Timestamp) -> list[str]:
    """Return the ids of the items on which all opinions are given and which other people have leased in order to decide between
    them."""
    sql = f"""
        WITH {CLAIMS}
        SELECT DISTINCT c.item
        FROM claim c JOIN state s ON s.item = c.item
        WHERE s.status = '{WAITING_STATUS}' AND s.given >= s.wanted
        """
    return [row[0] for row in fetch(sql, [person, *live_parameters(at), person])]


def take_over(database: Database, item: str, person: str, *, at: Timestamp, minutes: float) -> list[str]:
    """Lease the item to the person, and end and record all leases and assignments that other people have on it. Return the
    names of these people."""
    until = add_minutes(at, minutes)

    def write(cursor: Cursor) -> list[str]:
        claims = list_claims(cursor, item, person, at)
        _record_ends(cursor, [EndedLease(item, lease.person, person, "taken over", at) for lease in claims])
        take(cursor, item, person, at, until)
        return [lease.person for lease in claims]

    return database.write(write)


def assign(database: Database, items: Sequence[str], person: str, *, by: str, at: Timestamp, instead_of: str = "") -> list[str]:
    """Assign waiting items to a person. The queue gives assigned items to the person first. The person `instead_of` loses the
    assignments. Return the ids of the assigned items; items that need no opinion from the person are left out."""
    return database.write(lambda cursor: insert_assignments(cursor, items, person, by=by, at=at, instead_of=instead_of))


def insert_assignments(
    cursor: Cursor, items: Sequence[str], person: str, *, by: str, at: Timestamp, instead_of: str = ""
) -> list[str]:
    """Assign items like `assign`, within the caller's transaction."""
    fetch = fetch_from(cursor)
    among = "s.item IN (SELECT unnest(?::VARCHAR[]))"
    sql = f"SELECT s.item FROM state s WHERE {among} AND s.status = ? AND s.given < s.wanted AND {IS_QUEUED}"
    waiting = {row[0] for row in fetch(sql, [list(items), WAITING_STATUS])}
    own = {row[0] for row in fetch("SELECT item FROM opinion WHERE person = ?", [person])}
    assigned = [item for item in dict.fromkeys(items) if item in waiting and item not in own]
    if instead_of and instead_of != person:
        _record_ends(cursor, [EndedLease(item, instead_of, by, "given away", at) for item in assigned])
    rows = [(pair_key(person, item), item, person, by, at) for item in assigned]
    insert_rows(cursor, "assignment", "key, item, person, assigned_by, made_at", rows)
    return assigned


def list_assignments(database: Database) -> list[Assignment]:
    """Return all open assignments, sorted by person and then oldest first."""
    sql = "SELECT item, person, assigned_by, made_at FROM assignment ORDER BY person, made_at, item"
    return [Assignment(*row) for row in database.rows(sql)]


def unassign(database: Database, items: Sequence[str], person: str) -> list[str]:
    """Remove the assignments of the items to the person, so that anybody can take the items; return the ids of these items."""
    return database.write(lambda cursor: remove_assignments(cursor, items, person))


def remove_assignments(cursor: Cursor, items: Sequence[str], person: str) -> list[str]:
    """Remove assignments like `unassign`, within the caller's transaction."""
    keys = [pair_key(person, item) for item in items]
    sql = "DELETE FROM assignment WHERE key IN (SELECT unnest(?::VARCHAR[])) RETURNING item"
    return [row[0] for row in cursor.execute(sql, [keys]).fetchall()]


def release_items(database: Database, person: str, *, by: str, at: Timestamp, item: str | None = None) -> list[str]:
    """End the person's lease on the item, or all leases of the person if `item` is None; return the ids of these items. If `by`
    is another person, record that this person ended the leases."""

    def write(cursor: Cursor) -> list[str]:
        sql = f"SELECT item FROM lease WHERE person = ? AND {LIVE_CONDITION} ORDER BY taken_at, item"
        rows = fetch_from(cursor)(sql, [person, *live_parameters(at)])
        held = [name for (name,) in rows if item in (None, name)]
        if person != by:
            _record_ends(cursor, [EndedLease(name, person, by, "released", at) for name in held])
        for name in held:
            drop_lease(cursor, person, name)
        return held

    return database.write(write)


def end_many_claims(cursor: Cursor, person: str, items: Sequence[str]) -> None:
    """End the person's leases and assignments on many items, like `end_claims`."""
    keys = [pair_key(person, item) for item in items]
    for table in ("lease", "assignment"):
        cursor.execute(f"DELETE FROM {table} WHERE key IN (SELECT unnest(?::VARCHAR[]))", [keys])


def drop_lease(cursor: Cursor, person: str, item: str) -> None:
    """End the person's lease on the item within the caller's transaction; an assignment of the item to the person stays."""
    if _find_own_lease(cursor, item, person):
        cursor.execute("DELETE FROM lease WHERE key = ?", [pair_key(person, item)])


def end_leases(cursor: Cursor, leases: Iterable[Lease]) -> None:
    """Delete the given leases and assignments."""
    for lease in leases:
        table = "assignment" if lease.is_given else "lease"
        cursor.execute(f"DELETE FROM {table} WHERE key = ?", [pair_key(lease.person, lease.item)])


def end_claims(cursor: Cursor, person: str, item: str) -> None:
    """End the lease and the assignment of a person on an item after the person decided on it."""
    drop_lease(cursor, person, item)
    if follow(cursor, AssignmentMirror).get(item, replace_surrogates(person)):
        cursor.execute("DELETE FROM assignment WHERE key = ?", [pair_key(person, item)])


def list_held(database: Database, *, at: Timestamp) -> list[Lease]:
    """Return all valid leases, sorted by person and then oldest first."""
    sql = f"SELECT item, person, until, taken_at FROM lease WHERE {LIVE_CONDITION} ORDER BY person, taken_at, item"
    return [Lease(*row) for row in database.rows(sql, live_parameters(at))]


def list_ended(database: Database, limit: int = 20) -> list[EndedLease]:
    """Return the records of leases that were ended by another person than their holder, newest first."""
    sql = "SELECT item, person, ended_by, what, made_at FROM lease_end ORDER BY number DESC LIMIT ?"
    return [EndedLease(*row) for row in database.rows(sql, [limit])]


def add_minutes(at: Timestamp, minutes: float) -> Timestamp:
    """Return the time `minutes` minutes after `at`."""
    return (datetime.fromisoformat(at) + timedelta(minutes=minutes)).isoformat(timespec="milliseconds")


def live_parameters(at: Timestamp) -> list[Timestamp]:
    """Return the parameters of the SQL in LIVE_CONDITION: the current time, and the latest time at which a valid lease can end.
    A lease with a later end was made before the clock was set back."""
    return [at, add_minutes(at, MAX_CREDIBLE_MINUTES)]


def _find_own_lease(source: Source, item: str, person: str) -> Lease | None:
    return follow(source, LeaseMirror).get(item, replace_surrogates(person))


def _list_all(source: Source) -> list[Lease]:
    """Return all leases and assignments on all items."""
    given = follow(source, AssignmentMirror).list_rows()
    return [*follow(source, LeaseMirror).list_rows(), *map(_lease_from_assignment, given)]


def _lease_from_assignment(given: Assignment) -> Lease:
    return Lease(given.item, given.person, "", given.at)


def _is_fresh(lease: Lease, at: Timestamp, minutes: float) -> bool:
    return add_minutes(at, minutes * (1 - RENEWAL_SHARE)) < lease.until <= add_minutes(at, minutes)


def take(cursor: Cursor, item: str, person: str, at: Timestamp, until: Timestamp) -> None:
    """Lease the item to the person until the time `until`. Also delete the expired leases of other people on the item, and all
    leases with an impossibly late end."""
    key, (_, longest) = pair_key(person, item), live_parameters(at)
    own = (item, replace_surrogates(person))
    leases = follow(cursor, LeaseMirror).list_rows()
    others = [lease for lease in leases if (lease.item, lease.person) != own]
    end_leases(cursor, (lease for lease in others if lease.until > longest or (lease.item == item and lease.until <= at)))
    if len(others) < len(leases):
        taken_at = "CASE WHEN taken_at <= ? AND ? < until THEN taken_at ELSE ? END"
        cursor.execute(f"UPDATE lease SET taken_at = {taken_at}, until = ? WHERE key = ?", [at, at, at, until, key])
    else:
        insert_row(cursor, "lease", "key, item, person, until, taken_at", (key, item, person, until, at))


def _record_ends(cursor: Cursor, ended: Sequence[EndedLease]) -> None:
    """Record that leases were ended, and delete the leases and assignments of these people on these items."""
    insert_rows(cursor, "lease_end", "item, person, ended_by, what, made_at", ended, is_numbered=True)
    for lease in ended:
        end_claims(cursor, lease.person, lease.item)
