"""The one thread that writes. What waits is committed together (group commit), as far as it is quickly done; one bad write is
undone and does not take its neighbours with it. A write is done when its future has a result: then it is on the disk."""

import contextlib
import queue
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple, cast

import duckdb

from core.errors import BenchError
from store.engine.commits import NEXT_COMMIT_SQL, CommitCount
from store.engine.parsed import Parsed

MAX_GROUPED_WRITES = 64
"""Writes committed together, at most."""
MAX_GROUP_SECONDS = 0.1
"""Seconds of work after which a group is committed, so that those who came first do not wait for all."""
IDLE, LATEST = 1.0, 15.0
"""Seconds without a write, or after the first one, when what stands in the log goes into the file."""
CONFLICT_TRIES = 6
"""Times that one write is tried against a conflict, with pauses of 5, 10, 20 ... ms."""

_DISK = (duckdb.IOException, duckdb.FatalException, duckdb.OutOfMemoryException)
Cursor = duckdb.DuckDBPyConnection
Write = Callable[[Cursor], Any]


_CHANGED_TABLE = re.compile(r"\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)")


class Noting:
    """A cursor that notes which tables are written through it."""

    def __init__(self, cursor: Cursor, parsed: Parsed) -> None:
        self._cursor, self._parsed = cursor, parsed
        self.tables: set[str] = set()

    def execute(self, sql: str, params: object = ()) -> Cursor:
        if changed := _CHANGED_TABLE.match(sql):
            self.tables.add(changed[1])
        return self._cursor.execute(self._parsed.of(sql), params)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)


class PendingWrite(NamedTuple):
    """A write and whoever waits for it."""

    write: Write
    future: "Future[Any]"


class Writer:
    """Runs writes in the order they came, on its own cursor."""

    def __init__(
        self,
        cursor: Cursor,
        where: str,
        parsed: Parsed,
        written: Callable[[set[str]], None] = lambda tables: None,
        commits: CommitCount | None = None,
        reopen: Callable[[], Cursor] | None = None,
    ) -> None:
        """`written` hears the names of the tables that a commit changed, before anybody hears that it was done; so does
        `commits`, where the workspace is a file. `reopen` opens that file anew and returns another cursor, or raises
        BenchError."""
        self._cursor = cursor
        self._commits = commits
        self._reopen = reopen
        self._is_given_up = False
        self._log_since: float | None = None
        """When the first commit was made that the log alone may hold."""
        self._parsed = parsed
        self._noting = Noting(cursor, parsed)
        self._written = written
        self._where = where
        self._queue: queue.SimpleQueue[PendingWrite | None] = queue.SimpleQueue()
        self._is_closed = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, write: Write) -> "Future[Any]":
        """Queue a write. It may be run more than once (when a neighbour failed, or on a conflict), so it touches nothing but
        the cursor, and never begins or ends a transaction itself."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # from here on it cannot be cancelled: it will be written
        with self._lock:
            if self._is_closed:
                raise BenchError(f"{self._where} is closed: open it again before writing.")
            self._queue.put(PendingWrite(write, future))
        return future

    def is_this_thread(self) -> bool:
        return threading.current_thread() is self._thread

    def give_up(self) -> None:
        """DuckDB gave the open file up, as it does when a checkpoint finds no room: the next write opens it anew first."""
        self._is_given_up = self._reopen is not None

    def close(self) -> None:
        """Write what waits, then stop. May be called twice."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)
        self._thread.join()
        self._cursor.close()

    def _run(self) -> None:
        is_last = False
        while not is_last:
            batch: list[PendingWrite | None] = [self._take_next()]
            with contextlib.suppress(queue.Empty):
                while len(batch) < MAX_GROUPED_WRITES:
                    batch.append(self._queue.get_nowait())
            is_last = None in batch
            waiting = [one for one in batch if one is not None]
            while waiting:
                done = self._write_together(waiting)
                if not done:
                    for one in waiting:
                        self._write_alone(one)
                waiting = waiting[done:] if done else []
            if self._log_since is not None and time.monotonic() > self._log_since + LATEST:
                self._checkpoint()
        if self._commits is not None:
            self._commits.end(self._cursor)

    def _take_next(self) -> PendingWrite | None:
        """The first that waits; while nothing does, the log goes into the file."""
        if self._log_since is not None:
            with contextlib.suppress(queue.Empty):
                return self._queue.get(timeout=IDLE)
            self._checkpoint()
        return self._queue.get()

    def _checkpoint(self) -> None:
        """Short of room, or beside somebody else's long transaction, it is left to the next time."""
        self._log_since = None
        if self._commits is not None:
            self._commits.sync()
        try:
            self._cursor.execute("CHECKPOINT")
        except duckdb.Error as error:
            if is_given_up(error):
                self.give_up()

    def _write_together(self, waiting: list[PendingWrite]) -> int:
        """The first of them in one transaction: how many; 0 when it came to nothing and each is to be tried alone."""
        try:
            results = self._transaction([one.write for one in waiting])
        except BaseException as error:  # noqa: BLE001 - whatever a write raises belongs to the one who waits for it
            if len(waiting) > 1 or _is_conflict(error):
                return 0
            waiting[0].future.set_exception(self._in_words(error))
            return 1
        for one, result in zip(waiting, results, strict=False):
            one.future.set_result(result)
        return len(results)

    def _write_alone(self, one: PendingWrite) -> None:
        for attempt in range(1, CONFLICT_TRIES + 1):
            try:
                result = self._transaction([one.write])[0]
            except BaseException as error:  # noqa: BLE001 - see above
                if _is_conflict(error) and attempt < CONFLICT_TRIES:
                    time.sleep(0.0025 * 2**attempt)
                    continue
                one.future.set_exception(self._in_words(error))
            else:
                one.future.set_result(result)
            return

    def _transaction(self, writes: list[Write]) -> list[Any]:
        """The results of as many writes as were done when LONG had passed, at least one."""
        began = time.monotonic()
        results = []
        try:
            if self._is_given_up and self._reopen is not None:
                self._cursor = self._reopen()
                self._noting = Noting(self._cursor, self._parsed)
                self._is_given_up = False
            if self._commits is not None:
                self._commits.begin(self._cursor)
            self._noting.execute("BEGIN")
            for write in writes:
                results.append(write(cast(Cursor, self._noting)))
                if time.monotonic() - began > MAX_GROUP_SECONDS:
                    break
            # A write that swallowed an error leaves an aborted transaction, whose COMMIT does nothing and says nothing:
            # this statement raises then.
            if self._commits is None or not self._noting.tables:
                self._noting.execute("SELECT 1").fetchall()
                self._noting.execute("COMMIT")
            else:
                (number,) = self._noting.execute(NEXT_COMMIT_SQL).fetchall()[0]
                self._commits.prepare(number)
                self._noting.execute("COMMIT")
                self._commits.note(number)
                self._log_since = self._log_since or time.monotonic()
            self._written(self._noting.tables)
        except BaseException as error:
            if is_given_up(error):
                self.give_up()
            with contextlib.suppress(duckdb.Error):  # no transaction is left to roll back after a failed COMMIT
                self._cursor.execute("ROLLBACK")
            raise
        finally:
            self._noting.tables = set()
        return results

    def _in_words(self, error: BaseException) -> BaseException:
        """Troubles of the disk and of other writers as one sentence; a bug stays what it is."""
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        if _is_conflict(error):
            words = f"{self._where}: a write kept meeting another change of the same rows; nothing of it was stored, try again."
        elif is_corrupt(error):
            words = f"{self._where} is damaged ({first}); nothing of this change was stored: put a backup in its place."
        elif is_trouble_of_the_disk(error):
            words = f"{self._where} could not be written ({first}); nothing of this change was stored: make room, try again."
        else:
            return error
        told = BenchError(words)
        told.__cause__ = error
        return told


def is_given_up(error: BaseException) -> bool:
    """Whether DuckDB answers nothing more before the file is opened anew."""
    return isinstance(error, duckdb.FatalException)


def is_trouble_of_the_disk(error: BaseException) -> bool:
    """Whether DuckDB could not read or write (a COMMIT that finds no room is a TransactionException, a lost page a plain
    Error), or had no memory left."""
    if isinstance(error, duckdb.TransactionException):
        return "Could not write" in str(error)
    return isinstance(error, _DISK) or is_corrupt(error)


def is_corrupt(error: BaseException) -> bool:
    """Whether DuckDB met a page that is not as it was written."""
    return isinstance(error, duckdb.Error) and "Corrupt database" in str(error)


def _is_conflict(error: BaseException) -> bool:
    return isinstance(error, duckdb.TransactionException) and "conflict" in str(error).lower()
