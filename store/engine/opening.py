"""Open the file of a workspace: check that it is whole, migrate it, and keep SQL within the exchange folder. A file that cannot
be opened is an error of one sentence. Also copy a workspace to another file."""

import contextlib
import os
import re
import stat
import uuid
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import duckdb

from core.errors import BenchError, WorkspaceHeld
from store.engine import commits, exchange
from store.engine.exchange import exchange_file, exchange_folder
from store.engine.metadata_copy import MetadataCopy, restore
from store.engine.migrations import migrate

Cursor = duckdb.DuckDBPyConnection
IN_MEMORY = ":memory:"
_NO_EXTENSIONS = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
_CONFIG = {**_NO_EXTENSIONS, "checkpoint_threshold": "4MB"}
"""DuckDB settings of a workspace file. At the size of `checkpoint_threshold`, DuckDB moves its log into the file; the writer
usually does so earlier, after a number of seconds."""
CONFIG_IN_MEMORY = {**_NO_EXTENSIONS, "checkpoint_threshold": "1GB"}
"""DuckDB settings of a workspace in memory. At the size of `checkpoint_threshold`, DuckDB compresses all tables. A small commit
counts as 256 kB: with 4MB, DuckDB would compress all tables at every 16th commit."""
PRIVATE_MODE = 0o600
"""File mode of a new workspace file: only its owner may read and write it."""
_OPEN_HERE = "{} is already open in this process: use that open workspace."


def open_in_memory(schema: Path) -> Cursor:
    """Return the connection of a new workspace in memory."""
    root = duckdb.connect(IN_MEMORY, config=dict(CONFIG_IN_MEMORY))
    migrate(root, "The workspace in memory", lambda number: None, schema)
    lock_down(root, None)
    return root


@contextlib.contextmanager
def open_file(file: Path, read_only_ok: bool, schema: Path) -> Iterator[tuple[Cursor, bool]]:
    """Yield the connection of the workspace file and whether the file is read-only; see `Database.open`. An error within the
    `with` statement closes the connection."""
    is_read_only = _is_read_only(file, read_only_ok)
    is_left_open = commits.is_left_open(file)
    if is_left_open and not file.exists():
        raise BenchError(
            f"{file} is missing, although its log exists: restore the file, or, to begin a new workspace, move "
            f"its log and {file.name}.commits away."
        )
    if is_left_open and not is_read_only:  # check read-only first: a writing connection could end the log
        restore(file)
        with connect(file, True) as reading:
            try:
                commits.check(file, reading)
                with contextlib.closing(MetadataCopy(file)) as metadata:  # the next connection may move the log
                    metadata.keep(reading)
            except duckdb.Error as error:
                raise explain_unreadable(file, error) from error
    is_new = not file.exists()
    root = connect(file, is_read_only)
    try:
        if root.execute("SELECT current_setting('lock_configuration')").fetchall()[0][0]:
            raise BenchError(_OPEN_HERE.format(file))
        if is_new:
            file.chmod(PRIVATE_MODE)
        if is_read_only or not is_left_open:
            commits.check(file, root)
        if is_read_only:
            migrate(root, str(file), partial(_refuse_migration, file), schema)
        else:
            exchange.clear_leftovers(file)
            migrate(root, str(file), partial(_copy_before, root, file), schema)
        lock_down(root, exchange_folder(file))
        yield root, is_read_only
    except duckdb.Error as error:
        root.close()
        raise explain_unreadable(file, error) from error
    except BaseException:
        root.close()
        raise


def connect(file: Path, is_read_only: bool) -> Cursor:
    try:
        return duckdb.connect(str(file), read_only=is_read_only, config=dict(_CONFIG))
    except duckdb.Error as error:
        if "different configuration" in str(error):
            raise BenchError(_OPEN_HERE.format(file)) from error
        if held := re.search(r"\(PID (\d+)\)", str(error)):
            raise WorkspaceHeld(
                f"{file} is held by another process (PID {held[1]}): end that process, or wait for it, then try again."
            ) from error
        raise explain_unreadable(file, error) from error


def lock_down(root: Cursor, folder: Path | None) -> None:
    """Restrict SQL on the connection to files in the given folder, and forbid it to change settings."""
    if folder is not None:
        root.execute(f"SET allowed_directories = [{_quote_text(f'{folder}/')}]")
    root.execute("SET enable_external_access = false")
    root.execute("SET lock_configuration = true")


def explain_unreadable(file: Path, error: duckdb.Error) -> BenchError:
    first = str(error).splitlines()[0]
    if file.exists() and not commits.is_left_open(file) and not is_duckdb(file):
        return BenchError(f"{file} is not a DuckDB file: give another --workspace, or move that file away.")
    if not file.exists():
        return BenchError(f"{file} cannot be created ({first}): give another --workspace.")
    if "WAL" in first:
        log = commits.log_of(file)
        why = f"{file} cannot be read, because its log {log.name} is damaged or another workspace's ({first})"
        return commits.refuse_workspace(file, why, f"move {log.name} away and ")
    if "No space left" in first or "File too large" in first or "invalidated because" in first:
        return BenchError(f"{file} cannot be used while its disk is full ({first}): free disk space and try again.")
    copies = sorted(file.parent.glob(f"{file.name}.before-*.duckdb"), key=lambda p: p.stat().st_mtime)
    advice = f"the newest copy beside it is {copies[-1].name}" if copies else "put a backup in its place"
    return BenchError(f"{file} cannot be read ({first}): {advice}.")


def _is_read_only(file: Path, read_only_ok: bool) -> bool:
    """Check whether the workspace file can be read but not written. Raises BenchError if the file cannot be written and
    `read_only_ok` is false, or if the path is not a regular file."""
    if file.is_dir():
        raise BenchError(f"{file} is a folder: give a file name as --workspace.")
    if file.exists() and not file.is_file():
        raise BenchError(f"{file} is a pipe or a device, not a file: give a file name as --workspace.")
    if not file.parent.is_dir():
        raise BenchError(f"The folder {file.parent} does not exist: create it, or give another --workspace.")
    at_fault = file if file.exists() and not os.access(file, os.W_OK) else file.parent
    if os.access(at_fault, os.W_OK):
        return False
    if read_only_ok and file.exists():
        return True
    raise BenchError(f"{at_fault} cannot be written: give write permission, or another --workspace.")


def is_duckdb(file: Path) -> bool:
    with file.open("rb") as handle:
        return handle.read(12)[8:] == b"DUCK"


def copy_database(cursor: Cursor, file: Path) -> None:
    """Copy the main database of the cursor into a new file."""
    alias = f"copy_{uuid.uuid4().hex}"
    (name,) = cursor.execute("SELECT current_database()").fetchall()[0]
    cursor.execute(f"ATTACH {_quote_text(file)} AS {alias}")
    try:
        cursor.execute(f"COPY FROM DATABASE {quote_name(name)} TO {alias}")
        if commits.is_counted(cursor):  # a copy is a new workspace, and closed
            cursor.execute(f"UPDATE {alias}.opened SET workspace = ?, is_open = false", [str(uuid.uuid4())])
    finally:
        cursor.execute(f"DETACH {alias}")


def _copy_before(root: Cursor, file: Path, number: int) -> None:
    """Before a migration, copy the workspace to `<workspace>.before-NNN.duckdb`, without overwriting an existing copy."""
    stem = f"{file.name}.before-{number:03d}"
    names = (file.with_name(f"{stem}{again}.duckdb") for again in ("", *(f"-{n}" for n in range(2, 1000))))
    target = next(name for name in names if not name.exists())
    with exchange_file(file, target, ".duckdb") as copy:
        copy_database(root, copy)
        copy.chmod(mode := stat.S_IMODE(file.stat().st_mode))
    commits.make_log(file, mode)


def _refuse_migration(file: Path, number: int) -> None:
    raise BenchError(f"{file} has an older schema and must be upgraded, but cannot be written: copy it to a writable folder.")


def _quote_text(path: Path | str) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
