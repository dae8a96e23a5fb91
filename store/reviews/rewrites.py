"""Rewrites that people wrote: stored once, and which accepted item next wants one. Only those count that were written on the
question's current revision and not discarded."""

from typing import Any, NamedTuple

from core.nouns import Item, Variant
from store.engine.columns import fetch_from, replace_surrogates
from store.engine.database import Cursor, Database
from store.items import items
from store.queue.kind import ItemKind, build_kind_condition
from store.reviews import unsent_edits
from store.reviews.unsent_edits import UnsentEdit
from store.variants import variants

SCRATCH_KIND = "rewrite"
"""What a rewrite's scratch is on."""
HUMAN = "human"
"""The kind of a variant that a person wrote; its generator is that person."""
WRITER = "lower(trim(generator))"
"""Of a variant's row: who wrote it, to be compared. One that came with a release keeps the spelling of its name."""
_WRITTEN = f"""
    WITH written AS (
        SELECT item, revision, count(DISTINCT {WRITER}) AS n, bool_or({WRITER} = lower(trim(?))) AS is_mine
        FROM variant
        WHERE kind = 'human' AND status <> 'discarded'
        GROUP BY item, revision
    )
    """


class StoredRewrite(NamedTuple):
    """What came of storing a rewrite."""

    variant: Variant | None
    """As stored; None when the item has another revision by now, and nothing was stored."""
    is_repeat: bool
    """True when it had been stored before."""


class RewriteCount(NamedTuple):
    """How far rewriting is, of one kind of items."""

    left: int
    """Accepted items that still want a rewrite of this person's."""
    mine: int
    """Accepted items that have one."""


def add(database: Database, variant: Variant, tab: str = "") -> StoredRewrite:
    """Store a person's rewrite, and forget what that tab of theirs kept of it, in one transaction."""

    def write(cursor: Cursor) -> StoredRewrite:
        fetch = fetch_from(cursor)
        stored = variants.fetch_variants(fetch, [variant.id])
        if not stored:
            now: list[Item] = items.fetch_items(fetch, [variant.item])
            if not now or now[0].revision != variant.revision:
                return StoredRewrite(None, False)
            variants.insert(cursor, [variant])
        typed = UnsentEdit(variant.generator, variant.item, variant.revision, variant.text, "", on=SCRATCH_KIND, tab=tab)
        unsent_edits.forget_sent(cursor, typed)
        return StoredRewrite(stored[0] if stored else variant, bool(stored))

    return database.write(write)


def load_rewrites(database: Database, item: str, revision: int) -> list[Variant]:
    """The rewrites of that revision's question, whatever their status, in the order they came."""
    return [v for v in variants.load_variants_of(database, [item]) if v.kind == HUMAN and v.revision == revision]


def find_next_item(database: Database, kind: ItemKind, person: str, wanted: int, after: str | None = None) -> str | None:
    """The next accepted item of the kind, after that one (or from the first), that fewer than `wanted` people have rewritten
    and this person has not; from the first again when none comes after it. None when no other is left."""
    where, params = _build_filter(kind, person, wanted)
    if after is not None:
        later = f"{where} AND s.number > (SELECT number FROM state WHERE item = ?)"
        if found := _find_first(database, later, [*params, after]):
            return found
        where, params = f"{where} AND s.item <> ?", [*params, after]
    return _find_first(database, where, params)


def count(database: Database, kind: ItemKind, person: str, wanted: int) -> RewriteCount:
    """What is left of the kind for this person, and what this person has rewritten of it."""
    where, params = _build_filter(kind, person, wanted)
    [(left,)] = database.rows(f"{_WRITTEN} SELECT count(*) FROM {_JOINED} WHERE {where}", params)
    own, params = _of_kind(kind)
    [(mine,)] = database.rows(
        f"{_WRITTEN} SELECT count(*) FROM {_JOINED} WHERE {own} AND coalesce(w.is_mine, false)",
        [replace_surrogates(person), *params],
    )
    return RewriteCount(left, mine)


def find_previous_item(database: Database, person: str, item: str | None) -> str | None:
    """The item that this person rewrote before that one, or last when that one is none of theirs; None = there is no other."""
    rows = database.rows(
        f"""
        SELECT item
        FROM variant
        WHERE kind = 'human' AND {WRITER} = lower(trim(?))
        ORDER BY number DESC
        LIMIT 200
        """,
        [replace_surrogates(person)],
    )
    way = list(dict.fromkeys(str(row[0]) for row in rows))
    rest = way[way.index(item) + 1 :] if item in way else way
    return rest[0] if rest else None


_JOINED = "state s LEFT JOIN written w ON w.item = s.item AND w.revision = s.revision"


def _find_first(database: Database, where: str, params: list[Any]) -> str | None:
    rows = database.rows(f"{_WRITTEN} SELECT s.item FROM {_JOINED} WHERE {where} ORDER BY s.number LIMIT 1", params)
    return str(rows[0][0]) if rows else None


def _build_filter(kind: ItemKind, person: str, wanted: int) -> tuple[str, list[Any]]:
    where, params = _of_kind(kind)
    return f"{where} AND coalesce(w.n, 0) < ? AND NOT coalesce(w.is_mine, false)", [replace_surrogates(person), *params, wanted]


def _of_kind(kind: ItemKind) -> tuple[str, list[Any]]:
    where, params = build_kind_condition(kind)
    return f"s.status = 'accepted' AND {where}", params
