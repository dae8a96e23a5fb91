"""One workspace: a DuckDB file that this process alone holds. Reads go over one cursor per thread, every write goes through
the one writer thread; nothing outside the file and its exchange folder can be reached from SQL."""

import atexit
import contextlib
import os
import re
import stat
import threading
import uuid
import weakref
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar, cast

import duckdb

from core.errors import BenchError, WorkspaceHeld
from store.engine import commits, exchange
from store.engine.exchange import exchange_file, exchange_folder
from store.engine.migrations import SCHEMA, migrate
from store.engine.parsed import Parsed
from store.engine.writer import Writer, is_given_up, is_trouble_of_the_disk

T = TypeVar("T")
Cursor = duckdb.DuckDBPyConnection
IN_MEMORY = ":memory:"
MOST_KEPT = 10_000
"""Values that `kept` holds, at most."""
_CONFIG = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false", "checkpoint_threshold": "4MB"}
"""DuckDB ends the log at so much of it; the writer does so sooner, by the clock."""
PRIVATE = 0o600
"""Who may read a new workspace: its owner."""


class _Reader:
    """One thread's cursor; the lock only keeps close() out of a query that runs."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor: Cursor | None = cursor
        self.lock = threading.Lock()


class Database:
    """An open workspace. Made by Database.open; close it, or use it in a `with`."""

    def __init__(self, path: Path | None, root: Cursor, is_read_only: bool = False) -> None:
        self.path = path
        """None = in memory."""
        self.is_read_only = is_read_only
        self._where = str(path or "The workspace in memory")
        self._root = root
        self._local = threading.local()
        self._readers: weakref.WeakSet[_Reader] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._is_closed = False
        self._changes: Counter[str] = Counter()
        self._kept: dict[Hashable, tuple[tuple[int, ...], Any]] = {}
        self._parsed = Parsed(root.cursor())
        is_counted = not is_read_only and commits.is_counted(root)
        self._commits = commits.CommitCount(path, root) if path is not None and is_counted else None
        self._is_away = False
        """DuckDB gave the file up, and it could not be opened anew yet."""
        self._writer: Writer | None = None
        if not is_read_only:
            reopen = None if path is None else self._reopen
            self._writer = Writer(root.cursor(), self._where, self._parsed, self._changes.update, self._commits, reopen)
        atexit.register(self.close)

    @classmethod
    def open(cls, path: Path | str, read_only_ok: bool = False, schema: Path = SCHEMA) -> "Database":
        """Open the file, or make it; ":memory:" is a workspace that ends with the process. With `read_only_ok` a file that
        cannot be written is opened for reading. Raises WorkspaceHeld, or BenchError when it is no workspace, is newer than
        this program, cannot be written, or lacks what was acknowledged."""
        if str(path) == IN_MEMORY:
            root = duckdb.connect(IN_MEMORY, config=dict(_CONFIG))
            migrate(root, "The workspace in memory", lambda number: None, schema)
            _lock_down(root, None)
            return cls(None, root)
        file = Path(path).resolve()
        is_read_only = _is_read_only(file, read_only_ok)
        is_left_open = commits.is_left_open(file)
        if is_left_open and not file.exists():
            raise BenchError(
                f"{file} is missing, and its log is there: put the file back, or, to begin a new workspace, move "
                f"its log and {file.name}.commits away."
            )
        if is_left_open and not is_read_only:  # a connection that may write could end the log before it is compared
            with _connect(file, True) as looked_at:
                try:
                    commits.check(file, looked_at)
                except duckdb.Error as error:
                    raise _explain_unreadable(file, error) from error
        is_new = not file.exists()
        root = _connect(file, is_read_only)
        try:
            if root.execute("SELECT current_setting('lock_configuration')").fetchall()[0][0]:
                raise BenchError(_OPEN_HERE.format(file))
            if is_new:
                file.chmod(PRIVATE)
            if is_read_only or not is_left_open:
                commits.check(file, root)
            if is_read_only:
                migrate(root, str(file), _cannot_migrate(file), schema)
            else:
                exchange.clear(file)
                migrate(root, str(file), lambda number: _copy_before(root, file, number), schema)
            _lock_down(root, exchange_folder(file))
            return cls(file, root, is_read_only)
        except duckdb.Error as error:
            root.close()
            raise _explain_unreadable(file, error) from error
        except BaseException:
            root.close()
            raise

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query, read on this thread's own cursor: what was committed before, nothing half done."""
        for is_last in (False, True):
            if self._is_away and not self._is_closed:
                self._open_anew()
            reader: _Reader | None = getattr(self._local, "reader", None)
            if reader is None or reader.cursor is None:
                reader = self._new_reader()
            with reader.lock:
                if reader.cursor is None:
                    continue  # it was opened anew, or closed, meanwhile
                try:
                    return reader.cursor.execute(self._parsed.of(sql), list(params)).fetchall()
                except duckdb.Error as error:
                    if self.path is None or not is_trouble_of_the_disk(error):
                        raise
                    if is_last or not is_given_up(error) or self._writer is None or self._writer.is_this_thread():
                        raise _explain_unreadable(self.path, error) from error
            self._writer.give_up()
            self._open_anew()
        raise BenchError(f"{self._where} is closed: open it again before reading.")

    def read_cached(self, what: Hashable, tables: Sequence[str], make: Callable[[], T]) -> T:
        """What `make` read from those tables, and nothing else, when it was last read since one of them was written: for what
        is asked for with every press and seldom changes. The value is shared between threads: nobody changes it."""
        now = tuple(self._changes[table] for table in tables)
        found = self._kept.get(what)
        if found is None or found[0] != now:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[what] = (now, make())
        return cast(T, found[1])

    def has_any(self, table: str) -> bool:
        """Whether the table holds a row at all: what nobody used yet need not be asked for item by item."""
        return bool(self.read_cached(("any", table), [table], lambda: self.rows(f"SELECT 1 FROM {_name(table)} LIMIT 1")))

    def check_readable(self) -> None:
        """Raises BenchError when nothing can be read."""
        self.rows("SELECT 1")

    def read_through(self) -> int:
        """Read every value of every table, to find pages that the disk lost; returns how many rows there are."""
        tables = self.rows("SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()")
        counts = [self.rows(f"SELECT count(*), max(hash(t)) FROM {_name(name)} AS t") for (name,) in tables]
        return sum(int(rows[0][0]) for rows in counts)

    def write(self, write: Callable[[Cursor], T]) -> T:
        """Run `write(cursor)` in a transaction on the writer thread; returns its result after COMMIT, that is: once it is on
        the disk. It may be run more than once, so it touches nothing but the cursor."""
        if self._writer is not None and self._writer.is_this_thread():
            raise RuntimeError("write() inside a write: use the cursor that was given")
        return self.write_soon(write).result()

    def write_soon(self, write: Callable[[Cursor], T]) -> "Future[T]":
        """As write, without waiting."""
        if self._writer is None:
            raise BenchError(f"{self._where} is open for reading only: copy it to a folder that can be written.")
        return self._writer.submit(write)

    def backup(self, out: Path | str) -> Path:
        """A copy of the whole workspace as it is at this moment, made while others go on; it appears under its name only when
        it is whole. An older backup of that name is replaced, no other file. Returns the path."""
        target = Path(out).resolve()
        if target.is_dir() or (target.exists() and (not _is_duckdb(target) or target == self.path)):
            raise BenchError(f"{target} is there and is no older backup: give another name for the backup.")
        with self._exchange_file(target, ".duckdb") as file:
            cursor = self._root.cursor()
            try:
                _copy_database(cursor, file)
            finally:
                cursor.close()
            file.chmod(stat.S_IMODE(os.stat(self.path or file).st_mode))
        for old in (commits.log_of(target), commits.commits_file(target)):  # of the backup that it replaces
            old.unlink(missing_ok=True)
        return target

    def export_parquet(self, sql: str, params: Sequence[Any], out: Path | str) -> Path:
        """The rows of a query as one Parquet file; it appears under its name only when it is whole."""
        target = Path(out).resolve()
        with self._exchange_file(target, ".parquet") as file:
            cursor = self._root.cursor()
            try:
                cursor.execute(f"COPY ({sql}) TO {_literal(file)} (FORMAT parquet, COMPRESSION zstd)", list(params))
            finally:
                cursor.close()
        return target

    def close(self) -> None:
        """Write what waits, then let go of the file. May be called twice."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        atexit.unregister(self.close)
        if self._writer is not None:
            self._writer.close()
        self._close_cursors()
        if self._commits is not None and self.path is not None:
            commits.tidy_up(self.path)

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
        self._parsed.close()
        self._root.close()

    def _open_anew(self) -> None:
        """Have the writer do it, where DuckDB gave the file up. Raises BenchError when there still is no room."""
        self.write(lambda cursor: None)

    def _reopen(self) -> Cursor:
        """The writer's new cursor on the file, opened anew as it was opened first."""
        if self.path is None:
            raise RuntimeError("a workspace in memory is no file")
        with self._lock:
            self._is_away = True
            self._close_cursors()
            with _connect(self.path, True) as looked_at:
                commits.check(self.path, looked_at)
            root = _connect(self.path, False)
            try:
                _lock_down(root, exchange_folder(self.path))
            except BaseException:
                root.close()
                raise
            self._root = root
            self._parsed.use(root.cursor())
            self._is_away = False
            return root.cursor()

    @contextlib.contextmanager
    def _exchange_file(self, target: Path, suffix: str) -> Iterator[Path]:
        """A file name in the exchange folder; what stands there afterwards moves to `target`."""
        if self.path is None:
            raise BenchError("A workspace in memory cannot be copied to a file: open one with --workspace FILE.")
        with exchange_file(self.path, target, suffix) as file:
            yield file


def _copy_database(cursor: Cursor, file: Path) -> None:
    """Copy the main database into a new file, which is whole when this returns."""
    alias = f"copy_{uuid.uuid4().hex}"
    (name,) = cursor.execute("SELECT current_database()").fetchall()[0]
    cursor.execute(f"ATTACH {_literal(file)} AS {alias}")
    try:
        cursor.execute(f"COPY FROM DATABASE {_name(name)} TO {alias}")
        if commits.is_counted(cursor):  # a copy is a workspace of its own, and is closed
            cursor.execute(f"UPDATE {alias}.opened SET workspace = ?, is_open = false", [str(uuid.uuid4())])
    finally:
        cursor.execute(f"DETACH {alias}")


def _copy_before(root: Cursor, file: Path, number: int) -> None:
    """Copy an old workspace to `<workspace>.before-NNN.duckdb`, never over a copy that is there."""
    stem = f"{file.name}.before-{number:03d}"
    names = (file.with_name(f"{stem}{again}.duckdb") for again in ("", *(f"-{n}" for n in range(2, 1000))))
    target = next(name for name in names if not name.exists())
    with exchange_file(file, target, ".duckdb") as copy:
        _copy_database(root, copy)
        copy.chmod(mode := stat.S_IMODE(file.stat().st_mode))
    commits.make_log(file, mode)


def _lock_down(root: Cursor, reached: Path | None) -> None:
    """From here on SQL reaches the exchange folder and no other file, and nobody can change that."""
    if reached is not None:
        root.execute(f"SET allowed_directories = [{_literal(f'{reached}/')}]")
    root.execute("SET enable_external_access = false")
    root.execute("SET lock_configuration = true")


_OPEN_HERE = "{} is already open in this process: use the handle there is."


def _connect(file: Path, is_read_only: bool) -> Cursor:
    try:
        return duckdb.connect(str(file), read_only=is_read_only, config=dict(_CONFIG))
    except duckdb.Error as error:
        if "different configuration" in str(error):
            raise BenchError(_OPEN_HERE.format(file)) from error
        held = re.search(r"\(PID (\d+)\)", str(error))
        if held:
            raise WorkspaceHeld(
                f"{file} is held by another process (PID {held[1]}): end that one, or wait for it, then try again."
            ) from error
        raise _explain_unreadable(file, error) from error


def _explain_unreadable(file: Path, error: duckdb.Error) -> BenchError:
    first = str(error).splitlines()[0]
    if file.exists() and not _is_duckdb(file) and not commits.is_left_open(file):
        return BenchError(f"{file} is not a DuckDB file: give another --workspace, or move that file away.")
    if not file.exists():
        return BenchError(f"{file} cannot be made ({first}): give another --workspace.")
    if "WAL" in first:
        log = commits.log_of(file)
        why = f"{file} cannot be read, because its log {log.name} is damaged or another workspace's ({first})"
        return commits.refuse_workspace(file, why, f"move {log.name} away and ")
    if "No space left" in first or "File too large" in first or "invalidated because" in first:
        return BenchError(f"{file} cannot be used while its disk has no room ({first}): make room, try again.")
    copies = sorted(file.parent.glob(f"{file.name}.before-*.duckdb"), key=lambda p: p.stat().st_mtime)
    advice = f"the newest copy beside it is {copies[-1].name}" if copies else "put a backup in its place"
    return BenchError(f"{file} cannot be read ({first}): {advice}.")


def _is_read_only(file: Path, read_only_ok: bool) -> bool:
    """Whether it can only be read; raises BenchError when that will not do."""
    if file.is_dir():
        raise BenchError(f"{file} is a folder: give a file name as --workspace.")
    if file.exists() and not file.is_file():
        raise BenchError(f"{file} is no file but a pipe or a device: give a file name as --workspace.")
    if not file.parent.is_dir():
        raise BenchError(f"The folder {file.parent} does not exist: make it, or give another --workspace.")
    at_fault = file if file.exists() and not os.access(file, os.W_OK) else file.parent
    if os.access(at_fault, os.W_OK):
        return False
    if read_only_ok and file.exists():
        return True
    raise BenchError(f"{at_fault} cannot be written: allow it, or give a --workspace elsewhere.")


def _cannot_migrate(file: Path) -> Callable[[int], None]:
    def refuse(number: int) -> None:
        raise BenchError(f"{file} has an older schema and cannot be written: copy it to a folder that can be.")

    return refuse


def _is_duckdb(file: Path) -> bool:
    with file.open("rb") as handle:
        return handle.read(12)[8:] == b"DUCK"


def _literal(path: Path | str) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
