"""New workspaces of tests are copies of an empty one. Making the tables takes 0.1 s, and most tests open a new workspace."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pytest

from store.engine import commits, database, opening
from store.engine.migrations import SCHEMA
from workbench import Workbench


@contextmanager
def copied_from_empty(folder: Path) -> Iterator[None]:
    """Within the block, Database.open and Workbench.open begin a new workspace of the present schema as a copy of one in that
    folder."""
    tables, bench = folder / "tables.duckdb", folder / "bench.duckdb"
    database.Database.open(tables).close()
    Workbench.open(bench).close()
    source, numbers = ContextVar("source", default=tables), count()
    open_database, open_bench = database.Database.open, Workbench.open

    def open_copied(
        cls: type[database.Database], path: Path | str, read_only_ok: bool = False, schema: Path = SCHEMA
    ) -> database.Database:
        if str(path) == opening.IN_MEMORY and schema == SCHEMA:
            return open_in_memory(cls)
        file = Path(path)
        is_new = file.parent.is_dir() and not file.exists() and not commits.is_left_open(file)
        if is_new and schema == SCHEMA:
            shutil.copy(source.get(), file)
        return open_database(path, read_only_ok, schema)

    def open_in_memory(cls: type[database.Database]) -> database.Database:
        """Open a copy in shared memory. Its file has no name any more, so it ends with its last use. To make the tables of a
        workspace in memory takes three times as long."""
        file = Path(memory) / f"{next(numbers)}.duckdb"
        shutil.copy(source.get(), file)
        root = duckdb.connect(str(file), config=dict(opening.CONFIG_IN_MEMORY))
        file.unlink()
        opening.lock_down(root, None)
        return cls(None, root)

    def open_copied_bench(cls: type[Workbench], *arguments: object, **named: object) -> Workbench:
        before = source.set(bench)
        try:
            return open_bench(*arguments, **named)
        finally:
            source.reset(before)

    shared = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with TemporaryDirectory(dir=shared) as memory, pytest.MonkeyPatch.context() as patch:
        patch.setattr(database.Database, "open", classmethod(open_copied))
        patch.setattr(Workbench, "open", classmethod(open_copied_bench))
        yield
