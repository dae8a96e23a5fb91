"""Store and load variants, which are alternative forms of an item's question."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.nouns import Status, Variant
from store.corpus.documents import AddedIds
from store.engine.columns import Fetch, build_conditions, decode_json, fetch_from, fetch_in_batches, insert_rows, to_json
from store.engine.database import Cursor, Database

_COLUMNS = "id, item, revision, kind, text, status, generator, seed, checks"


def add(database: Database, variants: Sequence[Variant]) -> AddedIds:
    """Store the variants, except those with an id that is already stored."""
    return database.write(lambda cursor: insert(cursor, variants))


def insert(cursor: Cursor, variants: Sequence[Variant]) -> AddedIds:
    """Store variants like `add`, within the caller's transaction."""
    sql = "SELECT id FROM variant WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    stored = {row[0] for row in fetch_in_batches(fetch_from(cursor), sql, (v.id for v in variants))}
    new: dict[str, Variant] = {}
    already: list[str] = []
    for variant in variants:
        if variant.id in stored or variant.id in new:
            already.append(variant.id)
        else:
            new[variant.id] = variant
    rows = ((v.id, v.item, v.revision, v.kind, v.text, v.status, v.generator, v.seed, v.checks, v.status) for v in new.values())
    insert_rows(cursor, "variant", f"{_COLUMNS}, born_status", rows, is_numbered=True)
    return AddedIds(list(new), already)


def update_checks(cursor: Cursor, id: str, checks: Mapping[str, Any]) -> None:
    """Replace the results of the automatic checks on a stored variant."""
    cursor.execute("UPDATE variant SET checks = ? WHERE id = ?", [to_json(checks), id])


def load_variants(database: Database, ids: Iterable[str]) -> list[Variant]:
    """Return the variants with the given ids, in that order; unknown ids are left out."""
    return fetch_variants(database.rows, ids)


def fetch_variants(fetch: Fetch, ids: Iterable[str]) -> list[Variant]:
    """Return the variants with the given ids like `load_variants`, using the query function of a transaction."""
    wanted = list(ids)
    sql = f"SELECT {_COLUMNS} FROM variant WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    variants = {row[0]: _variant_from_row(row) for row in fetch_in_batches(fetch, sql, dict.fromkeys(wanted))}
    return [variants[id] for id in wanted if id in variants]


def list_variants(database: Database, kind: str | None = None, status: Status | None = None) -> list[Variant]:
    """Return the variants with the given kind and status (None = any), in the order in which they were added."""
    conditions, params = build_conditions({"kind": kind, "status": status})
    sql = f"SELECT {_COLUMNS} FROM variant WHERE {' AND '.join(['true', *conditions])} ORDER BY number"
    return [_variant_from_row(row) for row in database.rows(sql, params)]


def load_variants_of(database: Database, items: Iterable[str]) -> list[Variant]:
    """Return the variants of the given items with any status, in the order in which they were added."""
    if not database.has_any("variant"):
        return []
    sql = f"SELECT {_COLUMNS} FROM variant WHERE item IN (SELECT unnest(?::VARCHAR[])) ORDER BY number"
    return [_variant_from_row(row) for row in fetch_in_batches(database.rows, sql, items)]


def _variant_from_row(row: tuple[Any, ...]) -> Variant:
    return Variant(*decode_json(row, 8))
