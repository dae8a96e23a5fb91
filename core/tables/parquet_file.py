"""Reads Parquet files from outside in a separate process (core/tables/parquet_child.py), because a few bytes can unpack to more
than this machine's memory, and a damaged file can crash the library."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.readers.bounded_child import BoundBroken, BoundedChildren

CPU_SECONDS = 60
"""Maximum CPU seconds for reading the rows of one answer."""
_MAX_ANSWER_BYTES = 2**28
_CHILDREN = BoundedChildren("core.tables.parquet_child", _MAX_ANSWER_BYTES)
_REASONS = {
    "time": f"it takes more than {CPU_SECONDS} seconds of computing to read some of its rows",
    "memory": "it takes too much memory to read",
    "output": f"it holds a row of more than {_MAX_ANSWER_BYTES // 2**20} MB",
    "crash": "it is damaged or asks for too much memory, and broke its reader",
}


class ParquetBroken(Exception):
    """Error for a Parquet file that cannot be read; its message is the reason."""


class Head(NamedTuple):
    """Columns and sizes that a Parquet file states at its beginning or end."""

    fields: Sequence[tuple[str, str]]
    """Each column as (name, pyarrow's name of its type)."""
    rows: int
    bytes: int
    """Size of the file's columns in bytes when unpacked."""


def read_head(path: Path) -> Head:
    """Return the columns and sizes that the file states. Raises ParquetBroken if the Parquet file cannot be read."""
    [head] = _ask_child({"head": str(path.absolute())})
    return Head([(name, kind) for name, kind in head["fields"]], head["rows"], head["bytes"])


def read_rows(path: Path, columns: Sequence[str], most: int, batch: int = 1000, is_plain: bool = False) -> Iterator[list[Any]]:
    """Yield the values of the named columns, row by row. Raises ParquetBroken if the file cannot be read.

    `most` = maximum unpacked size in bytes, `batch` = number of rows unpacked at a time, `is_plain` = whether values become
    plain cells (core.tables.types.plain_cell)."""
    order = {"read": str(path.absolute()), "columns": list(columns), "batch": batch, "most": most, "plain": is_plain}
    for rows in _ask_child(order):
        yield from rows


def _ask_child(order: Mapping[str, Any]) -> Iterator[Any]:
    try:
        for answer in _CHILDREN.ask(order, CPU_SECONDS):
            if isinstance(answer, dict) and "broken" in answer:
                raise ParquetBroken(answer["broken"])
            yield answer
    except BoundBroken as broken:
        raise ParquetBroken(_REASONS[broken.what]) from broken
