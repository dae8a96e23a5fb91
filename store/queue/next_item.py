"""Who gets which item next. It is looked for beside the writer, in the queue's order; the writer takes the first of the found
ones that is still free, so that two people never get one place, and a search holds nobody's writes up."""

from collections.abc import Iterator, Sequence
from typing import Any

from store.engine.columns import fetch_from, pair_key, replace_surrogates
from store.engine.database import Cursor, Database
from store.queue import leases, queue_rules, skips
from store.queue.kind import ItemKind, build_kind_condition
from store.queue.leases import Lease
from store.queue.queue import IS_QUEUED, WAITING_STATUS

AT_ONCE = 64
"""Items that one search finds; others may be quicker on the first ones. Up to 50 the database reads the rows twice, which takes
longer."""
MAX_SEARCHES = 50
"""Searches, each of which found only items that others had taken by then."""
BEFORE_ALL = -(2**31)
"""Below every place."""
Found = tuple[str, int]
"""An item, and how many people are wanted on it."""
MAX_SKIPPED_ITEMS = 200
"""Items that a search finds and passes over; more than these are left out by the query, which takes ten times as long."""


def claim(database: Database, kind: ItemKind, person: str, *, at: str, minutes: float, after: str | None = None) -> str | None:
    """The waiting item of the kind that is this person's next, held by that person from now on. Without `after`: what the
    person held last and nobody took since. Else the first free one in this order: given to this person by name, of the lowest
    place, of the same document as `after`, behind `after` (round again at the end), the oldest; what the person skipped comes
    last; `after` is let go. Of one that this person passed over the document is no matter, so that passing over goes through
    all. None when nothing (else) is free; then nothing is let go."""
    until = leases.add_minutes(at, minutes)

    def write(cursor: Cursor) -> str | None:
        fetch = fetch_from(cursor)
        held = leases.load_leases(fetch)
        of_item: dict[str, list[Lease]] = {}
        for one in held:
            of_item.setdefault(one.item, []).append(one)
        for item, wanted in candidates:
            on_it = of_item.get(item, [])
            is_taken = wanted == 1 and leases.select_live(on_it, person, at)
            if not is_taken and leases.count_free_places(fetch, item, person, at, on_it) > 0:
                leases.take(cursor, item, person, at, until, held)
                mine = [one for one in of_item.get(after or "", []) if one.person == replace_surrogates(person)]
                leases.end_leases(cursor, [one for one in mine if not one.is_given])
                return item
        return None

    for n in range(MAX_SEARCHES):
        # who holds what is looked up by the writer in any case: beside it only when that found no free one among so many
        candidates = next(_in_order(database, kind, person, at, after, AT_ONCE, heeds_others=n > 0), [])
        if not candidates:
            return None
        found = database.write(write)
        if found is not None:
            return found
    return None


def list_free_items(
    database: Database, kind: ItemKind, person: str, at: str, after: str | None = None, limit: int = 1
) -> list[str]:
    """As claim, but nothing is held or let go: the items in order, at most so many."""
    found: list[str] = []
    for some in _in_order(database, kind, person, at, after, limit):
        found += [item for item, _ in some]
        if len(found) >= limit:
            break
    return found[:limit]


def _in_order(
    database: Database, kind: ItemKind, person: str, at: str, after: str | None, limit: int, heeds_others: bool = True
) -> Iterator[list[Found]]:
    """The free items in the queue's order, each time the next few, at most `limit`, and never none; those that others hold are
    left out with `heeds_others`. What the person skipped comes behind all others."""
    skipped = skips.list_skipped_items(database, database.rows, person)
    yield from _runs(database, kind, person, at, after, limit, heeds_others, without=skipped)
    if skipped:
        yield from _runs(database, kind, person, at, after, limit, heeds_others, within=skipped)


def _runs(
    database: Database,
    kind: ItemKind,
    person: str,
    at: str,
    after: str | None,
    limit: int,
    heeds_others: bool,
    *,
    without: Sequence[str] = (),
    within: Sequence[str] = (),
) -> Iterator[list[Found]]:
    """As _in_order, without some items or within some. Each query asks for one run of numbers: such a one reads a part of the
    table, where one with the whole order in it sorts a million rows."""
    fetch = database.rows
    of_kind, params = build_kind_condition(kind)
    where = f"s.status = '{WAITING_STATUS}' AND s.given < s.wanted AND {IS_QUEUED} AND {of_kind}"
    if within:
        where, params = f"{where} AND s.item IN (SELECT unnest(?::VARCHAR[]))", [*params, list(within)]
    has_opinions = database.has_any("opinion")
    has_given = database.has_any("assignment") and fetch("SELECT 1 FROM assignment WHERE person = ? LIMIT 1", [person])
    out = {*without, *(leases.list_blocked_items(fetch, person, at) if heeds_others else ())}
    if has_opinions:
        out |= {row[0] for row in fetch("SELECT item FROM opinion WHERE person = ?", [person])}
    if len(out) > MAX_SKIPPED_ITEMS:
        where, params, out = f"{where} AND s.item NOT IN (SELECT unnest(?::VARCHAR[]))", [*params, list(out)], set()

    def run(more: str, values: list[Any], source: str = "state s", order: str = "s.number") -> list[Found]:
        sql = f"SELECT s.item, s.wanted FROM {source} WHERE {where} AND {more} ORDER BY {order} LIMIT {limit + len(out)}"
        return [(item, wanted) for item, wanted in fetch(sql, [*params, *values]) if item not in out][:limit]

    if after is None and person:
        own = run("l.person = ?", [person], "lease l JOIN state s ON s.item = l.item", "l.taken_at DESC, s.number")
        if own:
            yield own[:1]
            return
    here = fetch("SELECT number, document, status FROM state WHERE item = ?", [after]) if after is not None else []
    runs: list[tuple[str, list[Any]]] = [("true", [])]
    for number, document, status in here:
        key = pair_key(person, str(after))
        is_done = status != WAITING_STATUS or (has_opinions and fetch("SELECT 1 FROM opinion WHERE key = ?", [key]))
        runs = [("s.number > ?", [number]), ("s.number < ?", [number])]
        if is_done and document is not None:
            of_it = ("s.document = ?", "s.document IS DISTINCT FROM ?")
            runs[:1] = [(f"{one} AND s.number > ?", [document, number]) for one in of_it]
    if has_given:
        mine = "s.item IN (SELECT item FROM assignment WHERE person = ?)"
        for (place,) in fetch(f"SELECT DISTINCT s.place FROM state s WHERE {mine} ORDER BY s.place", [person]):
            for more, values in runs:
                if found := run(f"s.place = ? AND {more} AND {mine}", [place, *values, person]):
                    yield found
        where = f"{where} AND s.item NOT IN (SELECT a.item FROM assignment a WHERE a.person = ?)"
        params = [*params, person]
    if not database.read_cached(
        "queue rules", ["queue_rule"], lambda: queue_rules.load_current_rules(fetch)
    ).first:  # all are of one place
        for more, values in runs:
            if found := run(more, values):
                yield found
        return
    lowest = f"SELECT min(s.place) FROM state s WHERE {where} AND s.place > ?"
    [(place,)] = fetch(lowest, [*params, BEFORE_ALL])
    while place is not None:
        for more, values in runs:
            if found := run(f"s.place = ? AND {more}", [place, *values]):
                yield found
        [(place,)] = fetch(lowest, [*params, place])
