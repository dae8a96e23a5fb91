"""Write records as columns of a Parquet file and read them back. Fields without a fixed shape (labels, inputs, steps,
provenance, meta, checks) are JSON texts, so that every file of a kind has the same columns."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.ids import canonical_json
from core.json_lines import JsonLine, strict_json
from core.tables.parquet_file import ParquetBroken, read_head, read_rows

COLUMNS = {
    "items": {
        "id": "text",
        "revision": "int",
        "status": "text",
        "task": "text",
        "level": "text",
        "domain": "text",
        "language": "text",
        "question": "text",
        "answers": "texts",
        "evidence": "spans",
        "labels": "json",
        "inputs": "json",
        "given": "texts",
        "steps": "json",
        "overlap": "float",
        "provenance": "json",
        "split": "text",
        "withheld": "bool",
        "answer_hashes": "texts",
    },
    "variants": {
        "id": "text",
        "item": "text",
        "revision": "int",
        "kind": "text",
        "text": "text",
        "status": "text",
        "generator": "text",
        "seed": "int",
        "checks": "json",
    },
    "documents": {
        "id": "text",
        "title": "text",
        "domain": "text",
        "language": "text",
        "origin": "text",
        "licence": "text",
        "published": "text",
        "meta": "json",
        "text": "text",
    },
}
"""Column types of each kind of record: a dict from kind to a dict from column to type. A level is "1" to "4", "KS", "KU", "KA"
or null."""
NEEDED_COLUMNS = {
    "items": ("id", "task", "question", "answers"),
    "variants": ("id", "item", "text"),
    "documents": ("id", "text"),
}
MAX_UNPACKED_BYTES = 4 * 2**30
"""Maximum size in bytes of a Parquet file's columns after they are unpacked."""
ROWS_PER_BATCH = 64
"""Number of Parquet rows unpacked at a time; it is small, because a few bytes of a file can hold a very large number of
rows."""


def write_columns(path: Path, kind: str, records: Sequence[Mapping[str, Any]], rows_per_file: int | None = None) -> None:
    """Write the records to one Parquet file, or, if there are more than `rows_per_file`, to several files with names that end
    like -00000-of-00003. The same records give the same bytes with the same version of pyarrow."""
    if rows_per_file is not None and len(records) > rows_per_file:
        starts = range(0, len(records), rows_per_file)
        for number, start in enumerate(starts):
            part = path.with_name(f"{path.stem}-{number:05}-of-{len(starts):05}{path.suffix}")
            write_columns(part, kind, records[start : start + rows_per_file])
        return
    import pyarrow
    import pyarrow.parquet

    rows = [{name: _encode_cell(record.get(name), type_) for name, type_ in COLUMNS[kind].items()} for record in records]
    schema = pyarrow.schema([(name, _build_type(type_)) for name, type_ in COLUMNS[kind].items()])
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pyarrow.Table.from_pylist(rows, schema=schema)
    pyarrow.parquet.write_table(table, path, compression="zstd", store_schema=False)


def list_parts(path: Path) -> list[Path]:
    """Return the files that `write_columns` wrote under the name `path`: one file, or several in order; empty if there is
    none."""
    return [path] if path.is_file() else sorted(path.parent.glob(f"{path.stem}-[0-9]*-of-[0-9]*{path.suffix}"))


def read_columns(path: Path, kind: str) -> Iterator[JsonLine]:
    """Yield every row of a Parquet file as a record, numbered from 1. Raises BenchError if the file is not a Parquet file, has
    other columns than `kind`, or would unpack to more than MAX_UNPACKED_BYTES."""
    try:
        head = read_head(path)
        _check_columns(path, kind, head.fields)
        names = [name for name, _ in head.fields if name in COLUMNS[kind]]
        if head.bytes > MAX_UNPACKED_BYTES:
            raise BenchError(f"{path} unpacks to more than {MAX_UNPACKED_BYTES // 2**30} GB: split it into smaller files.")
        for number, row in enumerate(read_rows(path, names, MAX_UNPACKED_BYTES, ROWS_PER_BATCH), 1):
            yield _build_line(number, kind, dict(zip(names, row, strict=True)))
    except ParquetBroken as broken:
        raise BenchError(f"{path} is not a Parquet file that can be read: {broken}.") from broken


def _build_line(number: int, kind: str, row: Mapping[str, Any]) -> JsonLine:
    try:
        record = {name: _decode_value(value, COLUMNS[kind][name], name) for name, value in row.items()}
    except ValueError as error:
        return JsonLine(number, None, f"cannot be read: {error}")
    if not record.get("withheld"):
        record = {name: value for name, value in record.items() if name not in ("withheld", "answer_hashes")}
    if record.get("level") is not None and str(record["level"]).isdecimal():
        record["level"] = int(record["level"])
    return JsonLine(number, record)


def _encode_cell(value: Any, type_: str) -> Any:
    if value is None:
        return None
    if type_ == "json":
        return canonical_json(value)
    return str(value) if type_ == "text" else value


def _decode_value(value: Any, type_: str, name: str) -> Any:
    if type_ == "json" and value is not None:
        try:
            return strict_json(value)
        except ValueError as error:
            raise ValueError(f"{name} {error}") from error
    return value


def _build_type(type_: str) -> Any:
    import pyarrow

    text = pyarrow.string()
    return {
        "text": text,
        "json": text,
        "int": pyarrow.int64(),
        "float": pyarrow.float64(),
        "bool": pyarrow.bool_(),
        "texts": pyarrow.list_(text),
        "spans": pyarrow.list_(
            pyarrow.struct([("document", text), ("start", pyarrow.int64()), ("end", pyarrow.int64()), ("text", text)])
        ),
    }[type_]


def _check_columns(path: Path, kind: str, fields: Sequence[tuple[str, str]]) -> None:
    names, kinds = [name for name, _ in fields], dict(fields)
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BenchError(f"{path} has the column {twice[0][:60]} twice: write it with each column once.")
    if missing := [name for name in NEEDED_COLUMNS[kind] if name not in kinds]:
        raise BenchError(f"{path} has no column {missing[0]}: it is not a file of {kind} as export writes it.")
    for name, type_ in COLUMNS[kind].items():
        wanted = _build_type(type_)
        if name in kinds and kinds[name] != "null" and _simplify_type(kinds[name]) != _simplify_type(wanted):
            raise BenchError(f"{path} has a column {name} of type {kinds[name]}, where {wanted} is expected.")


def _simplify_type(kind: Any) -> str:
    """Return the name of an Arrow type for comparison: without the size of its offsets and the name of its list field."""
    same = {"large_": "", "int32": "int64", "<item:": "<element:", "string_view": "string"}
    return functools.reduce(lambda name, pair: name.replace(*pair), same.items(), str(kind))
