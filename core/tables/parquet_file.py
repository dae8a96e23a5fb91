"""Parquet files of others are read in a process of their own (core/tables/parquet_child.py): a few bytes of one can stand for
more than this machine holds, and a damaged one can break the library that reads it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.readers.bounded_child import BoundBroken, BoundedChildren

CPU_SECONDS = 60
"""Of computing for some rows."""
_LONGEST_ANSWER = 2**28
_CHILDREN = BoundedChildren("core.tables.parquet_child", _LONGEST_ANSWER)
_REASONS = {
    "time": f"it takes more than {CPU_SECONDS} seconds of computing to read some of its rows",
    "memory": "it takes too much memory to read",
    "output": f"it holds a row of more than {_LONGEST_ANSWER // 2**20} MB",
    "crash": "it is damaged or asks for too much memory, and broke its reader",
}


class ParquetBroken(Exception):
    """A file that cannot be read; says why."""


class Head(NamedTuple):
    """What a file says of itself."""

    fields: Sequence[tuple[str, str]]
    """(name, pyarrow's word for the type) of each column."""
    rows: int
    bytes: int
    """Unpacked."""


def read_head(path: Path) -> Head:
    """Raises ParquetBroken."""
    [head] = _answers({"head": str(path.absolute())})
    return Head([(name, kind) for name, kind in head["fields"]], head["rows"], head["bytes"])


def read_rows(path: Path, columns: Sequence[str], most: int, batch: int = 1000, is_plain: bool = False) -> Iterator[list[Any]]:
    """The values of those columns, row by row; `most` = bytes that they may unpack to, `batch` = rows that are unpacked at a
    time, `is_plain` = as core.tables.types.plain_cell has them. Raises ParquetBroken."""
    order = {"read": str(path.absolute()), "columns": list(columns), "batch": batch, "most": most, "plain": is_plain}
    for rows in _answers(order):
        yield from rows


def _answers(order: Mapping[str, Any]) -> Iterator[Any]:
    try:
        for answer in _CHILDREN.ask(order, CPU_SECONDS):
            if isinstance(answer, dict) and "broken" in answer:
                raise ParquetBroken(answer["broken"])
            yield answer
    except BoundBroken as broken:
        raise ParquetBroken(_REASONS[broken.what]) from broken
