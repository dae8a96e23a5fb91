"""Store and load rewrites by people, and find the next accepted item that needs one. A rewrite counts if it belongs to the
question's current revision and is not discarded."""

from typing import Any, NamedTuple

from core.nouns import Item, Variant
from store.engine.columns import fetch_from
from store.engine.database import Cursor, Database
from store.items import items
from store.queue.kind import ItemKind, build_kind_condition
from store.queue.queue import list_before
from store.reviews import unsent_edits
from store.reviews.unsent_edits import UnsentEdit
from store.variants import variants

EDIT_KIND = "rewrite"
"""Kind of a rewrite's unsent edits."""
HUMAN = "human"
"""Kind of a variant by a person, whose name is the variant's generator."""
WRITER = "lower(trim(generator))"
"""SQL expression for the writer of a variant, folded for comparison, because imported rewrites keep their original spelling."""
_WRITTEN = f"""
    WITH written AS (
        SELECT item, revision, count(DISTINCT {WRITER}) AS n, bool_or({WRITER} = lower(trim(?))) AS is_mine
        FROM variant
        WHERE kind = 'human' AND status <> 'discarded'
        GROUP BY item, revision
    )
    """

_JOINED = "state s LEFT JOIN written w ON w.item = s.item AND w.revision = s.revision"


class StoredRewrite(NamedTuple):
    """The outcome of storing a rewrite."""

    variant: Variant | None
    """The stored rewrite, or None when the item has another revision now, so that nothing was stored."""
    is_repeat: bool
    """True when the rewrite was already stored."""


class RewriteCount(NamedTuple):
    """A person's progress in rewriting one kind of items."""

    left: int
    """Number of accepted items without a rewrite by this person."""
    mine: int
    """Number of accepted items with a rewrite by this person."""


def add(database: Database, variant: Variant, tab: str = "") -> StoredRewrite:
    """Store a person's rewrite and delete the unsent rewrite of the given browser tab, in one transaction."""

    def write(cursor: Cursor) -> StoredRewrite:
        fetch = fetch_from(cursor)
        stored = variants.fetch_variants(fetch, [variant.id])
        if not stored:
            now: list[Item] = items.fetch_items(fetch, [variant.item])
            if not now or now[0].revision != variant.revision:
                return StoredRewrite(None, False)
            variants.insert(cursor, [variant])
        typed = UnsentEdit(variant.generator, variant.item, variant.revision, variant.text, "", on=EDIT_KIND, tab=tab)
        unsent_edits.forget_sent(cursor, typed)
        return StoredRewrite(stored[0] if stored else variant, bool(stored))

    return database.write(write)


def load_rewrites(database: Database, item: str, revision: int) -> list[Variant]:
    """Return the rewrites of the question in the given revision of the item, with any status, in the order in which they were
    added."""
    return [v for v in variants.load_variants_of(database, [item]) if v.kind == HUMAN and v.revision == revision]


def find_next_item(database: Database, kind: ItemKind, person: str, wanted: int, after: str | None = None) -> str | None:
    """Return the next accepted item of the kind later than `after` that fewer than `wanted` people have rewritten and this
    person has not. The search continues from the first item at the end. Returns None if no other item is left."""
    where, params = _build_filter(kind, person, wanted)
    if after is not None:
        later = f"{where} AND s.number > (SELECT number FROM state WHERE item = ?)"
        if item := _find_first(database, later, [*params, after]):
            return item
        where, params = f"{where} AND s.item <> ?", [*params, after]
    return _find_first(database, where, params)


def count(database: Database, kind: ItemKind, person: str, wanted: int) -> RewriteCount:
    """Return how many items of the kind this person can still rewrite and has rewritten."""
    where, params = _build_filter(kind, person, wanted)
    [(left,)] = database.rows(f"{_WRITTEN} SELECT count(*) FROM {_JOINED} WHERE {where}", params)
    own, params = _build_condition(kind)
    sql = f"{_WRITTEN} SELECT count(*) FROM {_JOINED} WHERE {own} AND coalesce(w.is_mine, false)"
    [(mine,)] = database.rows(sql, [person, *params])
    return RewriteCount(left, mine)


def find_previous_item(database: Database, person: str, item: str | None) -> str | None:
    """Return the item that this person rewrote before `item`, or the person's last rewritten item if the person did not rewrite
    `item`. Returns None if there is no other."""
    sql = f"SELECT item FROM variant WHERE kind = 'human' AND {WRITER} = lower(trim(?)) ORDER BY number DESC LIMIT 200"
    rows = database.rows(sql, [person])
    return next(iter(list_before([row[0] for row in rows], item)), None)


def _find_first(database: Database, where: str, params: list[Any]) -> str | None:
    rows = database.rows(f"{_WRITTEN} SELECT s.item FROM {_JOINED} WHERE {where} ORDER BY s.number LIMIT 1", params)
    return str(rows[0][0]) if rows else None


def _build_filter(kind: ItemKind, person: str, wanted: int) -> tuple[str, list[Any]]:
    where, params = _build_condition(kind)
    return f"{where} AND coalesce(w.n, 0) < ? AND NOT coalesce(w.is_mine, false)", [person, *params, wanted]


def _build_condition(kind: ItemKind) -> tuple[str, list[Any]]:
    where, params = build_kind_condition(kind)
    return f"s.status = 'accepted' AND {where}", params
