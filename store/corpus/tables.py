"""Tables of entities in and out. A snapshot (a spec over rows) never changes: other rows or another spec under a name are a new
snapshot, and the old one stays as long as an item was made from it or a release froze it."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from core.tables.nouns import ColumnType, TableSpec, data_hash, snapshot_hash, spec_from_record, spec_record
from core.tables.world import EntityTable
from store.engine.columns import current_time, from_json, insert_rows, to_json
from store.engine.database import Cursor, Database

_SQL_TYPES: dict[ColumnType, str] = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "VARCHAR",
    "list": "VARCHAR",
}
"""Lists stand as JSON: what is in them keeps its type."""
_PLACE = '"#"'
"""A row's place; no column of a file is named so."""
_COLUMNS = "hash, number, name, spec, data, rows, origin, added_at, is_current"


class StoredTable(NamedTuple):
    """A snapshot without its rows."""

    hash: str
    number: int
    name: str
    spec: TableSpec
    data: str
    rows: int
    origin: str
    """The file that its rows came from."""
    added_at: str
    is_current: bool


class TableUpdate(NamedTuple):
    """What became of a table that was put in."""

    stored: StoredTable
    is_new: bool
    """False when the same spec over the same rows was in use under that name already."""
    replaced: StoredTable | None
    """The snapshot that was in use under that name, and is not any more."""


def put(database: Database, spec: TableSpec, rows: Sequence[tuple[Any, ...]], origin: str) -> TableUpdate:
    """Keep the table, and use it from now on under its name."""
    data = data_hash(spec.columns, rows)
    hash = snapshot_hash(spec, data)
    before = load_current(database, spec.name)
    if before is not None and before.hash == hash:
        return TableUpdate(before, False, None)
    at = current_time()

    def write(cursor: Cursor) -> None:
        _keep(cursor, data, spec, rows)
        cursor.execute("UPDATE knowledge_table SET is_current = false WHERE name = ? AND is_current", [spec.name])
        cursor.execute(
            f"""
            INSERT INTO knowledge_table ({_COLUMNS})
            SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, true FROM knowledge_table
            ON CONFLICT DO UPDATE SET is_current = true, number = excluded.number, added_at = excluded.added_at
            """,
            [hash, spec.name, to_json(spec_record(spec)), data, len(rows), origin, at],
        )

    database.write(write)
    return TableUpdate(get(database, hash), True, before)


def keep(database: Database, table: EntityTable, origin: str, in_use: bool) -> bool:
    """Keep a snapshot that came with a release; `in_use` puts it in use under its name, where none is. Returns whether it is
    new here."""
    spec, data = table.spec, data_hash(table.spec.columns, table.rows)
    at = current_time()

    def write(cursor: Cursor) -> bool:
        if cursor.execute("SELECT 1 FROM knowledge_table WHERE hash = ?", [table.hash]).fetchall():
            return False
        _keep(cursor, data, spec, table.rows)
        cursor.execute(
            f"""
            INSERT INTO knowledge_table ({_COLUMNS})
            SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?,
                ? AND coalesce(bool_and(name <> ? OR NOT is_current), true)
            FROM knowledge_table
            """,
            [table.hash, spec.name, to_json(spec_record(spec)), data, len(table.rows), origin, at, in_use, spec.name],
        )
        return True

    return database.write(write)


def is_whole(database: Database, hash: str) -> bool:
    """Whether a snapshot's spec and rows still have the hash that it was kept under."""
    table = load(database, hash)
    return snapshot_hash(table.spec, data_hash(table.spec.columns, table.rows)) == hash


def load_known(database: Database, hashes: Iterable[str]) -> dict[str, StoredTable]:
    """Those of the snapshots that are here, by hash."""
    wanted = list(dict.fromkeys(hashes))
    found = _fetch_tables(database, "hash IN (SELECT unnest(?::VARCHAR[]))", [wanted]) if wanted else []
    return {stored.hash: stored for stored in found}


def list_tables(database: Database) -> list[StoredTable]:
    """Those in use, by name."""
    return _fetch_tables(database, "is_current ORDER BY name", [])


def load_current(database: Database, name: str) -> StoredTable | None:
    """The one in use under that name."""
    return next(iter(_fetch_tables(database, "name = ? AND is_current", [name])), None)


def list_snapshots(database: Database, name: str) -> list[StoredTable]:
    """All that are kept under that name, newest first."""
    return _fetch_tables(database, "name = ? ORDER BY number DESC", [name])


def get(database: Database, hash: str) -> StoredTable:
    """A snapshot. Raises BenchError when it is not here."""
    found = _fetch_tables(database, "hash = ?", [hash])
    if not found:
        raise BenchError(f"No table {hash} in this workspace: bring the file of it that the items were made from.")
    return found[0]


def load(database: Database, hash: str) -> EntityTable:
    """A snapshot with its rows."""
    stored = get(database, hash)
    return EntityTable(stored.spec, _cells(database, stored, ""), stored.hash)


def load_page(database: Database, hash: str, limit: int, offset: int = 0) -> list[tuple[Any, ...]]:
    """Some of its rows, in order."""
    return _cells(database, get(database, hash), f"LIMIT {int(limit)} OFFSET {int(offset)}")


def count_accepted_from(database: Database, hash: str) -> int:
    """How many accepted items were made from that snapshot, see core.tables.nouns.tables_step."""
    return _count(database, hash, "AND status = 'accepted'")


def retire(database: Database, name: str) -> bool:
    """Take the name out of use; its snapshots that items of any status were made from, or that a release froze, stay, the
    others are gone. Returns whether there was one."""
    found = list_snapshots(database, name)
    idle = [stored for stored in found if not _is_needed(database, stored.hash)]

    def write(cursor: Cursor) -> None:
        cursor.execute("UPDATE knowledge_table SET is_current = false WHERE name = ?", [name])
        for stored in idle:
            cursor.execute("DELETE FROM knowledge_table WHERE hash = ?", [stored.hash])
            if not cursor.execute("SELECT 1 FROM knowledge_table WHERE data = ?", [stored.data]).fetchall():
                cursor.execute(f"DROP TABLE IF EXISTS {_table(stored.data)}")

    database.write(write)
    return any(stored.is_current for stored in found)


def _keep(cursor: Cursor, data: str, spec: TableSpec, rows: Sequence[tuple[Any, ...]]) -> None:
    """The rows in a table of their own, unless they are there."""
    table = _table(data)
    if cursor.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = ?", [table]).fetchall():
        return
    columns = {_quote_column(column): _SQL_TYPES[kind] for column, kind in spec.columns.items()}
    listed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
    cursor.execute(f"CREATE TABLE {table} ({_PLACE} INTEGER PRIMARY KEY, {listed})")
    insert_rows(
        cursor,
        table,
        {_PLACE: "INTEGER", **columns},
        (
            (place, *(to_json(list(cell)) if isinstance(cell, tuple) else cell for cell in row))
            for place, row in enumerate(rows)
        ),
    )


def _cells(database: Database, stored: StoredTable, limit: str) -> list[tuple[Any, ...]]:
    names = ", ".join(map(_quote_column, stored.spec.columns))
    found = database.rows(f"SELECT {names} FROM {_table(stored.data)} ORDER BY {_PLACE} {limit}")
    lists = [place for place, kind in enumerate(stored.spec.columns.values()) if kind == "list"]
    if not lists:
        return found
    return [
        tuple(tuple(from_json(cell)) if place in lists and cell is not None else cell for place, cell in enumerate(row))
        for row in found
    ]


def _fetch_tables(database: Database, where: str, params: Sequence[Any]) -> list[StoredTable]:
    rows = database.rows(f"SELECT {_COLUMNS} FROM knowledge_table WHERE {where}", params)
    return [StoredTable(*(*row[:3], spec_from_record(from_json(row[3])), *row[4:])) for row in rows]


def _count(database: Database, hash: str, status: str = "") -> int:
    """Items whose current revision was made from it."""
    sql = f"""
        SELECT count(*)
        FROM state JOIN revision ON revision.item = state.item AND revision.revision = state.revision
        WHERE contains(steps, ?) {status.replace("status", "state.status")}
        """
    return int(database.rows(sql, [hash])[0][0])


def _is_needed(database: Database, hash: str) -> bool:
    """Whether a revision of an item, or the manifest of a release, names it."""
    sql = """
        SELECT EXISTS (SELECT 1 FROM revision WHERE contains(steps, ?))
            OR EXISTS (SELECT 1 FROM release WHERE contains(manifest, ?))
        """
    return bool(database.rows(sql, [hash, hash])[0][0])


def _table(data: str) -> str:
    return f"data_{data.rpartition(':')[2]}"


def _quote_column(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'
