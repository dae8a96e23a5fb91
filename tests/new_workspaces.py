"""New workspaces of tests are copies of an empty one. Making the tables takes 0.1 s, and most tests open a new workspace."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import duckdb
import pytest

from store.engine import commits, database
from store.engine.migrations import SCHEMA, find_last_step, migrate
from workbench import Workbench


@contextmanager
def copied_from_empty(folder: Path) -> Iterator[None]:
    """Within the block, Database.open and Workbench.open begin a new workspace of the present schema as a copy of one in that
    folder."""
    tables, bench = folder / "tables.duckdb", folder / "bench.duckdb"
    database.Database.open(tables).close()
    Workbench.open(bench).close()
    source = ContextVar("source", default=tables)
    open_database, open_bench = database.Database.open, Workbench.open

    def open_copied(
        cls: type[database.Database], path: Path | str, read_only_ok: bool = False, schema: Path = SCHEMA
    ) -> database.Database:
        file = Path(path)
        is_new = file.parent.is_dir() and not file.exists() and not commits.is_left_open(file)
        if is_new and str(path) != database.IN_MEMORY and schema == SCHEMA:
            shutil.copy(source.get(), file)
        return open_database(path, read_only_ok, schema)

    def open_copied_bench(cls: type[Workbench], *arguments: object, **named: object) -> Workbench:
        before = source.set(bench)
        try:
            return open_bench(*arguments, **named)
        finally:
            source.reset(before)

    def copy_tables(root: duckdb.DuckDBPyConnection, where: str, before: Callable[[int], None], schema: Path) -> list[int]:
        if schema == SCHEMA and find_last_step(root, where) == 0:
            root.execute(f"ATTACH '{source.get()}' AS empty_workspace (READ_ONLY)")
            root.execute("COPY FROM DATABASE empty_workspace TO memory")
            root.execute("DETACH empty_workspace")
        return migrate(root, where, before, schema)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database.Database, "open", classmethod(open_copied))
        patch.setattr(Workbench, "open", classmethod(open_copied_bench))
        patch.setattr(database, "migrate", copy_tables)
        yield
