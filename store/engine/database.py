"""Open one workspace: a DuckDB file that only one process can have open. Each thread reads through its own cursor, a single
thread writes, and SQL can access only the files in one folder."""

import atexit
import contextlib
import os
import stat
import tempfile
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar, cast

import duckdb

from core.errors import BenchError
from store.engine import commits
from store.engine.columns import Fetch, clean_parameters, fetch_from
from store.engine.exchange import exchange_file, exchange_folder, name_folder
from store.engine.followers import F, Followers
from store.engine.metadata_copy import metadata_file
from store.engine.migrations import SCHEMA
from store.engine.opening import (
    IN_MEMORY,
    connect,
    copy_database,
    explain_unreadable,
    is_duckdb,
    lock_down,
    open_file,
    open_in_memory,
    quote_name,
)
from store.engine.statement_cache import StatementCache
from store.engine.writer import RecordingCursor, Writer, is_given_up, is_trouble_of_the_disk

T = TypeVar("T")
Cursor = duckdb.DuckDBPyConnection
MAX_CACHED_READS = 10_000
"""Maximum number of results in the cache of `Database.read_cached`."""
ROWS_PER_FETCH = 2_048
"""Number of rows that `Database.build_rows` fetches at a time."""


class _Reader:
    """The database cursor with which one thread reads; the lock prevents `Database.close` from closing the cursor during a
    query."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor: Cursor | None = cursor
        self.lock = threading.Lock()


class Database:
    """An open workspace. Open a workspace with `Database.open`, and close it with `Database.close` or use a `with`
    statement."""

    def __init__(self, path: Path | None, root: Cursor, is_read_only: bool = False) -> None:
        self.path = path
        """Path of the workspace file, or None for a workspace in memory."""
        self.is_read_only = is_read_only
        self._where = str(path or "The workspace in memory")
        self._root = root
        self._local = threading.local()
        self._readers: weakref.WeakSet[_Reader] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._is_closed = False
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._changes: Counter[str] = Counter()
        self._cache: dict[Hashable, tuple[tuple[int, ...], Any]] = {}
        self._followers = Followers()
        self._statements = StatementCache(root.cursor())
        is_counted = not is_read_only and commits.is_counted(root)
        self._commits = commits.CommitCount(path, root) if path is not None and is_counted else None
        self._is_away = False
        """Whether DuckDB has closed the workspace file after an error and the file is not yet reopened."""
        self._writer: Writer | None = None
        if not is_read_only:
            reopen = None if path is None else self._reopen
            told = self._changes.update, self._commits, reopen, self._followers
            self._writer = Writer(root.cursor(), self._where, self._statements, *told)
        atexit.register(self.close)

    @classmethod
    def open(cls, path: Path | str, read_only_ok: bool = False, schema: Path = SCHEMA) -> "Database":
        """Open the workspace file, and create it if it is missing. ":memory:" opens a workspace in memory. With `read_only_ok`,
        a file without write permission is opened for reading only. Raises WorkspaceHeld if another process has the workspace
        open. Raises BenchError if the file is not a workspace, is newer than this program, cannot be written, or lacks
        confirmed changes."""
        if str(path) == IN_MEMORY:
            return cls(None, open_in_memory(schema))
        file = Path(path).resolve()
        with open_file(file, read_only_ok, schema) as (root, is_read_only):
            return cls(file, root, is_read_only)

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query, which reads the workspace as it was after the last commit."""
        return self._read(sql, params, lambda cursor: cursor.fetchall())

    def build_rows(self, build: Callable[[tuple[Any, ...]], T], sql: str, params: Sequence[Any] = ()) -> list[T]:
        """Call `build` with each row of a query and return the results. At most ROWS_PER_FETCH rows of the query are in memory
        at a time. `build` must not read from the workspace."""

        def fetch(cursor: Cursor) -> list[T]:
            batches = iter(lambda: cursor.fetchmany(ROWS_PER_FETCH), [])
            return [build(row) for batch in batches for row in batch]

        return self._read(sql, params, fetch)

    def columns(self, sql: str, params: Sequence[Any] = ()) -> dict[str, Any]:
        """Return the result of a query as a dict from column name to NumPy array, which is fast for millions of numbers. No
        value of the result may be NULL."""
        return self._read(sql, params, lambda cursor: dict(cursor.fetchnumpy()))

    def _read(self, sql: str, params: Sequence[Any], fetch: Callable[[Cursor], T]) -> T:
        for is_last in (False, True):
            if self._is_away and not self._is_closed:
                self._open_anew()
            reader: _Reader | None = getattr(self._local, "reader", None)
            if reader is None or reader.cursor is None:
                reader = self._new_reader()
            with reader.lock:
                if reader.cursor is None:
                    continue  # the cursor was closed or reopened meanwhile
                try:
                    return fetch(reader.cursor.execute(self._statements.get_query(sql), clean_parameters(params)))
                except duckdb.Error as error:
                    if self.path is None or not is_trouble_of_the_disk(error):
                        raise
                    if is_last or not is_given_up(error) or self._writer is None or self._writer.is_this_thread():
                        raise explain_unreadable(self.path, error) from error
            self._writer.give_up()
            self._open_anew()
        raise BenchError(f"{self._where} is closed: open it again before reading.")

    def read_cached(self, key: Hashable, tables: Sequence[str], read: Callable[[], T]) -> T:
        """Call `read()` and return its result. The result is cached under `key` until one of the given tables changes. `read`
        must not read any other table. Threads share the cached result, so callers must not change it."""
        now = tuple(self._changes[table] for table in tables)
        cached = self._cache.get(key)
        if cached is None or cached[0] != now:
            if len(self._cache) >= MAX_CACHED_READS:
                self._cache.clear()
            cached = self._cache[key] = (now, read())
        return cast(T, cached[1])

    def find_follower(self, kind: type[F]) -> F | None:
        """Return the workspace's object of this class, which keeps the committed rows of a table in memory, or None if the
        table is not in memory."""
        return self._followers.find_shown(kind)

    def follow(self, kind: type[F]) -> F:
        """Return the workspace's object of this class, which keeps the committed rows of a table in memory; the first call
        reads the table. The object is valid only until the next commit, so keep the values that it returns, not the object."""
        found = self._followers.find_shown(kind)
        if found is None and self._writer is None:
            with self._followers.lock:  # no writer's thread puts the threads in order
                found = self._followers.find_shown(kind) or self._followers.load(kind, self.rows)
                self._followers.commit()
        return found or self.write(lambda cursor: cast(RecordingCursor, cursor).follow(kind))

    def has_any(self, table: str) -> bool:
        """Check whether the table contains any row. The result is cached until the table changes, so that an unused feature
        costs no query per item."""
        return bool(self.read_cached(("any", table), [table], lambda: self.rows(f"SELECT 1 FROM {quote_name(table)} LIMIT 1")))

    def check_readable(self) -> None:
        """Check that the workspace can be read. Raises BenchError if reading fails."""
        self.rows("SELECT 1")

    def read_through(self) -> int:
        """Read every value of every table, and return the number of rows. Reading raises an error if any page of the file is
        damaged."""
        tables = self.rows("SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()")
        counts = [self.rows(f"SELECT count(*), max(hash(t)) FROM {quote_name(name)} AS t") for (name,) in tables]
        return sum(int(rows[0][0]) for rows in counts)

    def write(self, write: Callable[[Cursor], T]) -> T:
        """Run `write(cursor)` in a transaction on the writer thread; return its result once the transaction is on disk. `write`
        may be called more than once, so it must not change anything except through the cursor."""
        if self._writer is not None and self._writer.is_this_thread():
            raise RuntimeError("write() was called inside a write function: use the cursor passed to that function")
        return self.write_soon(write).result()

    def write_or_raise(self, write: Callable[[Cursor], T | BenchError]) -> T:
        """Run `write` like `Database.write`. If `write` returns a BenchError, raise that error. `write` must return an error
        instead of raising it, because raising it would undo other writes in the same transaction."""
        outcome = self.write(write)
        if isinstance(outcome, BenchError):
            raise outcome
        return outcome

    def execute(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one SQL statement in a separate transaction; return its rows."""
        return self.write(lambda cursor: cursor.execute(sql, list(params)).fetchall())

    def write_soon(self, write: Callable[[Cursor], T]) -> "Future[T]":
        """Queue `write` like `Database.write`, but return a future of its result without waiting."""
        if self._writer is None:
            raise BenchError(f"{self._where} is open for reading only: copy it to a writable folder.")
        return self._writer.submit(write)

    def backup(self, out: Path | str) -> Path:
        """Copy the whole workspace in its current state to the file `out`, while other threads can continue to use the
        workspace; return the path of the copy. The copy gets its final name only when it is complete. The copy replaces an
        older backup with the same name, but never another kind of file."""
        target = Path(out).resolve()
        if target == self.path or (target.exists() and not (target.is_file() and is_duckdb(target))):
            raise BenchError(f"{target} exists and is not an older backup: give another name for the backup.")
        if self.path is None:
            raise BenchError("A workspace in memory cannot be copied to a file: open a file with --workspace FILE.")
        with exchange_file(self.path, target, ".duckdb") as file:
            with contextlib.closing(self._root.cursor()) as cursor:
                copy_database(cursor, file)
            file.chmod(stat.S_IMODE(os.stat(self.path).st_mode))
        for old in (commits.log_of(target), commits.commits_file(target), metadata_file(target)):  # of the old backup
            old.unlink(missing_ok=True)
        return target

    def close(self) -> None:
        """Wait for the queued writes to finish, then close the file. Calling `close` twice is allowed."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        atexit.unregister(self.close)
        if self._writer is not None:
            self._writer.close()
        self._close_cursors()
        if self._commits is not None and self.path is not None:
            self._commits.release_file()
            commits.tidy_up(self.path)
        if self._temporary is not None:
            self._temporary.cleanup()

    def locate_folder(self, kind: str) -> Path:
        """Return the path of the folder beside the workspace file that is for files of the given kind. For a workspace in
        memory the result is a temporary folder, which `close` deletes."""
        if self.path is not None:
            return name_folder(self.path, kind)
        with self._lock:
            if self._temporary is None:
                self._temporary = tempfile.TemporaryDirectory(prefix="benchwright-", ignore_cleanup_errors=True)
        return Path(self._temporary.name) / kind

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _new_reader(self) -> _Reader:
        with self._lock:
            if self._is_closed:
                raise BenchError(f"{self._where} is closed: open it again before reading.")
            reader = _Reader(self._root.cursor())
            self._readers.add(reader)
        self._local.reader = reader
        return reader

    def _close_cursors(self) -> None:
        for reader in list(self._readers):
            with reader.lock:
                if reader.cursor is not None:
                    reader.cursor.close()
                    reader.cursor = None
        self._statements.close()
        self._root.close()

    def _open_anew(self) -> None:
        """Make the thread that writes reopen the workspace file, which DuckDB has stopped using after an error. Raises
        BenchError if the disk is still full."""
        self.write(lambda cursor: None)

    def _reopen(self) -> Cursor:
        """Reopen the workspace file after DuckDB stopped using it; return the new cursor for writing."""
        if self.path is None:
            raise RuntimeError("a workspace in memory has no file")
        with self._lock:
            self._is_away = True
            self._close_cursors()
            with connect(self.path, True) as reading:
                commits.check(self.path, reading)
            root = connect(self.path, False)
            try:
                lock_down(root, exchange_folder(self.path))
            except BaseException:
                root.close()
                raise
            self._root = root
            self._statements.use(root.cursor())
            self._is_away = False
            return root.cursor()


Source = Database | Cursor
"""Source of a query: a Database, which reads the state after the last commit, or a transaction's cursor, which also sees its
uncommitted changes."""


def fetch_of(source: Source) -> Fetch:
    """Return the function that runs queries on a database or on a transaction's cursor."""
    return source.rows if isinstance(source, Database) else fetch_from(source)


def follow(source: Source, kind: type[F]) -> F:
    """Return the object of this class, which keeps a table's rows in memory, with the rows that the given database or
    transaction cursor can see."""
    return cast("Database | RecordingCursor", source).follow(kind)


def find_follower(source: Source, kind: type[F]) -> F | None:
    """Return the object of this class, which keeps a table's rows in memory, with the rows that the given database or
    transaction cursor can see; None if the table is not in memory."""
    return cast("Database | RecordingCursor", source).find_follower(kind)
