"""Store and load absence twins: for items of a release, the passages that are hidden when the question is asked as a twin."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.retrieval.absence import AbsenceTwin, twin_from_record, twin_record
from store.engine.columns import fetch_in_batches, from_json, insert_rows
from store.engine.database import Database

KEY = "absence_twins"
"""Key of a manifest with twins: {"share", "seed", "most", "obstacles": {why: number of items}, "twins": [{"item", "hash"}]}."""


def list_rows(manifest: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
    """Return the manifest's records of its twins, {"item", "hash"} each; empty if the release has none."""
    rows: Sequence[Mapping[str, str]] = manifest.get(KEY, {}).get("twins", ())
    return rows


def add(database: Database, twins: Sequence[AbsenceTwin]) -> None:
    """Store the twins; those that are stored already stay."""
    rows = [(twin.hash, twin.item, twin_record(twin)["hidden"]) for twin in twins]
    database.write(lambda cursor: insert_rows(cursor, "absence_twin", "hash, item, hidden", rows))


def load(database: Database, manifest: Mapping[str, Any]) -> list[AbsenceTwin]:
    """Return the stored twins of a release in the order of its manifest; twins that are not stored are left out."""
    wanted = [row["hash"] for row in list_rows(manifest)]
    if not wanted:
        return []
    sql = "SELECT hash, item, hidden FROM absence_twin WHERE hash IN (SELECT unnest(?::VARCHAR[]))"
    rows = fetch_in_batches(database.rows, sql, wanted)
    found = {hash_: twin_from_record({"item": item, "hidden": from_json(hidden)}) for hash_, item, hidden in rows}
    return [found[hash_] for hash_ in wanted if hash_ in found]


def list_items(database: Database, release: str, hash_: str) -> list[str]:
    """Return the ids of the release's items that have a twin, in order, without reading the rest of its manifest."""
    sql = f"SELECT json_extract(manifest, '$.{KEY}') FROM release WHERE name = ? AND hash = ?"
    found = [from_json(twins) for (twins,) in database.rows(sql, [release, hash_]) if twins]
    return [row["item"] for twins in found for row in list_rows({KEY: twins})]
