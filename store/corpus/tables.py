"""Store and load tables of entities. Each stored table is a snapshot: a specification and rows that never change. A table whose
rows or specification change becomes a new snapshot under the same name. An old snapshot stays stored as long as an item, a
release or a half-life check uses it."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from core.tables.nouns import ColumnType, TableSpec, data_hash, snapshot_hash, spec_from_record, spec_record
from core.tables.world import EntityTable
from store.engine.columns import Timestamp, current_time, from_json, insert_rows, to_json
from store.engine.database import Cursor, Database
from store.engine.opening import quote_name

_SQL_TYPES: dict[ColumnType, str] = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "VARCHAR",
    "list": "VARCHAR",
}
"""SQL type of each column type of a table. A list is stored as JSON, which keeps the types of its values."""
_PLACE = '"#"'
"""Name of the column that stores the position of a row; no column of a user's table has this name."""
_COLUMNS = "hash, number, name, spec, data, rows, origin, added_at, is_current"


class StoredTable(NamedTuple):
    """One stored table snapshot, without its rows."""

    hash: str
    number: int
    name: str
    spec: TableSpec
    data: str
    """Hash of the snapshot's rows."""
    rows: int
    origin: str
    """Name of the file that the rows were read from."""
    added_at: Timestamp
    is_current: bool
    """Whether this snapshot is the current one of its table name."""


class TableUpdate(NamedTuple):
    """Result of storing a table: whether its snapshot is new, and which snapshot the new one replaced."""

    stored: StoredTable
    is_new: bool
    """Whether the stored table has another specification or other rows than the previous snapshot with its name."""
    replaced: StoredTable | None
    """The previous current snapshot with this name, or None if the name is new."""


def put(database: Database, spec: TableSpec, rows: Sequence[tuple[Any, ...]], origin: str) -> TableUpdate:
    """Store the table as a snapshot and make it the current snapshot under the table's name."""
    data = data_hash(spec.columns, rows)
    hash = snapshot_hash(spec, data)
    before = load_current(database, spec.name)
    if before is not None and before.hash == hash:
        return TableUpdate(before, False, None)
    at = current_time()

    def write(cursor: Cursor) -> None:
        _store_rows(cursor, data, spec, rows)
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
    """Store a table snapshot from an imported release; return whether the snapshot was not stored before. If `in_use` is true
    and no snapshot with the table's name is current yet, this snapshot becomes the current one."""
    spec, data = table.spec, data_hash(table.spec.columns, table.rows)
    at = current_time()

    def write(cursor: Cursor) -> bool:
        if cursor.execute("SELECT 1 FROM knowledge_table WHERE hash = ?", [table.hash]).fetchall():
            return False
        _store_rows(cursor, data, spec, table.rows)
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
    """Check whether the stored specification and rows of the table snapshot still have the snapshot's hash."""
    table = load(database, hash)
    return snapshot_hash(table.spec, data_hash(table.spec.columns, table.rows)) == hash


def load_known(database: Database, hashes: Iterable[str]) -> dict[str, StoredTable]:
    """Return a dict from hash to table snapshot, for those of the given hashes that are stored."""
    wanted = list(dict.fromkeys(hashes))
    tables = _fetch_tables(database, "hash IN (SELECT unnest(?::VARCHAR[]))", [wanted]) if wanted else []
    return {table.hash: table for table in tables}


def list_tables(database: Database) -> list[StoredTable]:
    """Return the current table snapshots, sorted by name."""
    return _fetch_tables(database, "is_current ORDER BY name", [])


def load_current(database: Database, name: str) -> StoredTable | None:
    """Return the current table snapshot with the given name, or None if there is none."""
    return next(iter(_fetch_tables(database, "name = ? AND is_current", [name])), None)


def list_snapshots(database: Database, name: str) -> list[StoredTable]:
    """Return all stored snapshots of the table with the given name, newest first."""
    return _fetch_tables(database, "name = ? ORDER BY number DESC", [name])


def get(database: Database, hash: str) -> StoredTable:
    """Return the table snapshot with the given hash, without its rows. Raises BenchError if the snapshot is not stored."""
    for stored in _fetch_tables(database, "hash = ?", [hash]):
        return stored
    raise BenchError(f"No table snapshot {hash} in this workspace: add the table file that the items were made from.")


def load(database: Database, hash: str) -> EntityTable:
    """Return the table snapshot with the given hash, with its rows."""
    stored = get(database, hash)
    return EntityTable(stored.spec, _load_rows(database, stored, ""), stored.hash)


def load_page(database: Database, hash: str, limit: int, offset: int = 0) -> list[tuple[Any, ...]]:
    """Return at most `limit` rows of the table snapshot from row `offset` on, in order."""
    return _load_rows(database, get(database, hash), f"LIMIT {int(limit)} OFFSET {int(offset)}")


def count_accepted_from(database: Database, hash: str) -> int:
    """Return how many accepted items were made from the table snapshot, as their recorded drafting steps say (see
    core.tables.nouns.tables_step)."""
    sql = """
        SELECT count(*)
        FROM state JOIN revision ON revision.item = state.item AND revision.revision = state.revision
        WHERE contains(steps, ?) AND state.status = 'accepted'
        """
    return int(database.rows(sql, [hash])[0][0])


def retire(database: Database, name: str) -> bool:
    """Take the table out of use: none of its snapshots stays current. Return whether a snapshot was current before. Delete the
    table's snapshots, except those that an item, a release or a half-life check uses."""
    stored = list_snapshots(database, name)
    unused = [snapshot for snapshot in stored if not _is_needed(database, snapshot.hash)]

    def write(cursor: Cursor) -> None:
        cursor.execute("UPDATE knowledge_table SET is_current = false WHERE name = ?", [name])
        for snapshot in unused:
            cursor.execute("DELETE FROM knowledge_table WHERE hash = ?", [snapshot.hash])
            if not cursor.execute("SELECT 1 FROM knowledge_table WHERE data = ?", [snapshot.data]).fetchall():
                cursor.execute(f"DROP TABLE IF EXISTS {_table_name(snapshot.data)}")

    database.write(write)
    return any(snapshot.is_current for snapshot in stored)


def _store_rows(cursor: Cursor, data: str, spec: TableSpec, rows: Sequence[tuple[Any, ...]]) -> None:
    """Store the rows of a table snapshot in a separate database table, unless equal rows are already stored."""
    table = _table_name(data)
    if cursor.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = ?", [table]).fetchall():
        return
    columns = {quote_name(column): _SQL_TYPES[kind] for column, kind in spec.columns.items()}
    typed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
    cursor.execute(f"CREATE TABLE {table} ({_PLACE} INTEGER PRIMARY KEY, {typed})")
    insert_rows(cursor, table, ", ".join([_PLACE, *columns]), ((place, *row) for place, row in enumerate(rows)))


def _load_rows(database: Database, stored: StoredTable, limit: str) -> list[tuple[Any, ...]]:
    names = ", ".join(map(quote_name, stored.spec.columns))
    rows = database.rows(f"SELECT {names} FROM {_table_name(stored.data)} ORDER BY {_PLACE} {limit}")
    lists = [place for place, kind in enumerate(stored.spec.columns.values()) if kind == "list"]
    if not lists:
        return rows
    return [
        tuple(tuple(from_json(cell)) if place in lists and cell is not None else cell for place, cell in enumerate(row))
        for row in rows
    ]


def _fetch_tables(database: Database, where: str, params: Sequence[Any]) -> list[StoredTable]:
    rows = database.rows(f"SELECT {_COLUMNS} FROM knowledge_table WHERE {where}", params)
    return [StoredTable(*(*row[:3], spec_from_record(from_json(row[3])), *row[4:])) for row in rows]


def _is_needed(database: Database, hash: str) -> bool:
    """Check whether an item's revision, a release's manifest or a half-life check contains the hash of the table snapshot."""
    sql = """
        SELECT EXISTS (SELECT 1 FROM revision WHERE contains(steps, ?))
            OR EXISTS (SELECT 1 FROM release WHERE contains(manifest, ?))
            OR EXISTS (SELECT 1 FROM half_life_check WHERE contains(inputs, ?))
        """
    return bool(database.rows(sql, [hash, hash, hash])[0][0])


def _table_name(data: str) -> str:
    return f"data_{data.rpartition(':')[2]}"
