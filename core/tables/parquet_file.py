"""Reads Parquet files of unknown origin in a separate process (core/tables/parquet_child.py). A few bytes can unpack to more
than this machine's memory, and a damaged file can crash the library."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.readers.bounded_child import BoundBroken, BoundedChildren

CPU_SECONDS = 60
"""Maximum CPU seconds for one answer of rows."""
_MAX_ANSWER_BYTES = 2**28
_CHILDREN = BoundedChildren("core.tables.parquet_child", _MAX_ANSWER_BYTES)
_REASONS = {
    "time": f"it takes more than {CPU_SECONDS} seconds of computing to read some of its rows",
    "memory": "it takes too much memory to read",
    "output": f"it holds a row of more than {_MAX_ANSWER_BYTES // 2**20} MB",
    "crash": "it is damaged or asks for too much memory, and broke its reader",
}


class ParquetBroken(Exception):
    """Raised if the file cannot be read; the message gives the reason."""


class Head(NamedTuple):
    """The columns and sizes that a Parquet file states."""

    fields: Sequence[tuple[str, str]]
    """(name, pyarrow's name of the type) of each column."""
    rows: int
    bytes: int
    """Unpacked size in bytes."""


def read_head(path: Path) -> Head:
    """Return the columns and sizes of the file. Raises ParquetBroken."""
    [head] = _ask_child({"head": str(path.absolute())})
    return Head([(name, kind) for name, kind in head["fields"]], head["rows"], head["bytes"])


def read_rows(path: Path, columns: Sequence[str], most: int, batch: int = 1000, is_plain: bool = False) -> Iterator[list[Any]]:
    """Yield the values of the named columns, row by row. Raises ParquetBroken.

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
