"""Run all writes of a workspace on one thread. Writes that wait at the same time are committed together, up to a time limit; if
one write fails, only that write is undone. A write is on disk once its future has a result."""

import contextlib
import logging
import queue
import re
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple, cast

import duckdb

from core.errors import BenchError
from store.engine.columns import clean_parameters, fetch_from, last_number
from store.engine.commits import NEXT_COMMIT_SQL, CommitCount
from store.engine.followers import F, Followers, list_columns
from store.engine.statement_cache import StatementCache

MAX_GROUPED_WRITES = 64
MAX_GROUP_SECONDS = 0.1
"""Seconds of work after which a group of waiting writes is committed, so that the first writes do not wait for all the
others."""
IDLE_SECONDS, MAX_LOG_SECONDS = 1.0, 15.0
"""(Seconds without a write, seconds after the first write to DuckDB's log): after either time, the log is moved into the
workspace file."""
MAX_CONFLICT_TRIES = 6
"""Maximum number of attempts of one write that conflicts with other changes, with pauses of 5, 10, 20 ... ms between the
attempts."""

_log = logging.getLogger(__name__)
_DISK = (duckdb.IOException, duckdb.FatalException, duckdb.OutOfMemoryException)
Cursor = duckdb.DuckDBPyConnection
Write = Callable[[Cursor], Any]
_CHANGE = re.compile(r"\s*(INSERT(?= INTO)|UPDATE|DELETE(?= FROM))(?: INTO| FROM)?\s+(\w+)")
_NO_CHANGE = re.compile(
    r"\s*(?:SELECT|BEGIN|COMMIT|CREATE|ALTER|DROP|CHECKPOINT|WITH\b(?!.*\b(?:INSERT|UPDATE|DELETE)\b))\b", re.DOTALL
)
"""Pattern of SQL statements that change no row of a permanent table."""
_KEYED_UPDATE = re.compile(r"UPDATE \w+ SET (\w+ = \?(?:, \w+ = \?)*) WHERE (\w+) = \?")
_RETURNING = " RETURNING "


class WrittenRows(NamedTuple):
    """The result of a SQL statement on a table that is cached in memory; the cache already contains the written rows."""

    rows: list[tuple[Any, ...]]

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self.rows


class RecordingCursor:
    """A cursor that records the names of the tables that it writes, and passes the written rows to the in-memory caches of
    these tables. A write reaches the database only through the cursor's method `execute`."""

    def __init__(self, cursor: Cursor, statements: StatementCache, followers: Followers) -> None:
        self._cursor, self._statements, self._followers = cursor, statements, followers
        self.tables: set[str] = set()
        self._last_numbers: dict[str, int] = {}
        """Dict from table to the highest value in its column `number`, for tables to which no other statement has added
        rows."""
        self._taken: tuple[str, int] | None = None

    def take_number(self, table: str) -> int:
        """Return the next unused value of the table's column `number`, for use in the next statement. A query for this value
        would take as long as inserting a row, so the value is cached."""
        last = self._last_numbers.get(table)
        self._taken = table, 1 + (last_number(fetch_from(cast(Cursor, self)), table) if last is None else last)
        return self._taken[1]

    def forget_numbers(self) -> None:
        """Clear the cached values of the column `number`, after a transaction was rolled back."""
        self._last_numbers, self._taken = {}, None

    def execute(self, sql: str, params: Sequence[Any] = ()) -> Cursor | WrittenRows:
        """Run one SQL statement. Raises RuntimeError if `sql` has several statements, or if it could change a table without
        updating the in-memory cache of the table."""
        values = clean_parameters(params)
        change = _CHANGE.match(sql)
        if change is None:
            if not _NO_CHANGE.match(sql):
                raise RuntimeError(f"a write function cannot run this statement: {sql[:80]}")
            return self._cursor.execute(self._statements.get(sql), values)
        verb, table = change.groups()
        self.tables.add(table)
        if verb == "INSERT":
            self._note_number(table)
        parsed, followers = self._statements.get(sql), self._followers.list_of(table)
        if not followers:
            return self._cursor.execute(parsed, values)
        if keyed := _KEYED_UPDATE.fullmatch(sql):
            changed = dict(zip((part.removesuffix(" = ?") for part in keyed[1].split(", ")), values, strict=False))
            foreseen = [follower.foresee_row(keyed[2], values[-1], changed) for follower in followers]
            if None not in foreseen:
                count = self._cursor.execute(parsed, values).fetchall()
                for follower, row in zip(followers, foreseen, strict=True):
                    follower.note(verb, [cast(tuple[Any, ...], row)])
                return WrittenRows(count)
        statement, _, wanted = sql.partition(_RETURNING)
        columns = list_columns(verb, table, followers)
        returned = ", ".join([wanted, *columns] if wanted else columns)
        rows = self._cursor.execute(self._statements.get(f"{statement}{_RETURNING}{returned}"), values).fetchall()
        for follower in followers:
            follower.note(verb, [row[-len(columns) :] for row in rows])
        return WrittenRows([row[: -len(columns)] for row in rows] if wanted else [(len(rows),)])

    def _note_number(self, table: str) -> None:
        taken, self._taken = self._taken, None
        if taken and taken[0] == table:
            self._last_numbers[table] = taken[1]
        else:
            self._last_numbers.pop(table, None)

    def find_follower(self, kind: type[F]) -> F | None:
        """Return the in-memory table cache of this class, including the rows of this transaction, or None if the table is not
        loaded."""
        return self._followers.find(kind)

    def follow(self, kind: type[F]) -> F:
        """Return the in-memory table cache of this class, including the rows of this transaction; load the table if needed."""
        return self._followers.load(kind, fetch_from(cast(Cursor, self)))


class PendingWrite(NamedTuple):
    """A write that waits for the writer thread, and the future through which the caller gets the result."""

    write: Write
    future: "Future[Any]"


class Writer:
    """Runs the writes of a workspace on one thread, in the order in which they were submitted."""

    def __init__(
        self,
        cursor: Cursor,
        where: str,
        statements: StatementCache,
        on_commit: Callable[[set[str]], None] = lambda tables: None,
        commits: CommitCount | None = None,
        reopen: Callable[[], Cursor] | None = None,
        followers: Followers | None = None,
    ) -> None:
        """Create the writer. After each commit, the writer calls `on_commit` with the names of the changed tables, before the
        futures of the writes get results. `commits` counts the commits of the file. `reopen` opens the file again and returns a
        new cursor, or raises BenchError. `followers` are the in-memory table caches, which receive the written rows."""
        self._cursor = cursor
        self._commits = commits
        self._reopen = reopen
        self._is_given_up = False
        self._log_since: float | None = None
        """Time of the first commit that may be only in DuckDB's log and not yet in the file, or None if all commits are in the
        file."""
        self._statements = statements
        self._followers = followers or Followers()
        self._recorder = RecordingCursor(cursor, statements, self._followers)
        self._on_commit = on_commit
        self._where = where
        self._queue: queue.SimpleQueue[PendingWrite | None] = queue.SimpleQueue()
        self._is_closed = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, write: Write) -> "Future[Any]":
        """Queue a write. The writer may run a write more than once: after a conflict, or if another write in the same group
        fails. A write must therefore have no effect except through the cursor, and must not begin or end a transaction."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # the write can no longer be cancelled
        with self._lock:
            if self._is_closed:
                raise BenchError(f"{self._where} is closed: open it again before writing.")
            self._queue.put(PendingWrite(write, future))
        return future

    def is_this_thread(self) -> bool:
        return threading.current_thread() is self._thread

    def give_up(self) -> None:
        """Make the next write reopen the workspace file, because DuckDB stops using a file if a checkpoint finds the disk
        full."""
        self._is_given_up = self._reopen is not None

    def close(self) -> None:
        """Wait for the queued writes to finish, then stop the thread. Calling `close` twice is allowed."""
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
            waiting = [pending for pending in batch if pending is not None]
            while waiting:
                n_written = self._write_together(waiting)
                if not n_written:
                    for pending in waiting:
                        self._write_alone(pending)
                waiting = waiting[n_written:] if n_written else []
            if self._log_since is not None and time.monotonic() > self._log_since + MAX_LOG_SECONDS:
                self._checkpoint()
        if self._commits is not None:
            self._commits.end(self._cursor)

    def _take_next(self) -> PendingWrite | None:
        """Return the first waiting write. While no write is waiting, run a checkpoint, which moves DuckDB's log into the
        workspace file."""
        if self._log_since is not None:
            with contextlib.suppress(queue.Empty):
                return self._queue.get(timeout=IDLE_SECONDS)
            self._checkpoint()
        return self._queue.get()

    def _checkpoint(self) -> None:
        """Move DuckDB's log into the workspace file. If the disk is full or a long transaction is open, a later call tries
        again."""
        self._log_since = None
        if self._commits is not None:
            self._commits.sync()
        try:
            self._cursor.execute("CHECKPOINT")
        except duckdb.Error as error:
            if is_given_up(error):
                self.give_up()

    def _write_together(self, waiting: list[PendingWrite]) -> int:
        """Run as many of the waiting writes as fit into one transaction, starting with the first; return their number, or 0 if
        each write must run in its own transaction."""
        try:
            results = self._transaction([pending.write for pending in waiting])
        except BaseException as error:  # noqa: BLE001 - any error of a write is passed to its future
            if len(waiting) > 1 or _is_conflict(error):
                return 0
            waiting[0].future.set_exception(self._explain(error))
            return 1
        for pending, result in zip(waiting, results, strict=False):
            pending.future.set_result(result)
        return len(results)

    def _write_alone(self, pending: PendingWrite) -> None:
        for attempt in range(1, MAX_CONFLICT_TRIES + 1):
            try:
                result = self._transaction([pending.write])[0]
            except BaseException as error:  # noqa: BLE001 - see above
                if _is_conflict(error) and attempt < MAX_CONFLICT_TRIES:
                    time.sleep(0.0025 * 2**attempt)
                    continue
                pending.future.set_exception(self._explain(error))
            else:
                pending.future.set_result(result)
            return

    def _transaction(self, writes: list[Write]) -> list[Any]:
        """Run the first write, and as many of the next ones as fit in MAX_GROUP_SECONDS, in one transaction; return their
        results."""
        began = time.monotonic()
        results = []
        is_committing = False
        try:
            if self._is_given_up and self._reopen is not None:
                self._cursor = self._reopen()
                self._recorder = RecordingCursor(self._cursor, self._statements, self._followers)
                self._is_given_up = False
            if self._commits is not None:
                self._commits.begin(self._cursor)
            self._recorder.execute("BEGIN")
            for write in writes:
                results.append(write(cast(Cursor, self._recorder)))
                if time.monotonic() - began > MAX_GROUP_SECONDS:
                    break
            # If a write has caught an error, COMMIT silently does nothing; the statement before it raises an error then.
            if self._commits is None or not self._recorder.tables:
                self._recorder.execute("SELECT 1").fetchall()
                is_committing = True
                self._recorder.execute("COMMIT")
            else:
                (number,) = self._recorder.execute(NEXT_COMMIT_SQL).fetchall()[0]
                self._commits.prepare(number)
                is_committing = True
                self._recorder.execute("COMMIT")
                self._commits.note(number)
                self._log_since = self._log_since or time.monotonic()
            self._show(self._recorder.tables)
        except BaseException as error:
            if is_given_up(error):
                self.give_up()
            self._followers.roll_back()
            self._recorder.forget_numbers()
            if is_committing:  # the commit may or may not be in the file
                self._followers.forget()
                self._on_commit(self._recorder.tables)
            with contextlib.suppress(duckdb.Error):  # a failed COMMIT has ended the transaction
                self._cursor.execute("ROLLBACK")
            raise
        finally:
            self._recorder.tables = set()
        return results

    def _show(self, tables: set[str]) -> None:
        """Update the in-memory table caches after a commit, and call `on_commit` with the names of the changed tables. Errors
        in this step are only logged, because the commit is on disk, and its writes must not run again."""
        try:
            self._followers.commit()
        except Exception:  # noqa: BLE001 - the followers read their tables again
            _log.exception("followers are read anew")
            self._followers.forget()
        self._on_commit(tables)

    def _explain(self, error: BaseException) -> BaseException:
        """Return a BenchError that explains the given disk error or conflict between writes; return any other error
        unchanged."""
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        if _is_conflict(error):
            words = (
                f"{self._where}: this change conflicted repeatedly with other changes of the same rows, and nothing of it "
                "was stored: try again."
            )
        elif is_corrupt(error):
            words = f"{self._where} is damaged ({first}); nothing of this change was stored: put a backup in its place."
        elif is_trouble_of_the_disk(error):
            stored = "nothing of this change was stored: free disk space and try again."
            words = f"{self._where} could not be written ({first}); {stored}"
        else:
            return error
        explained = BenchError(words)
        explained.__cause__ = error
        return explained


def is_given_up(error: BaseException) -> bool:
    """Check whether the error means that DuckDB refuses all queries until the file is reopened."""
    return isinstance(error, duckdb.FatalException)


def is_trouble_of_the_disk(error: BaseException) -> bool:
    """Check whether the error means that DuckDB could not read or write the file, or had no memory left. DuckDB raises
    TransactionException for a COMMIT on a full disk, and a plain Error for an unreadable page of the file."""
    if isinstance(error, duckdb.TransactionException):
        return "Could not write" in str(error)
    return isinstance(error, _DISK) or is_corrupt(error)


def is_corrupt(error: BaseException) -> bool:
    """Check whether the error means that DuckDB read a damaged page."""
    return isinstance(error, duckdb.Error) and "Corrupt database" in str(error)


def _is_conflict(error: BaseException) -> bool:
    return isinstance(error, duckdb.TransactionException) and "conflict" in str(error).lower()
