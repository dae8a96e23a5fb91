"""The number of acknowledged commits, kept in the workspace by a sequence and beside it in `<workspace>.commits` while it is
open. DuckDB opens a file without its log, or with a cut or damaged one, and says nothing: the two numbers tell."""

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

Cursor = duckdb.DuckDBPyConnection
NEXT_COMMIT_SQL = "SELECT nextval('commits')"
GO_ON = "go on"
"""What a person writes into the file beside the workspace to go on with what is there."""
_ROW = 160
"""Bytes of the file beside the workspace: always one write of the same length."""


class Noted(NamedTuple):
    """What the file beside the workspace says."""

    workspace: str
    commits: int
    tried: int | None
    """The number of the last COMMIT that was begun; None in a file of an earlier program."""


class CommitCount:
    """Notes each commit of one open workspace before anybody hears that it was done."""

    def __init__(self, file: Path, root: Cursor) -> None:
        """`root` gives what the workspace says of itself."""
        self._file, self._beside = file, commits_file(file)
        self._workspace, self._is_open = root.execute("SELECT workspace, is_open FROM opened").fetchall()[0]
        self._mode = stat.S_IMODE(file.stat().st_mode)
        self._handle: int | None = None
        self._commits = 0

    def begin(self, cursor: Cursor) -> None:
        """Before the first commit: from here on the file itself, without its log, tells that it is not all there is."""
        if self._handle is not None:
            return
        try:
            self._handle = os.open(self._beside, os.O_WRONLY | os.O_CREAT, self._mode)
            self._commits = _count_commits(cursor)
            self._write_row(self._commits)
            self.sync()
        except OSError as error:
            self._let_go()
            raise self._explain_unwritten(error) from error
        try:
            if not self._is_open:
                self.note(self._mark(cursor, is_open=True))
            cursor.execute("CHECKPOINT")  # a mark in the log alone would go with it
        except BaseException:
            self._let_go()
            raise
        self._is_open = True

    def prepare(self, number: int) -> None:
        """Before the COMMIT of that number, which may begin a new log."""
        make_log(self._file, self._mode)
        try:
            self._write_row(number)
        except OSError as error:
            raise self._explain_unwritten(error) from error

    def note(self, commits: int) -> None:
        """After a COMMIT. One that cannot be noted is stored all the same, and only less well guarded."""
        self._commits = commits
        with contextlib.suppress(OSError):
            self._write_row(commits)

    def sync(self) -> None:
        """Before a CHECKPOINT: on the disk, too, the file beside the workspace is no older than the workspace."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._handle)

    def end(self, cursor: Cursor) -> None:
        """After the last commit: the workspace is one file again, once it is closed."""
        if self._is_open:
            with contextlib.suppress(duckdb.Error, BenchError):
                self._mark(cursor, is_open=False)
        self._let_go()

    def _mark(self, cursor: Cursor, is_open: bool) -> int:
        """Number of the commit."""
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
            noted = Noted(self._workspace, self._commits, tried)
            row = json.dumps({**noted._asdict(), "check": _checksum(noted)})
            os.pwrite(self._handle, row.ljust(_ROW - 1).encode() + b"\n", 0)

    def _explain_unwritten(self, error: OSError) -> BenchError:
        return BenchError(
            f"{self._beside} could not be written ({error.strerror}); nothing of this change was stored: make room, try again."
        )

    def _let_go(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def commits_file(workspace: Path) -> Path:
    """The number of commits, while the workspace is open."""
    return workspace.with_name(workspace.name + ".commits")


def log_of(workspace: Path) -> Path:
    """DuckDB's own log of what is not yet in the file."""
    return workspace.with_name(workspace.name + ".wal")


def make_log(workspace: Path, mode: int) -> None:
    """An empty log, where there is none, that only those may read who may read the workspace: DuckDB goes on with it."""
    with contextlib.suppress(OSError):
        os.close(os.open(log_of(workspace), os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))


def is_left_open(workspace: Path) -> bool:
    """Whether something beside the file says that it was not closed."""
    return commits_file(workspace).exists() or _has_log(workspace)


def is_counted(root: Cursor) -> bool:
    """Whether the schema is recent enough to count commits."""
    return bool(root.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'opened' AND NOT internal").fetchall())


def check(file: Path, root: Cursor) -> None:
    """Raises BenchError when the workspace, as `root` reads it, lacks commits that were acknowledged, or cannot tell."""
    if not is_counted(root):
        return
    beside = commits_file(file)
    text = beside.read_bytes() if beside.exists() else None
    if text is not None and text.strip() == GO_ON.encode():
        return
    workspace, is_open = root.execute("SELECT workspace, is_open FROM opened").fetchall()[0]
    noted = _parse_note(text)
    if noted is not None and noted.workspace == workspace:
        commits = _count_commits(root)
        lacking = noted.commits - commits
        if lacking > 0:
            raise refuse_workspace(
                file, f"{file} lacks {lacking:,} acknowledged change{'s' * (lacking > 1)}: its log {_state(file)}"
            )
        # With a log it may be older: the system's power can fail before it is on the disk.
        if is_open and noted.tried is not None and commits > noted.tried and not _has_log(file):
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
    """The refusal of a workspace whose log is not what it should be; all there is is copied before anybody tries to mend it."""
    return BenchError(
        f"{why}. Nothing was changed, {_copy_refused(file)}: put back what is missing or a backup, or {advice}write "
        f'"{GO_ON}" into {commits_file(file)} to keep what is there.'
    )


def tidy_up(file: Path) -> None:
    """After the workspace was closed: without a log nothing needs counting."""
    if not _has_log(file):
        log_of(file).unlink(missing_ok=True)
        commits_file(file).unlink(missing_ok=True)


def _count_commits(root: Cursor) -> int:
    return int(root.execute("SELECT last_value FROM duckdb_sequences() WHERE sequence_name = 'commits'").fetchall()[0][0] or 0)


def _parse_note(text: bytes | None) -> Noted | None:
    try:
        said = json.loads(text or b"")
        if "check" not in said:  # of an earlier program
            return Noted(str(said["workspace"]), int(said["commits"]), None)
        noted = Noted(str(said["workspace"]), int(said["commits"]), int(said["tried"]))
    except (ValueError, TypeError, KeyError):
        return None
    return noted if said["check"] == _checksum(noted) else None


def _checksum(noted: Noted) -> int:
    return crc32(repr(tuple(noted)).encode())


def _has_log(file: Path) -> bool:
    log = log_of(file)
    return log.exists() and log.stat().st_size > 0


def _state(file: Path) -> str:
    return f"{log_of(file).name} is {'cut or damaged' if _has_log(file) else 'missing'}"


def _copy_refused(file: Path) -> str:
    """Copy the file, its log and its count once for each state that is refused; says where to."""
    parts = [part for part in (file, log_of(file), commits_file(file)) if part.exists()]
    for number in range(1, 1000):
        copy = file.with_name(f"{file.name}.refused-{number:03d}.duckdb")
        copies = [copy.with_name(copy.name + part.name.removeprefix(file.name)) for part in parts]
        if all(_is_same(part, made) for part, made in zip(parts, copies, strict=True)):
            return f"a copy is {copy.name}"
        if not copy.exists():
            break
    try:
        for part, made in zip(parts[::-1], copies[::-1], strict=True):  # the file last: it tells that the copy is whole
            shutil.copy2(part, made)
    except OSError as error:
        for made in copies:
            made.unlink(missing_ok=True)
        return f"no copy could be made ({error.strerror})"
    return f"a copy is {copy.name}"


def _is_same(one: Path, other: Path) -> bool:
    if not other.exists():
        return False
    a, b = one.stat(), other.stat()
    return (a.st_size, a.st_mtime_ns) == (b.st_size, b.st_mtime_ns)
