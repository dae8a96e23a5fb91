"""Records as columns of a Parquet file and back. Fields whose shape is free (labels, inputs, steps, provenance, meta, checks)
are JSON texts, so that every file of a kind has the same columns."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.ids import canonical_json
from core.json_lines import Line, strict_json

COLUMNS = {
    "items": {
        "id": "text", "revision": "int", "status": "text", "task": "text", "level": "text", "domain": "text",
        "language": "text", "question": "text", "answers": "texts", "evidence": "spans", "labels": "json", "inputs": "json",
        "given": "texts", "steps": "json", "overlap": "float", "provenance": "json", "split": "text", "withheld": "bool",
        "answer_hashes": "texts",
    },
    "variants": {
        "id": "text", "item": "text", "revision": "int", "kind": "text", "text": "text", "status": "text",
        "generator": "text", "seed": "int", "checks": "json",
    },
    "documents": {
        "id": "text", "title": "text", "domain": "text", "language": "text", "origin": "text", "licence": "text",
        "published": "text", "meta": "json", "text": "text",
    },
}  # fmt: skip
"""kind -> column -> what it holds. A level is "1" to "4", "KS", "KU", "KA" or null."""
NEEDED = {"items": ("id", "task", "question", "answers"), "variants": ("id", "item", "text"), "documents": ("id", "text")}
LARGEST = 4 * 2**30
"""Bytes of a file's columns unpacked."""
BATCH = 64
"""Rows unpacked at a time: a few bytes of a Parquet file can stand for very many."""


def write_columns(path: Path, kind: str, records: Sequence[Mapping[str, Any]]) -> None:
    """One Parquet file; the same records give the same bytes with the same pyarrow."""
    import pyarrow
    import pyarrow.parquet

    rows = [{name: _cell(record.get(name), what) for name, what in COLUMNS[kind].items()} for record in records]
    schema = pyarrow.schema([(name, _type(what)) for name, what in COLUMNS[kind].items()])
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pyarrow.Table.from_pylist(rows, schema=schema)
    pyarrow.parquet.write_table(table, path, compression="zstd", store_schema=False)


def read_columns(path: Path, kind: str) -> Iterator[Line]:
    """Every row as its record, numbered from 1. Raises BenchError on a file that is no Parquet, has other columns, or would
    unpack to more than LARGEST."""
    import pyarrow
    import pyarrow.parquet

    number, seen = 0, 0
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            _check_columns(path, kind, file.schema_arrow)
            names = [name for name in file.schema_arrow.names if name in COLUMNS[kind]]
            if sum(file.metadata.row_group(i).total_byte_size for i in range(file.num_row_groups)) > LARGEST:
                raise BenchError(f"{path} unpacks to more than {LARGEST // 2**30} GB: split it into smaller files.")
            for batch in file.iter_batches(batch_size=BATCH, columns=names):
                seen += batch.nbytes
                if seen > LARGEST:
                    raise BenchError(f"{path} unpacks to more than {LARGEST // 2**30} GB: split it into smaller files.")
                for row in batch.to_pylist():
                    number += 1
                    yield _line(number, kind, row)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BenchError(f"{path} is no Parquet file that can be read: {str(error).splitlines()[0][:200]}") from error


def _line(number: int, kind: str, row: Mapping[str, Any]) -> Line:
    try:
        record = {name: _value(value, COLUMNS[kind][name], name) for name, value in row.items()}
    except ValueError as error:
        return Line(number, None, f"cannot be read: {error}")
    if not record.get("withheld"):
        record = {name: value for name, value in record.items() if name not in ("withheld", "answer_hashes")}
    if record.get("level") is not None and str(record["level"]).isdecimal():
        record["level"] = int(record["level"])
    return Line(number, record)


def _cell(value: Any, what: str) -> Any:
    if value is None:
        return None
    if what == "json":
        return canonical_json(value)
    return str(value) if what == "text" else value


def _value(value: Any, what: str, name: str) -> Any:
    if what == "json" and value is not None:
        try:
            return strict_json(value)
        except ValueError as error:
            raise ValueError(f"{name} {error}") from error
    return value


def _type(what: str) -> Any:
    import pyarrow

    text = pyarrow.string()
    return {
        "text": text, "json": text, "int": pyarrow.int64(), "float": pyarrow.float64(), "bool": pyarrow.bool_(),
        "texts": pyarrow.list_(text),
        "spans": pyarrow.list_(pyarrow.struct([("document", text), ("start", pyarrow.int64()), ("end", pyarrow.int64()),
                                               ("text", text)])),
    }[what]  # fmt: skip


def _check_columns(path: Path, kind: str, schema: Any) -> None:
    import pyarrow

    if missing := [name for name in NEEDED[kind] if name not in schema.names]:
        raise BenchError(f"{path} has no column {missing[0]}: it is no file of {kind} as export writes it.")
    for name, what in COLUMNS[kind].items():
        if name not in schema.names:
            continue
        there, wanted = schema.field(name).type, _type(what)
        if not (_plain(there) == _plain(wanted) or pyarrow.types.is_null(there)):
            raise BenchError(f"{path} has a column {name} of type {there}, where {wanted} is wanted.")


def _plain(kind: Any) -> str:
    """A type without what makes no difference here: how large its offsets are, and what its list's field is called."""
    same = {"large_": "", "int32": "int64", "<item:": "<element:", "string_view": "string"}
    return functools.reduce(lambda name, pair: name.replace(*pair), same.items(), str(kind))
