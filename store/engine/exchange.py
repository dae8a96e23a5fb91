"""Manage the folders in which the program writes files that are not complete yet. SQL writes into an exchange folder beside the
workspace. An export writes into a hidden folder beside its target, or into a folder for zipped exports. Opening a workspace
removes the incomplete files of a process that was killed."""

import contextlib
import errno
import os
import re
import shutil
import stat
import uuid
from collections.abc import Iterator
from pathlib import Path

import duckdb

from core.errors import BenchError
from store.engine.writer import is_trouble_of_the_disk

PACKED_EXPORTS = "exports"
"""Name of the folder for exports that were packed into one file. The process that holds the workspace deletes these exports
when it ends. A deleted export can be packed again."""
_UNFINISHED_SUFFIX = ".unfinished"
_PART = re.compile(r"\..+\.[0-9a-f]{32}")


def name_folder(workspace: Path, kind: str) -> Path:
    """Return the path of the folder beside the workspace that is for files of the given kind."""
    return workspace.with_name(f"{workspace.name}.{kind}")


def exchange_folder(workspace: Path) -> Path:
    """Return the exchange folder of the workspace, the only folder in which SQL may write files."""
    return name_folder(workspace, "exchange")


@contextlib.contextmanager
def exchange_file(workspace: Path, target: Path, suffix: str) -> Iterator[Path]:
    """Yield the path of a temporary file in the exchange folder. After success, move the temporary file to `target`; otherwise
    remove it."""
    folder = exchange_folder(workspace)
    file = folder / f"{uuid.uuid4().hex}{suffix}"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        yield file
        _move(file, target)
    except (OSError, duckdb.Error) as error:
        if isinstance(error, duckdb.Error) and not is_trouble_of_the_disk(error):
            raise
        first = str(error).splitlines()[0]
        raise BenchError(f"{target} could not be written ({first}): give another path, or free disk space.") from error
    finally:
        for leftover in folder.glob(f"{file.name}*"):
            leftover.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # the folder contains another copy
            folder.rmdir()


def _move(file: Path, target: Path) -> None:
    """Move the file to the target. If the target is on another disk or mount, copy the file. The data are on disk before the
    file gets its final name, so a file with this name is always complete."""
    _sync(file)
    try:
        os.replace(file, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        copy = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
        try:
            copy.touch(stat.S_IMODE(file.stat().st_mode))  # give others no more rights than to the target
            shutil.copy(file, copy)
            _sync(copy)
            os.replace(copy, target)
        finally:
            copy.unlink(missing_ok=True)


def _sync(file: Path) -> None:
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def hidden_part(workspace: Path | None, target: Path) -> Iterator[Path]:
    """Yield a new hidden folder beside the target, and remove it on exit, even after an error. A note in the exchange folder
    contains the path of the hidden folder. If the program is killed, its next start reads the note and removes the hidden
    folder."""
    id_ = uuid.uuid4().hex
    part = target.with_name(f".{target.name}.{id_}")
    note = None if workspace is None else exchange_folder(workspace) / f"{id_}{_UNFINISHED_SUFFIX}"
    try:
        if note is not None:
            with contextlib.suppress(PermissionError):  # the workspace is read-only
                note.parent.mkdir(mode=0o700, exist_ok=True)
                note.write_text(str(part.resolve()), encoding="utf-8")
        part.mkdir(parents=True)
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)
        if note is not None:
            note.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # the folder contains another copy
                note.parent.rmdir()


def clear_leftovers(workspace: Path) -> None:
    """Remove the temporary files and packed exports that a killed process left behind. Call this function only while this
    process has the workspace open, because then no other process can be writing temporary files."""
    shutil.rmtree(name_folder(workspace, PACKED_EXPORTS), ignore_errors=True)
    folder = exchange_folder(workspace)
    for note in folder.glob(f"*{_UNFINISHED_SUFFIX}"):
        part = Path(note.read_text(encoding="utf-8"))
        if _PART.fullmatch(part.name) and part.name.endswith(note.name.removesuffix(_UNFINISHED_SUFFIX)):
            shutil.rmtree(part, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
