"""Choose the next item for a person. The search runs outside the writer thread, in the queue's order. The writer then takes the
first found item that is still free, so two people never get the same place and searches do not delay writes."""

from collections.abc import Iterator, Sequence
from typing import Any

from store.engine.columns import Timestamp, fetch_from, pair_key, replace_surrogates
from store.engine.database import Cursor, Database
from store.queue import leases, queue_rules, skips
from store.queue.kind import ItemKind, build_kind_condition
from store.queue.leases import Lease
from store.queue.queue import IS_QUEUED, WAITING_STATUS

MAX_CANDIDATES = 64
"""Maximum number of items per search, because other people may take the first items. Up to 50, DuckDB reads the rows twice,
which takes longer."""
MAX_SEARCHES = 50
"""Maximum number of searches whose items other people take in the meantime."""
MAX_SKIPPED_ITEMS = 200
"""Maximum number of items that a search finds and skips; for more, the query excludes them, ten times slower."""
LOWEST_PLACE = -(2**31)
"""Number below all places."""
Candidate = tuple[str, int]
"""(item id, number of people needed)."""


def claim(
    database: Database, kind: ItemKind, person: str, *, at: Timestamp, minutes: float, after: str | None = None
) -> str | None:
    """Lease the person's next waiting item of the kind, and return its id. If no other item is free, returns None and releases
    nothing.

    Without `after`, the next item is the one that the person held last, if nobody has taken it since. With `after`, that item
    is released, and the next is the first free item in this order: assigned to this person, then lowest place, then same
    document as `after`, then later than `after` (continuing from the start at the end), then oldest. Skipped items come last.
    If this person skipped `after`, its document has no effect, so that skipping reaches all items."""
    until = leases.add_minutes(at, minutes)

    def write(cursor: Cursor) -> str | None:
        fetch = fetch_from(cursor)
        held = leases.load_leases(fetch)
        by_item: dict[str, list[Lease]] = {}
        for lease in held:
            by_item.setdefault(lease.item, []).append(lease)
        for item, wanted in candidates:
            on_it = by_item.get(item, [])
            is_taken = wanted == 1 and leases.select_live(on_it, person, at)
            if not is_taken and leases.count_free_places(fetch, item, person, at, on_it) > 0:
                leases.take(cursor, item, person, at, until, held)
                own = [lease for lease in by_item.get(after or "", []) if lease.person == replace_surrogates(person)]
                leases.end_leases(cursor, [lease for lease in own if not lease.is_given])
                return item
        return None

    for n in range(MAX_SEARCHES):
        # The writer always checks leases; the search checks them only after all candidates were taken once.
        candidates = next(_search(database, kind, person, at, after, MAX_CANDIDATES, heeds_others=n > 0), [])
        if not candidates:
            return None
        item = database.write(write)
        if item is not None:
            return item
    return None


def list_free_items(
    database: Database, kind: ItemKind, person: str, at: Timestamp, after: str | None = None, limit: int = 1
) -> list[str]:
    """Return at most `limit` next items in the order of `claim`, without leasing or releasing any item."""
    items: list[str] = []
    for candidates in _search(database, kind, person, at, after, limit):
        items += [item for item, _ in candidates]
        if len(items) >= limit:
            break
    return items[:limit]


def _search(
    database: Database,
    kind: ItemKind,
    person: str,
    at: Timestamp,
    after: str | None,
    limit: int,
    heeds_others: bool = True,
) -> Iterator[list[Candidate]]:
    """Yield the free items in the order of the queue, 1 to `limit` at a time; items that the person skipped come last.
    `heeds_others` leaves out items that other people hold."""
    skipped = skips.list_skipped_items(database, database.rows, person)
    yield from _search_some(database, kind, person, at, after, limit, heeds_others, without=skipped)
    if skipped:
        yield from _search_some(database, kind, person, at, after, limit, heeds_others, within=skipped)


def _search_some(
    database: Database,
    kind: ItemKind,
    person: str,
    at: Timestamp,
    after: str | None,
    limit: int,
    heeds_others: bool,
    *,
    without: Sequence[str] = (),
    within: Sequence[str] = (),
) -> Iterator[list[Candidate]]:
    """Yield free items like `_search`, without some items or only within some items. Each query reads one range of numbers in
    the table, because one query for the whole order would sort a million rows."""
    fetch = database.rows
    of_kind, params = build_kind_condition(kind)
    where = f"s.status = '{WAITING_STATUS}' AND s.given < s.wanted AND {IS_QUEUED} AND {of_kind}"
    if within:
        where, params = f"{where} AND s.item IN (SELECT unnest(?::VARCHAR[]))", [*params, list(within)]
    has_opinions = database.has_any("opinion")
    has_given = database.has_any("assignment") and fetch("SELECT 1 FROM assignment WHERE person = ? LIMIT 1", [person])
    excluded = {*without, *(leases.list_blocked_items(fetch, person, at) if heeds_others else ())}
    if has_opinions:
        excluded |= {row[0] for row in fetch("SELECT item FROM opinion WHERE person = ?", [person])}
    if len(excluded) > MAX_SKIPPED_ITEMS:
        where = f"{where} AND s.item NOT IN (SELECT unnest(?::VARCHAR[]))"
        params, excluded = [*params, list(excluded)], set()

    def search(condition: str, values: list[Any], source: str = "state s", order: str = "s.number") -> list[Candidate]:
        n = limit + len(excluded)
        sql = f"SELECT s.item, s.wanted FROM {source} WHERE {where} AND {condition} ORDER BY {order} LIMIT {n}"
        return [(item, wanted) for item, wanted in fetch(sql, [*params, *values]) if item not in excluded][:limit]

    if after is None and person:
        own = search("l.person = ?", [person], "lease l JOIN state s ON s.item = l.item", "l.taken_at DESC, s.number")
        if own:
            yield own[:1]
            return
    current = fetch("SELECT number, document, status FROM state WHERE item = ?", [after]) if after is not None else []
    ranges: list[tuple[str, list[Any]]] = [("true", [])]
    for number, document, status in current:
        key = pair_key(person, str(after))
        is_done = status != WAITING_STATUS or (has_opinions and fetch("SELECT 1 FROM opinion WHERE key = ?", [key]))
        ranges = [("s.number > ?", [number]), ("s.number < ?", [number])]
        if is_done and document is not None:
            of_document = ("s.document = ?", "s.document IS DISTINCT FROM ?")
            ranges[:1] = [(f"{condition} AND s.number > ?", [document, number]) for condition in of_document]
    if has_given:
        is_assigned = "s.item IN (SELECT item FROM assignment WHERE person = ?)"
        for (place,) in fetch(f"SELECT DISTINCT s.place FROM state s WHERE {is_assigned} ORDER BY s.place", [person]):
            for condition, values in ranges:
                if candidates := search(f"s.place = ? AND {condition} AND {is_assigned}", [place, *values, person]):
                    yield candidates
        where = f"{where} AND s.item NOT IN (SELECT a.item FROM assignment a WHERE a.person = ?)"
        params = [*params, person]
    rules = database.read_cached("queue rules", ["queue_rule"], lambda: queue_rules.load_current_rules(fetch))
    if not rules.first:  # all items have the same priority
        for condition, values in ranges:
            if candidates := search(condition, values):
                yield candidates
        return
    lowest = f"SELECT min(s.place) FROM state s WHERE {where} AND s.place > ?"
    [(place,)] = fetch(lowest, [*params, LOWEST_PLACE])
    while place is not None:
        for condition, values in ranges:
            if candidates := search(f"s.place = ? AND {condition}", [place, *values]):
                yield candidates
        [(place,)] = fetch(lowest, [*params, place])
