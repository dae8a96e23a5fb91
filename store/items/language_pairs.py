"""Store and load language pairs: items that ask the same in two languages."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.quality.language_pairs import LanguagePair, pair_from_record
from store.engine.columns import current_time, from_json, insert_rows
from store.engine.database import Cursor, Database

KEY = "language_pairs"
"""Key of the pairs in a release's manifest: {"pairs": [{"item", "twin", "source", "made_by"}]}."""
_COLUMNS = "item, twin, source, made_by"


def add(database: Database, pairs: Sequence[LanguagePair]) -> int:
    """Store the pairs that are new; return their number. The same two items in the other order are the same pair."""
    return database.write(lambda cursor: insert(cursor, pairs))


def insert(cursor: Cursor, pairs: Sequence[LanguagePair]) -> int:
    """Store pairs as `add` does, within the caller's transaction."""
    known = {frozenset(row) for row in cursor.execute("SELECT item, twin FROM language_pair").fetchall()}
    new = {frozenset(pair[:2]): pair for pair in pairs if frozenset(pair[:2]) not in known}
    insert_rows(cursor, "language_pair", f"{_COLUMNS}, made_at", [(*pair, current_time()) for pair in new.values()])
    return len(new)


def remove(database: Database, item: str, twin: str) -> bool:
    """Delete the pair of the two items, in whichever order; return whether there was one."""
    sql = "DELETE FROM language_pair WHERE item = ? AND twin = ? OR item = ? AND twin = ? RETURNING item"
    return database.write(lambda cursor: bool(cursor.execute(sql, [item, twin, twin, item]).fetchall()))


def load(database: Database, items: Collection[str] | None = None) -> list[LanguagePair]:
    """Return the pairs in the order of their items; with `items`, only pairs that have one of these."""
    rows = [LanguagePair(*row) for row in database.rows(f"SELECT {_COLUMNS} FROM language_pair ORDER BY item, twin")]
    return [pair for pair in rows if items is None or pair.item in items or pair.twin in items]


def list_frozen(manifest: Mapping[str, Any]) -> list[LanguagePair]:
    """Return the pairs that the manifest of a release states; empty if it states none."""
    return [pair_from_record(record) for record in manifest.get(KEY, {}).get("pairs", ())]


def load_frozen(database: Database, release: str, hash_: str) -> list[LanguagePair]:
    """Return the pairs of the release without reading the rest of its manifest."""
    sql = f"SELECT json_extract(manifest, '$.{KEY}') FROM release WHERE name = ? AND hash = ? LIMIT 1"
    return [pair for (found,) in database.rows(sql, [release, hash_]) if found for pair in list_frozen({KEY: from_json(found)})]
