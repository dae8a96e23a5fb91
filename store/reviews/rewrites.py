"""Store and load rewrites (questions that people wrote in other words), and find the next accepted item that needs a rewrite. A
rewrite counts if it belongs to the question's current revision and nobody has discarded it."""

from collections.abc import Collection
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Item, Variant
from store.engine.columns import Fetch, fetch_from
from store.engine.database import Cursor, Database
from store.items import items
from store.queue.kind import ItemKind, build_kind_condition
from store.queue.queue import list_before
from store.reviews import unsent_edits
from store.reviews.unsent_edits import UnsentEdit
from store.variants import variants

EDIT_KIND = "rewrite"
"""Kind under which a rewrite that is not sent yet is stored among the unsent edits."""
HUMAN = "human"
"""Kind of a variant that a person wrote; such a variant has the person's name as its generator."""
WRITER = "lower(trim(generator))"
"""SQL expression for the writer of a variant, in lower case and without spaces at the ends, because imported rewrites keep
their spelling of the name."""
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
    """Whether a rewrite was stored, and the stored rewrite."""

    variant: Variant | None
    """The stored rewrite, or None if nothing was stored because the item has another revision now."""
    is_repeat: bool
    """Whether the rewrite was stored before."""
    other: Variant | None = None
    """Another rewrite of the same question that the person stored before; then nothing was stored now."""


class RewriteCount(NamedTuple):
    """A person's progress in writing rewrites for one kind of items."""

    left: int
    """Number of accepted items that the person can still write a rewrite for."""
    mine: int
    """Number of accepted items that the person has written a rewrite for."""


def add(database: Database, variant: Variant, tab: str = "") -> StoredRewrite:
    """Store a person's rewrite and delete the unsent rewrite of the browser tab `tab`, in one transaction."""

    def write(cursor: Cursor) -> StoredRewrite:
        fetch = fetch_from(cursor)
        stored = variants.fetch_variants(fetch, [variant.id])
        if not stored:
            now: list[Item] = items.fetch_items(fetch, [variant.item])
            if not now or now[0].revision != variant.revision:
                return StoredRewrite(None, False)
            other = find_other_rewrite(fetch, variant)
            if other is not None and other.text.split() != variant.text.split():
                return StoredRewrite(None, False, other)
            if other is None:
                variants.insert(cursor, [variant])
            else:
                stored = [other]
        typed = UnsentEdit(variant.generator, variant.item, variant.revision, variant.text, "", on=EDIT_KIND, tab=tab)
        unsent_edits.forget_sent(cursor, typed)
        return StoredRewrite(stored[0] if stored else variant, bool(stored))

    return database.write(write)


def find_other_rewrite(fetch: Fetch, rewrite: Variant, *, besides: Collection[str] = ()) -> Variant | None:
    """Return another rewrite of the same question by the same writer that nobody has discarded, or None if there is none. A
    person can have only one rewrite of a question. `besides` has ids of variants to ignore."""
    sql = f"""
        SELECT id FROM variant
        WHERE item = ? AND revision = ? AND kind = 'human' AND status <> 'discarded' AND {WRITER} = lower(trim(?))
            AND NOT list_contains(?::VARCHAR[], id)
        LIMIT 1
        """
    found = fetch(sql, [rewrite.item, rewrite.revision, rewrite.generator, [rewrite.id, *besides]])
    return next(iter(variants.fetch_variants(fetch, [found[0][0]])), None) if found else None


def refuse_second_rewrite(fetch: Fetch, variant: Variant, besides: Collection[str] = ()) -> BenchError | None:
    """Return an error if a discarded rewrite cannot be accepted again because its writer has another rewrite of the question;
    otherwise return None. Variants with ids in `besides` are ignored."""
    if variant.kind != HUMAN or variant.status != "discarded":
        return None
    other = find_other_rewrite(fetch, variant, besides=besides)
    if other is None:
        return None
    return BenchError(
        f"{other.generator} has another rewrite of this question, {other.id}: a person can have only one, so discard that one "
        "first."
    )


def load_rewrites(database: Database, item: str, revision: int) -> list[Variant]:
    """Return the rewrites of the item's question in the given revision, with any status, in the order in which they were
    added."""
    return [v for v in variants.load_variants_of(database, [item]) if v.kind == HUMAN and v.revision == revision]


def find_next_item(database: Database, kind: ItemKind, person: str, wanted: int, after: str | None = None) -> str | None:
    """Return the id of the next item for the person to rewrite: an accepted item of the kind that the person has not rewritten
    and that fewer than `wanted` people have rewritten. The search starts after the item `after`, and continues at the beginning
    when it reaches the end. Return None if there is no such item."""
    where, params = _build_filter(kind, person, wanted)
    if after is not None:
        later = f"{where} AND s.number > (SELECT number FROM state WHERE item = ?)"
        if item := _find_first(database, later, [*params, after]):
            return item
        where, params = f"{where} AND s.item <> ?", [*params, after]
    return _find_first(database, where, params)


def count(database: Database, kind: ItemKind, person: str, wanted: int) -> RewriteCount:
    """Return how many items of the kind the person can still rewrite and how many the person has rewritten."""
    where, params = _build_filter(kind, person, wanted)
    [(left,)] = database.rows(f"{_WRITTEN} SELECT count(*) FROM {_JOINED} WHERE {where}", params)
    own, params = _build_condition(kind)
    sql = f"{_WRITTEN} SELECT count(*) FROM {_JOINED} WHERE {own} AND coalesce(w.is_mine, false)"
    [(mine,)] = database.rows(sql, [person, *params])
    return RewriteCount(left, mine)


def find_previous_item(database: Database, person: str, item: str | None) -> str | None:
    """Return the id of the item that the person rewrote before `item`. If the person did not rewrite `item`, return the item
    that the person rewrote last. Return None if there is no such item."""
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
