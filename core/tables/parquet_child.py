"""Program of the separate process that reads Parquet files with limited time and memory. core/tables/parquet_file.py sends the
requests."""

import os
from collections.abc import Iterator
from typing import Any

os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # other memory pools reserve gigabytes of address space

from core.readers.bounds import serve
from core.tables.types import plain_cell

MAX_MEMORY_BYTES = 3_500_000_000
"""Maximum address space of the process in bytes."""
ANSWER_BYTES = 16 * 2**20
"""Approximate size in bytes of the rows that one answer contains."""


def answers(order: dict[str, Any]) -> Iterator[Any]:
    """Yield the answers to a request to read a file; the answer {"broken": reason} means that the file cannot be read.

    The request {"head": path} gives {"fields": [name, type] of each column, "rows", "bytes": as the file states}. The request
    {"read": path, "columns": names, "batch": rows, "most": bytes, "plain": whether values become plain cells} gives lists of
    rows (lists of values)."""
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
    unpacked = returned = 0
    for batch in file.iter_batches(batch_size=order["batch"], columns=order["columns"], use_threads=False):
        unpacked += batch.nbytes
        size = max(1, batch.num_rows * ANSWER_BYTES // max(batch.nbytes, 1))
        for start in range(0, batch.num_rows, size):
            columns = [batch.column(name).slice(start, size).to_pylist() for name in order["columns"]]
            if order["plain"]:
                columns = [list(map(plain_cell, values)) for values in columns]
            returned += _measure_size(columns)  # a dictionary column is small when unpacked, and large as a list of values
            if max(unpacked, returned) > order["most"]:
                yield {"broken": f"it unpacks to more than {order['most']:,} bytes"}
                return
            yield [list(row) for row in zip(*columns, strict=True)]


def _measure_size(value: Any) -> int:
    """Return the approximate number of characters that a value takes."""
    if isinstance(value, str):
        return len(value)
    return 8 + sum(map(_measure_size, value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()))


if __name__ == "__main__":
    serve(answers, MAX_MEMORY_BYTES)
