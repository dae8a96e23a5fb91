"""Before DuckDB overwrites blocks of an open workspace in place, at its next checkpoint, copy these blocks to the file
`<workspace>.metadata`. DuckDB 2.0 writes new metadata into unused parts of a block that is still in use. If the process is
killed during that write, the block's checksum is wrong, and DuckDB cannot open the file. When the workspace is opened next, the
program restores the blocks from the copy."""

import contextlib
import fcntl
import os
import stat
from array import array
from pathlib import Path
from zlib import crc32

import duckdb

_HEADERS_BYTES = 3 * 4096
"""Size in bytes of DuckDB's three headers at the start of a file. One of the three headers is written at the end of each
checkpoint."""
_BLOCK_BYTES = 256 * 1024
"""Size in bytes of a block in the files that DuckDB creates by default."""
_BLOCKS_SQL = "SELECT block_id FROM pragma_metadata_info() ORDER BY block_id"
_watched: set[Path] = set()
"""Workspaces that this process has open. Closing a second handle of such a file would release the lock that DuckDB has on the
file."""


class MetadataCopy:
    """Maintains the copy of one open workspace's metadata blocks. Close this object after DuckDB has closed its last connection
    to the file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._handle = os.open(file, os.O_RDONLY)
        self._headers = b""
        """DuckDB's file headers at the time of the last copy. The headers change with each checkpoint, and only a checkpoint
        changes metadata."""
        _watched.add(file)

    def keep(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Copy the metadata blocks, if a checkpoint has changed them since the last copy. If the disk has no space, make no
        copy; the workspace is then protected only by DuckDB itself."""
        headers = os.pread(self._handle, _HEADERS_BYTES, 0)
        if headers == self._headers:
            return
        numbers = array("q", (number for (number,) in cursor.execute(_BLOCKS_SQL).fetchall()))
        blocks = [os.pread(self._handle, _BLOCK_BYTES, _locate_block(number)) for number in numbers]
        content = headers + b"".join(block.ljust(_BLOCK_BYTES, b"\0") for block in blocks) + numbers.tobytes()
        mode = stat.S_IMODE(os.fstat(self._handle).st_mode)
        with contextlib.suppress(OSError):
            handle = os.open(metadata_file(self._file), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
            with os.fdopen(handle, "wb") as out:
                out.write(crc32(content).to_bytes(4) + content)
                out.flush()
                os.fsync(out.fileno())
        self._headers = headers

    def close(self) -> None:
        """Close the handle of the workspace file, which releases the process's lock on the file."""
        os.close(self._handle)
        _watched.discard(self._file)


def metadata_file(workspace: Path) -> Path:
    """Return the path of the copy of the workspace's metadata, a file that exists while the workspace is open."""
    return workspace.with_name(workspace.name + ".metadata")


def restore(file: Path) -> None:
    """If a process with an open workspace was killed, restore the copied blocks of the file, provided that the file still has
    the headers of the copy. Do nothing while a process has the workspace open."""
    copied = metadata_file(file)
    if file in _watched or not copied.exists():
        return
    whole = copied.read_bytes()
    checksum, content = whole[:4], whole[4:]
    n_blocks = (len(content) - _HEADERS_BYTES) // (_BLOCK_BYTES + array("q").itemsize)
    if crc32(content).to_bytes(4) != checksum or n_blocks < 1:
        return
    numbers = array("q", content[_HEADERS_BYTES + n_blocks * _BLOCK_BYTES :])
    with file.open("r+b", buffering=0) as workspace:
        try:
            fcntl.lockf(workspace, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return  # another process holds it
        if workspace.read(_HEADERS_BYTES) != content[:_HEADERS_BYTES]:
            return  # DuckDB completed the checkpoint
        for at, number in enumerate(numbers):
            block = content[_HEADERS_BYTES + at * _BLOCK_BYTES :][:_BLOCK_BYTES]
            if os.pread(workspace.fileno(), _BLOCK_BYTES, _locate_block(number)) != block:
                os.pwrite(workspace.fileno(), block, _locate_block(number))
        os.fsync(workspace.fileno())


def _locate_block(number: int) -> int:
    return _HEADERS_BYTES + number * _BLOCK_BYTES
