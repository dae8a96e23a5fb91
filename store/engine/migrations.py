"""Migrate the schema of a workspace with numbered SQL files. In an existing workspace, each SQL file runs in a separate
transaction, which also records that the file ran. In a new workspace all files run in one transaction, because each commit
waits for the disk. A workspace of a newer program version is refused; an older workspace is first copied to a file in the same
folder."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import duckdb

from core.errors import BenchError

SCHEMA = Path(__file__).parents[1] / "schema"


class SchemaStep(NamedTuple):
    """One numbered SQL file that changes the schema of a workspace."""

    number: int
    name: str
    sql: str


def load_steps(folder: Path = SCHEMA) -> list[SchemaStep]:
    """Return all schema steps in the order of their numbers; 001_first.sql has number 1. Raises BenchError if a number is
    missing or occurs twice."""
    steps = [SchemaStep(int(p.name[:3]), p.stem, p.read_text(encoding="utf-8")) for p in sorted(folder.glob("[0-9]*.sql"))]
    if [step.number for step in steps] != list(range(1, len(steps) + 1)):
        raise BenchError(
            f"The files in {folder} are not numbered 001, 002, ... without a gap: {[step.name for step in steps]}."
        )
    return steps


def find_last_step(connection: duckdb.DuckDBPyConnection, where: str) -> int:
    """Return the number of the last schema step that ran on the workspace, or 0 for a new file. Raises BenchError if the file
    is a DuckDB file of another program."""
    try:
        return int(connection.execute("SELECT coalesce(max(number), 0) FROM schema_step").fetchall()[0][0])
    except duckdb.CatalogException as error:
        if connection.execute("SELECT 1 FROM duckdb_tables() WHERE database_name = current_database() LIMIT 1").fetchall():
            raise BenchError(f"{where} is a DuckDB file but no Benchwright workspace: give another --workspace.") from error
    return 0


def migrate(
    connection: duckdb.DuckDBPyConnection, where: str, before: Callable[[int], None], folder: Path = SCHEMA
) -> list[int]:
    """Run the schema steps that have not run yet; return their numbers. Before the first step, call `before` with the number of
    this step, unless the workspace is new. Raises BenchError if the workspace is newer than this program."""
    steps = load_steps(folder)
    done = find_last_step(connection, where)
    if done > len(steps):
        raise BenchError(
            f"{where} was made by a newer Benchwright (schema {done}, but this version knows only {len(steps)}): update "
            "Benchwright, or open a backup."
        )
    waiting = steps[done:]
    if waiting and done:
        before(waiting[0].number)
    for steps_at_once in [[step] for step in waiting] if done else [waiting]:
        _run_steps(connection, where, steps_at_once)
    if waiting:
        connection.execute("CHECKPOINT")  # after a kill, DuckDB would not repeat schema changes from the log
    return [step.number for step in waiting]


def _run_steps(connection: duckdb.DuckDBPyConnection, where: str, steps: Sequence[SchemaStep]) -> None:
    """Run the schema steps in one transaction, which also records that they ran."""
    connection.execute("BEGIN")
    step = steps[0]
    try:
        if step.number == 1:
            connection.execute("CREATE TABLE schema_step (number INTEGER PRIMARY KEY, name VARCHAR, made_at VARCHAR)")
        for step in steps:
            connection.execute(step.sql)
        made_at = datetime.now(UTC).isoformat()
        sql = "INSERT INTO schema_step SELECT unnest(?::INTEGER[]), unnest(?::VARCHAR[]), ?"
        connection.execute(sql, [[step.number for step in steps], [step.name for step in steps], made_at])
        connection.execute("COMMIT")
    except duckdb.Error as error:
        connection.execute("ROLLBACK")
        raise BenchError(
            f"{where} could not be migrated to schema {step.name} ({str(error).splitlines()[0]}): the migration step changed "
            "nothing."
        ) from error
