"""What reads Parquet files, in a process of its own with bounded time and memory. core/tables/parquet_file.py orders it."""

import os
from collections.abc import Iterator
from typing import Any

os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # others set whole gigabytes of address space aside

from core.readers.bounds import serve
from core.tables.types import plain_cell

MAX_MEMORY_BYTES = 3_500_000_000
"""Bytes of address space."""
AT_ONCE = 16 * 2**20
"""Bytes of rows that are answered together."""


def answers(order: dict[str, Any]) -> Iterator[Any]:
    """{"head": path} gives {"fields": [name, type] of each column, "rows", "bytes": as the file says}. {"read": path,
    "columns": names, "batch": rows, "most": bytes, "plain": whether values become plain cells} gives lists of rows, each a
    list of values. {"broken": why} for what cannot be read."""
    import pyarrow
    import pyarrow.parquet

    try:
        if "head" in order:
            with pyarrow.parquet.ParquetFile(order["head"]) as file:
                groups = [file.metadata.row_group(number).total_byte_size for number in range(file.num_row_groups)]
                fields = [[field.name, str(field.type)] for field in file.schema_arrow]
                yield {"fields": fields, "rows": file.metadata.num_rows, "bytes": sum(groups)}
            return
        with pyarrow.parquet.ParquetFile(order["read"]) as file:
            yield from _rows(file, order)
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        yield {"broken": (str(error).splitlines() or ["it is damaged"])[0][:200]}


def _rows(file: Any, order: dict[str, Any]) -> Iterator[Any]:
    unpacked = given = 0
    for batch in file.iter_batches(batch_size=order["batch"], columns=order["columns"], use_threads=False):
        unpacked += batch.nbytes
        each = max(1, batch.num_rows * AT_ONCE // max(batch.nbytes, 1))
        for start in range(0, batch.num_rows, each):
            columns = [_values(batch.column(name).slice(start, each), order["plain"]) for name in order["columns"]]
            given += _size(columns)  # a column with a dictionary unpacks to little and gives much
            if max(unpacked, given) > order["most"]:
                yield {"broken": f"it unpacks to more than {order['most']:,} bytes"}
                return
            yield [list(row) for row in zip(*columns, strict=True)]


def _size(value: Any) -> int:
    """Characters, about."""
    if isinstance(value, str):
        return len(value)
    return 8 + sum(map(_size, value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()))


def _values(column: Any, is_plain: bool) -> list[Any]:
    values: list[Any] = column.to_pylist()
    return [plain_cell(value) for value in values] if is_plain else values


if __name__ == "__main__":
    serve(answers, MAX_MEMORY_BYTES)
