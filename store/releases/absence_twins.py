"""Store and load absence twins: questions of a release that are asked again while some passages are hidden from the system."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.retrieval.absence import AbsenceTwin, twin_from_record, twin_record
from store.engine.columns import fetch_in_batches, from_json, insert_rows
from store.engine.database import Database

KEY = "absence_twins"
"""Key of the twins in a release's manifest: {"share", "seed", "most", "obstacles": {why: number of items}, "twins": [{"item",
"hash"}]}."""


def list_rows(manifest: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
    """Return the records of absence twins in the manifest, each with "item" and "hash"; empty if the release has no twins."""
    rows: Sequence[Mapping[str, str]] = manifest.get(KEY, {}).get("twins", ())
    return rows


def add(database: Database, twins: Sequence[AbsenceTwin]) -> None:
    """Store absence twins; twins that are already stored do not change."""
    rows = [(twin.hash, twin.item, twin_record(twin)["hidden"]) for twin in twins]
    database.write(lambda cursor: insert_rows(cursor, "absence_twin", "hash, item, hidden", rows))


def load(database: Database, manifest: Mapping[str, Any]) -> list[AbsenceTwin]:
    """Return the stored absence twins of a release in the order of its manifest; twins that are not stored are left out."""
    wanted = [row["hash"] for row in list_rows(manifest)]
    if not wanted:
        return []
    sql = "SELECT hash, item, hidden FROM absence_twin WHERE hash IN (SELECT unnest(?::VARCHAR[]))"
    rows = fetch_in_batches(database.rows, sql, wanted)
    found = {hash_: twin_from_record({"item": item, "hidden": from_json(hidden)}) for hash_, item, hidden in rows}
    return [found[hash_] for hash_ in wanted if hash_ in found]


def list_items(database: Database, release: str, hash_: str) -> list[str]:
    """Return the ids of the release's items that have an absence twin, in order, without reading the rest of the manifest."""
    sql = f"SELECT json_extract(manifest, '$.{KEY}') FROM release WHERE name = ? AND hash = ?"
    found = [from_json(twins) for (twins,) in database.rows(sql, [release, hash_]) if twins]
    return [row["item"] for twins in found for row in list_rows({KEY: twins})]
