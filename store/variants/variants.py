"""Variants in and out: an item's question in other forms."""

from collections.abc import Iterable, Sequence
from typing import Any

from core.nouns import Status, Variant
from store.corpus.documents import AddedIds
from store.engine.columns import Fetch, from_json, insert_rows, split_in_batches, to_json
from store.engine.database import Cursor, Database

_COLUMNS = {
    "id": "VARCHAR",
    "number": "INTEGER",
    "item": "VARCHAR",
    "revision": "INTEGER",
    "kind": "VARCHAR",
    "text": "VARCHAR",
    "born_status": "VARCHAR",
    "status": "VARCHAR",
    "generator": "VARCHAR",
    "seed": "BIGINT",
    "checks": "VARCHAR",
}
_ALL_COLUMNS = "id, item, revision, kind, text, status, generator, seed, checks"


def add(database: Database, variants: Sequence[Variant]) -> AddedIds:
    """Store those whose id is new."""
    return database.write(lambda cursor: insert(cursor, variants))


def insert(cursor: Cursor, variants: Sequence[Variant]) -> AddedIds:
    """As add, within a transaction of the caller's."""
    sql = "SELECT id FROM variant WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    stored = {row[0] for piece in split_in_batches(v.id for v in variants) for row in cursor.execute(sql, [piece]).fetchall()}
    new: dict[str, Variant] = {}
    already: list[str] = []
    for variant in variants:
        if variant.id in stored or variant.id in new:
            already.append(variant.id)
        else:
            new[variant.id] = variant
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM variant").fetchall()[0]
    insert_rows(
        cursor,
        "variant",
        _COLUMNS,
        (
            (v.id, number, v.item, v.revision, v.kind, v.text, v.status, v.status, v.generator, v.seed, to_json(dict(v.checks)))
            for number, v in enumerate(new.values(), last + 1)
        ),
    )
    return AddedIds(list(new), already)


def load_variants(database: Database, ids: Iterable[str]) -> list[Variant]:
    """The variants of those ids, in that order; unknown ones are left out."""
    return fetch_variants(database.rows, ids)


def fetch_variants(fetch: Fetch, ids: Iterable[str]) -> list[Variant]:
    """As many, also within a transaction."""
    wanted = list(ids)
    sql = f"SELECT {_ALL_COLUMNS} FROM variant WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    found = {row[0]: _variant(row) for piece in split_in_batches(dict.fromkeys(wanted)) for row in fetch(sql, [piece])}
    return [found[one] for one in wanted if one in found]


def list_variants(database: Database, kind: str | None = None, status: Status | None = None) -> list[Variant]:
    """Variants of a kind and status, in the order they came."""
    given = [(name, value) for name, value in (("kind", kind), ("status", status)) if value is not None]
    where = " AND ".join(["true", *(f"{name} = ?" for name, _ in given)])
    rows = database.rows(f"SELECT {_ALL_COLUMNS} FROM variant WHERE {where} ORDER BY number", [value for _, value in given])
    return [_variant(row) for row in rows]


def load_variants_of(database: Database, items: Iterable[str]) -> list[Variant]:
    """The variants of those items, whatever their status, in the order they came."""
    if not database.has_any("variant"):
        return []
    sql = f"SELECT {_ALL_COLUMNS} FROM variant WHERE item IN (SELECT unnest(?::VARCHAR[])) ORDER BY number"
    return [_variant(row) for piece in split_in_batches(items) for row in database.rows(sql, [piece])]


def _variant(row: tuple[Any, ...]) -> Variant:
    return Variant(*(*row[:8], from_json(row[8])))
