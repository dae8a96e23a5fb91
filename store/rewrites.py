"""Rewrites that people wrote: stored once, and which accepted item next wants one. Only those count that were written on the
question's current revision and not discarded."""

from typing import Any, NamedTuple

from core.nouns import Item, Variant
from store import items, scratch, variants
from store.columns import fetching, storable
from store.database import Cursor, Database
from store.kind import Kind, condition
from store.scratch import Scratch

ON = "rewrite"
"""What a rewrite's scratch is on."""
HUMAN = "human"
"""The kind of a variant that a person wrote; its generator is that person."""
_WRITTEN = """
    WITH written AS (
        SELECT item, revision, count(DISTINCT generator) AS n, bool_or(generator = ?) AS is_mine
        FROM variant
        WHERE kind = 'human' AND status <> 'discarded'
        GROUP BY item, revision
    )
    """


class Written(NamedTuple):
    """What came of storing a rewrite."""

    variant: Variant | None
    """As stored; None when the item has another revision by now, and nothing was stored."""
    is_repeat: bool
    """True when it had been stored before."""


class Count(NamedTuple):
    """How far rewriting is, of one kind of items."""

    left: int
    """Accepted items that still want a rewrite of this person's."""
    mine: int
    """Accepted items that have one."""


def add(database: Database, variant: Variant, tab: str = "") -> Written:
    """Store a person's rewrite, and forget what that tab of theirs kept of it, in one transaction."""

    def write(cursor: Cursor) -> Written:
        fetch = fetching(cursor)
        stored = variants.current(fetch, [variant.id])
        if not stored:
            now: list[Item] = items.current(fetch, [variant.item])
            if not now or now[0].revision != variant.revision:
                return Written(None, False)
            variants.insert(cursor, [variant])
        typed = Scratch(variant.generator, variant.item, variant.revision, variant.text, "", on=ON, tab=tab)
        scratch.end(cursor, typed)
        return Written(stored[0] if stored else variant, bool(stored))

    return database.write(write)


def of_item(database: Database, item: str, revision: int) -> list[Variant]:
    """The rewrites of that revision's question, whatever their status, in the order they came."""
    return [v for v in variants.of_items(database, [item]) if v.kind == HUMAN and v.revision == revision]


def following(database: Database, kind: Kind, person: str, wanted: int, after: str | None = None) -> str | None:
    """The next accepted item of the kind, after that one (or from the first), that fewer than `wanted` people have rewritten
    and this person has not; from the first again when none comes after it. None when no other is left."""
    where, params = _where(kind, person, wanted)
    if after is not None:
        later = f"{where} AND s.number > (SELECT number FROM state WHERE item = ?)"
        if found := _first(database, later, [*params, after]):
            return found
        where, params = f"{where} AND s.item <> ?", [*params, after]
    return _first(database, where, params)


def count(database: Database, kind: Kind, person: str, wanted: int) -> Count:
    """What is left of the kind for this person, and what this person has rewritten of it."""
    where, params = _where(kind, person, wanted)
    [(left,)] = database.rows(f"{_WRITTEN} SELECT count(*) FROM {_JOINED} WHERE {where}", params)
    own, params = _of_kind(kind)
    [(mine,)] = database.rows(
        f"{_WRITTEN} SELECT count(*) FROM {_JOINED} WHERE {own} AND coalesce(w.is_mine, false)", [storable(person), *params]
    )
    return Count(left, mine)


def before(database: Database, person: str, item: str | None) -> str | None:
    """The item that this person rewrote before that one, or last when that one is none of theirs; None = there is no other."""
    rows = database.rows(
        """
        SELECT item
        FROM variant
        WHERE kind = 'human' AND generator = ?
        ORDER BY number DESC
        LIMIT 200
        """,
        [storable(person)],
    )
    way = list(dict.fromkeys(str(row[0]) for row in rows))
    rest = way[way.index(item) + 1 :] if item in way else way
    return rest[0] if rest else None


_JOINED = "state s LEFT JOIN written w ON w.item = s.item AND w.revision = s.revision"


def _first(database: Database, where: str, params: list[Any]) -> str | None:
    rows = database.rows(f"{_WRITTEN} SELECT s.item FROM {_JOINED} WHERE {where} ORDER BY s.number LIMIT 1", params)
    return str(rows[0][0]) if rows else None


def _where(kind: Kind, person: str, wanted: int) -> tuple[str, list[Any]]:
    where, params = _of_kind(kind)
    return f"{where} AND coalesce(w.n, 0) < ? AND NOT coalesce(w.is_mine, false)", [storable(person), *params, wanted]


def _of_kind(kind: Kind) -> tuple[str, list[Any]]:
    where, params = condition(kind)
    return f"s.status = 'accepted' AND {where}", params
