"""Choose the next item for a person who reviews. The search for candidates follows the queue's order and does not run on the
thread that writes. The writing thread then leases the first candidate that is still free, so that two people never get the same
item by mistake."""

from collections.abc import Callable, Sequence

from store.engine.columns import Timestamp
from store.engine.database import Cursor, Database
from store.queue import leases, skips
from store.queue.kind import ItemKind
from store.queue.queue import WAITING_STATUS
from store.queue.state_row import StateMirror, StateRow, fetch_state_row

MAX_CANDIDATES = 16
"""Maximum number of items that one search returns. The number is above 1, because other people may take the first items in the
meantime."""
MAX_SEARCHES = 50
"""Maximum number of searches for a person's next item, in case other people take all the items that a search found."""


def claim(
    database: Database, kind: ItemKind, person: str, *, at: Timestamp, minutes: float, after: str | None = None
) -> str | None:
    """Lease the person's next waiting item of the kind, and return its id. If no other item is free, return None and keep the
    person's leases.

    If `after` is None, the next item is the one that the person leased last, provided that it is still free. If `after` is
    given, the lease on that item ends. The next item is then the first free one of these: items assigned to this person; items
    that the queue's rules put first; items on the same document as `after`; items stored after `after`; all other items. Items
    that the person skipped come last. If the person skipped `after`, items on the same document are not preferred, so that a
    person who skips reaches all items."""
    for _ in range(MAX_SEARCHES):
        candidates = list_free_items(database, kind, person, at, after, MAX_CANDIDATES)
        if not candidates:
            return None
        if item := database.write(plan_claim(candidates, person, at=at, minutes=minutes, after=after)):
            return item
    return None


def plan_claim(
    candidates: Sequence[str], person: str, *, at: Timestamp, minutes: float, after: str | None
) -> Callable[[Cursor], str | None]:
    """Return a function for `Database.write` that leases the first candidate that is still free and returns its id. If no
    candidate is free, the returned function returns None and keeps the person's leases."""
    until = leases.add_minutes(at, minutes)

    def write(cursor: Cursor) -> str | None:
        for item in candidates:
            if leases.count_free_places(cursor, item, person, at) > 0:
                leases.take(cursor, item, person, at, until)
                if after is not None:
                    leases.drop_lease(cursor, person, after)
                return item
        return None

    return write


def list_free_items(
    database: Database,
    kind: ItemKind,
    person: str,
    at: Timestamp,
    after: str | None = None,
    limit: int = 1,
    *,
    is_decided: bool = False,
) -> list[str]:
    """Return the ids of the next items, at most `limit`, in the order in which `claim` would give them, without changing
    leases. With `is_decided`, return the items as if the person had already decided on `after`."""
    skipped = set(skips.list_skipped_items(database, database.rows, person))
    claims = leases.count_claims(database, person, at)
    excluded = leases.list_own_opinions(database, person)
    state = database.follow(StateMirror)
    current = None if after is None else fetch_state_row(database, after)
    document = None
    if current is not None and (is_decided or current.status != WAITING_STATUS or current.item in excluded):
        document = current.document

    def is_free(row: StateRow) -> bool:
        return row.item not in excluded and claims[row.item] < row.missing_opinions

    if after is None and person:
        own = [lease.item for lease in leases.list_own_leases(database, person) if lease.item not in skipped]
        if first := [row.item for row in state.select_open(kind, own) if is_free(row)]:
            return first[:1]
    given = leases.list_assigned(database, person)
    apart = given | skipped
    found = state.list_next(kind, current, document, is_free, limit, given - skipped) if given else []
    if len(found) < limit:
        found += state.list_next(kind, current, document, lambda row: row.item not in apart and is_free(row), limit)
    if len(found) < limit and skipped:
        found += state.list_next(kind, current, document, is_free, limit, skipped)
    return [row.item for row in found[:limit]]
