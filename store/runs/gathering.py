"""Gather the results of shards (parts of a run that were computed separately) into one workspace. A row whose key is already
stored is not stored again, and each call of `gather_tables` is one transaction. Gathering the same files again changes
nothing."""

import os
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from core.errors import BenchError
from store.engine.columns import fetch_from, last_number
from store.engine.database import Cursor, Database
from store.engine.exchange import exchange_folder
from store.runs import twin_traces
from store.runs.shard_files import NUMBERED, list_columns

REPLACES: Mapping[str, str] = {
    "trace": "t.answer IS NULL AND t.stop = ? AND (p.answer IS NOT NULL OR p.stop <> t.stop)",
    "score": "t.value IS NULL AND p.value IS NOT NULL",
    "job": "t.state <> 'done' AND t.state <> p.state",
    "job_item": "t.result IS NULL AND p.result IS NOT NULL",
}
"""Dict from table to an SQL condition. If the condition is true, a shard's row (p) replaces the stored row (t) with the same
key. If the condition is false, the stored row does not change."""


class TakenRows(NamedTuple):
    """Numbers of rows of one table: rows that were stored from shards, and rows that were already stored."""

    taken: int
    already: int


class _Source(NamedTuple):
    """One table, with the Parquet files that contain its rows."""

    table: str
    columns: Sequence[str]
    keys: Sequence[str]
    files: Sequence[Path]


def gather_tables(database: Database, rounds: Sequence[Mapping[str, Sequence[Path]]], outage: str) -> dict[str, TakenRows]:
    """Store the rows of each table's Parquet files; return a dict from table to the numbers of stored rows. `rounds` are lists
    of files in their order; a later list may contain rows of an earlier list again. `outage` is the stop reason of answers that
    failed because of an outage; later answers replace these answers."""
    if database.path is None:
        raise BenchError("Shards cannot be gathered into a workspace in memory: give a file with --workspace FILE.")
    with link_files(exchange_folder(database.path), rounds) as linked:
        sources = [
            _Source(table, *list_columns(database, table), files) for round_ in linked for table, files in round_.items()
        ]

        def write(cursor: Cursor) -> dict[str, TakenRows]:
            taken: dict[str, TakenRows] = {}
            for source in sources:
                try:
                    rows = _take(cursor, source, outage)
                except (duckdb.BinderException, duckdb.ConversionException, duckdb.InvalidInputException) as error:
                    first = str(error).splitlines()[0]
                    raise BenchError(
                        f"The shards' files of the table {source.table} cannot be read ({first}); nothing was gathered: run "
                        "the shard again."
                    ) from error
                before = taken.get(source.table, TakenRows(0, 0))
                taken[source.table] = TakenRows(before.taken + rows.taken, before.already + rows.already)
            return taken

        return database.write(write)


def _take(cursor: Cursor, source: _Source, outage: str) -> TakenRows:
    table, columns, keys, files = source
    same_key = " AND ".join(f't."{key}" = p."{key}"' for key in keys)
    quoted = ", ".join("'" + str(file).replace("'", "''") + "'" for file in files)
    rows = f"read_parquet([{quoted}]) p LEFT JOIN {table} t ON {same_key}"
    is_new, replaces = f't."{keys[0]}" IS NULL', REPLACES.get(table, "false")
    params = [outage] * replaces.count("?")
    counts = f"count(*) FILTER ({is_new}), count(*) FILTER (NOT ({is_new}) AND ({replaces})), count(*)"
    new, replaced, total = cursor.execute(f"SELECT {counts} FROM {rows}", params).fetchall()[0]
    names = ", ".join(f'"{name}"' for name in columns)
    values = ", ".join(f'p."{name}"' for name in columns)
    if new:
        last = last_number(fetch_from(cursor), table) if table in NUMBERED else 0
        number, value = (", number", f", {last} + row_number() OVER ()") if table in NUMBERED else ("", "")
        sql = f"SELECT {values}{value} FROM {rows} WHERE {is_new} ON CONFLICT DO NOTHING"  # several shards may have the row
        [(new,)] = cursor.execute(f"INSERT INTO {table} ({names}{number}) {sql}").fetchall()
    if replaced:
        changed = ", ".join(f'"{name}" = p."{name}"' for name in columns if name not in keys)
        cursor.execute(
            f"UPDATE {table} t SET {changed} FROM read_parquet([{quoted}]) p WHERE {same_key} AND ({replaces})", params
        )
    return TakenRows(new + replaced, total - new - replaced)


@contextmanager
def link_files(folder: Path, rounds: Sequence[Mapping[str, Sequence[Path]]]) -> Iterator[list[dict[str, list[Path]]]]:
    """Yield the same lists of files, with each file replaced by a hard link in the exchange folder, the only folder that SQL
    may read. A file on another disk is copied instead."""
    own = folder / uuid.uuid4().hex

    def link(file: Path) -> Path:
        linked = own / f"{uuid.uuid4().hex}.parquet"
        try:
            os.link(file.resolve(), linked)
        except OSError:
            shutil.copyfile(file, linked)
        return linked

    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        own.mkdir(mode=0o700)
        yield [{table: [link(file) for file in files] for table, files in round_.items()} for round_ in rounds]
    except OSError as error:
        first = error.strerror or str(error)
        raise BenchError(
            f"Copying the shards to the workspace's folder failed ({first}): free disk space and gather again."
        ) from error
    finally:
        shutil.rmtree(own, ignore_errors=True)
        with suppress(OSError):  # the folder contains another copy
            folder.rmdir()


class MissingQuestions(NamedTuple):
    """The questions of a run, including absence twins, that have no answer in this workspace."""

    asked: int
    missing: int
    items: Sequence[str]
    """Ids of the items with unanswered questions."""


def find_missing(database: Database, run: str) -> MissingQuestions:
    """Return the questions of the run that none of the gathered shards answered."""
    asked_twins = twin_traces.list_asked(database, run)
    open_twins = sorted(set(asked_twins) - twin_traces.load_traces(database, run).keys()) if asked_twins else []
    sql = "SELECT json_array_length(asked), (SELECT count(*) FROM trace WHERE run = ?) FROM run WHERE id = ?"
    rows: list[tuple[Any, ...]] = database.rows(sql, [run, run])
    if not rows:
        return MissingQuestions(0, 0, [])
    [(asked, answered)] = rows
    if asked == answered:
        return MissingQuestions(asked + len(asked_twins), len(open_twins), open_twins)
    missing = database.rows(
        """
        WITH asked AS (
            SELECT unnest(from_json(asked, '[["VARCHAR"]]')) AS question FROM run WHERE id = ?
        )
        SELECT question[1], count(*)
        FROM asked
        WHERE NOT EXISTS (
            SELECT 1 FROM trace t WHERE t.run = ? AND t.item = question[1] AND t.variant = coalesce(question[2], '')
        )
        GROUP BY question[1]
        ORDER BY question[1]
        """,
        [run, run],
    )
    items = sorted({*open_twins, *(item for item, _ in missing)})
    return MissingQuestions(asked + len(asked_twins), sum(n for _, n in missing) + len(open_twins), items)
