"""Count the commits of a workspace in two places: in the workspace file, and in the file `<workspace>.commits` beside the
workspace. DuckDB opens a workspace without an error even if its write-ahead log is missing, truncated or damaged. The two
numbers then differ, which shows that changes were lost."""

import contextlib
import json
import os
import shutil
import stat
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import duckdb

from core.errors import BenchError
from store.engine.metadata_copy import MetadataCopy, metadata_file

Cursor = duckdb.DuckDBPyConnection
NEXT_COMMIT_SQL = "SELECT nextval('commits')"
GO_ON = "go on"
"""Text that a person writes into the file `<workspace>.commits` to keep using a workspace although some of its changes are
lost."""
_NOTE_BYTES = 160
"""Size in bytes of the file `<workspace>.commits`. The size is constant, so that each write replaces the whole file."""


class CommitNote(NamedTuple):
    """Content of the file `<workspace>.commits`, which counts the commits of the workspace beside it."""

    workspace: str
    commits: int
    tried: int | None
    """Number of the last COMMIT that was started, or None if an earlier program version wrote the file."""


class CommitCount:
    """Counts the commits of one open workspace and records each number before the commit is acknowledged."""

    def __init__(self, file: Path, root: Cursor) -> None:
        self._file, self._beside = file, commits_file(file)
        self._workspace, self._is_open = root.execute("SELECT workspace, is_open FROM opened").fetchall()[0]
        self._mode = stat.S_IMODE(file.stat().st_mode)
        self._handle: int | None = None
        self._is_mark_in_file = False
        self._commits = 0
        self._metadata = MetadataCopy(file)

    def begin(self, cursor: Cursor) -> None:
        """Mark the workspace file as open before the first commit, so that a missing log can be detected. While another
        thread's query prevents a checkpoint, this mark is only in DuckDB's log, and only the commit note can reveal that the
        log is missing. The next commit then tries to set the mark again. Also copy the metadata blocks of the file that a
        checkpoint would overwrite."""
        self._metadata.keep(cursor)
        if self._handle is None:
            self._open_note(cursor)
        if not self._is_mark_in_file:
            try:
                cursor.execute("CHECKPOINT")
                self._is_mark_in_file = True
            except duckdb.TransactionException as error:
                if "Cannot CHECKPOINT" not in str(error):
                    raise

    def _open_note(self, cursor: Cursor) -> None:
        try:
            self._handle = os.open(self._beside, os.O_WRONLY | os.O_CREAT, self._mode)
            self._commits = _count_commits(cursor)
            self._write_row(self._commits)
            self.sync()
        except OSError as error:
            self._close()
            raise self._explain_unwritten(error) from error
        try:
            if not self._is_open:
                self.note(self._mark(cursor, is_open=True))
        except BaseException:
            self._close()
            raise
        self._is_open = True

    def prepare(self, number: int) -> None:
        """Before the COMMIT with the given number, create DuckDB's log file if it is missing, and write the number into the
        commit note."""
        make_log(self._file, self._mode)
        try:
            self._write_row(number)
        except OSError as error:
            raise self._explain_unwritten(error) from error

    def note(self, commits: int) -> None:
        """After a COMMIT, write the number of commits into the file `<workspace>.commits`. Errors while writing this number are
        ignored, because the commit itself is already stored."""
        self._commits = commits
        with contextlib.suppress(OSError):
            self._write_row(commits)

    def sync(self) -> None:
        """Before a CHECKPOINT, flush the commit note (the file `<workspace>.commits`) to disk, so that the note is never older
        than the workspace."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._handle)

    def end(self, cursor: Cursor) -> None:
        """Mark the workspace file as closed, after its last commit."""
        if self._is_open:
            with contextlib.suppress(duckdb.Error, BenchError):
                self._metadata.keep(cursor)
                self._mark(cursor, is_open=False)
        self._close()

    def release_file(self) -> None:
        """Close the handle of the workspace file; call this after DuckDB has closed its last connection to the file."""
        self._metadata.close()

    def _mark(self, cursor: Cursor, is_open: bool) -> int:
        """Record in the workspace, with a commit of its own, that the workspace is open or closed; return the number of that
        commit."""
        cursor.execute("BEGIN")
        try:
            cursor.execute("UPDATE opened SET is_open = ?", [is_open])
            number = int(cursor.execute(NEXT_COMMIT_SQL).fetchall()[0][0])
            self.prepare(number)
            cursor.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(duckdb.Error):
                cursor.execute("ROLLBACK")
            raise
        return number

    def _write_row(self, tried: int) -> None:
        if self._handle is not None:
            note = CommitNote(self._workspace, self._commits, tried)
            row = json.dumps({**note._asdict(), "check": _compute_checksum(note)})
            os.pwrite(self._handle, row.ljust(_NOTE_BYTES - 1).encode() + b"\n", 0)

    def _explain_unwritten(self, error: OSError) -> BenchError:
        return BenchError(
            f"{self._beside} could not be written ({error.strerror}); this change was not stored: free disk space and try "
            "again."
        )

    def _close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def commits_file(workspace: Path) -> Path:
    """Return the path of the workspace's commit note, a file that exists while the workspace is open."""
    return workspace.with_name(workspace.name + ".commits")


def log_of(workspace: Path) -> Path:
    """Return the path of the workspace's DuckDB log, which has the commits that are not yet in the workspace file."""
    return workspace.with_name(workspace.name + ".wal")


def make_log(workspace: Path, mode: int) -> None:
    """Create an empty log file with the file permissions of the workspace, unless a log file exists. DuckDB then writes its log
    into this file."""
    with contextlib.suppress(OSError):
        os.close(os.open(log_of(workspace), os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))


def is_left_open(workspace: Path) -> bool:
    """Check whether a log or commit note beside the workspace shows that the workspace was not closed properly."""
    return commits_file(workspace).exists() or _has_log(workspace)


def is_counted(root: Cursor) -> bool:
    """Check whether the workspace has a schema that is recent enough to count commits. `root` is a connection to the
    workspace."""
    try:
        root.execute("SELECT 1 FROM opened LIMIT 0")
    except duckdb.CatalogException:
        return False
    return True


def check(file: Path, root: Cursor) -> None:
    """Check that the workspace contains all commits that the program confirmed. `root` is a connection to the workspace. Raises
    BenchError if commits are missing, or if the program cannot tell whether any are missing."""
    if not is_counted(root):
        return
    beside = commits_file(file)
    text = beside.read_bytes() if beside.exists() else None
    if text is not None and text.strip() == GO_ON.encode():
        return
    workspace, is_open = root.execute("SELECT workspace, is_open FROM opened").fetchall()[0]
    note = _parse_note(text)
    if note is not None and note.workspace == workspace:
        commits = _count_commits(root)
        lacking = note.commits - commits
        if lacking > 0:
            raise refuse_workspace(
                file, f"{file} lacks {lacking:,} acknowledged change{'s' * (lacking > 1)}: its log {_describe_log(file)}"
            )
        # With a log, the note may be older: power can fail before the note reaches the disk.
        if is_open and note.tried is not None and commits > note.tried and not _has_log(file):
            raise refuse_workspace(
                file,
                f"The log of {file} is missing and {beside.name} is an older copy, so that nobody can tell whether changes "
                "are missing",
            )
    elif is_open:
        why = f"{beside.name} is not beside it" if text is None else f"{beside.name} is that of another workspace, or damaged"
        raise refuse_workspace(
            file,
            f"{file} was copied while it was open, or its process was killed, and {why}, so that nobody can "
            "tell whether changes are missing",
        )


def refuse_workspace(file: Path, why: str, advice: str = "") -> BenchError:
    """Return an error that a workspace does not match its log, after copying the files of the workspace so that a repair cannot
    destroy them."""
    return BenchError(
        f"{why}. Nothing was changed, {_copy_refused(file)}: restore the missing file or a backup, or {advice}write "
        f'"{GO_ON}" into {commits_file(file)} to keep the present content.'
    )


def tidy_up(file: Path) -> None:
    """Remove the files beside the workspace after it is closed, unless a DuckDB log remains."""
    if not _has_log(file):
        for beside in (log_of(file), commits_file(file), metadata_file(file)):
            beside.unlink(missing_ok=True)


def _count_commits(root: Cursor) -> int:
    return int(root.execute("SELECT last_value FROM duckdb_sequences() WHERE sequence_name = 'commits'").fetchall()[0][0] or 0)


def _parse_note(text: bytes | None) -> CommitNote | None:
    try:
        values = json.loads(text or b"")
        if "check" not in values:  # a note by an earlier version
            return CommitNote(str(values["workspace"]), int(values["commits"]), None)
        note = CommitNote(str(values["workspace"]), int(values["commits"]), int(values["tried"]))
    except (ValueError, TypeError, KeyError):
        return None
    return note if values["check"] == _compute_checksum(note) else None


def _compute_checksum(note: CommitNote) -> int:
    return crc32(repr(tuple(note)).encode())


def _has_log(file: Path) -> bool:
    log = log_of(file)
    return log.exists() and log.stat().st_size > 0


def _describe_log(file: Path) -> str:
    return f"{log_of(file).name} is {'cut or damaged' if _has_log(file) else 'missing'}"


def _copy_refused(file: Path) -> str:
    """Copy the workspace file, its log and its commit note, unless an equal copy exists. Return a clause for an error message
    that names the copy."""
    parts = [part for part in (file, log_of(file), commits_file(file)) if part.exists()]
    for number in range(1, 1000):
        copy = file.with_name(f"{file.name}.refused-{number:03d}.duckdb")
        copies = [copy.with_name(copy.name + part.name.removeprefix(file.name)) for part in parts]
        if all(map(_is_same, parts, copies)):
            return f"a copy is {copy.name}"
        if not copy.exists():
            break
    try:
        for part, target in zip(parts[::-1], copies[::-1], strict=True):  # the file last: it shows that the copy is complete
            shutil.copy2(part, target)
    except OSError as error:
        for target in copies:
            target.unlink(missing_ok=True)
        return f"no copy could be made ({error.strerror})"
    return f"a copy is {copy.name}"


def _is_same(file: Path, copy: Path) -> bool:
    if not copy.exists():
        return False
    a, b = file.stat(), copy.stat()
    return (a.st_size, a.st_mtime_ns) == (b.st_size, b.st_mtime_ns)
