"""Write records as columns of a Parquet file and read them back. Fields without a fixed shape (labels, inputs, steps,
provenance, meta, checks) are written as JSON texts, so that every file of one kind has the same columns."""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
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
"""Number of rows that are unpacked at a time, because a few bytes of a Parquet file can contain a very large number of rows."""
ROWS_PER_GROUP = 16_384
"""Number of rows in a row group of a Parquet file. A reader unpacks one group at a time, and the writer has at most one in
memory."""
ROWS_PER_TABLE = 2_048
"""Number of rows that are Python objects at the same time while a file is written; the other rows of their group are already
Arrow columns."""


def write_columns(path: Path, kind: str, records: Iterable[Mapping[str, Any]], rows_per_file: int | None = None) -> None:
    """Write the records to one Parquet file. If there are more than `rows_per_file`, write several files with suffixes such as
    -00000-of-00003. With the same version of pyarrow, the same records give byte-identical files. The records are read one at a
    time while the file is written, so they are never all in memory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rest = iter(records)
    if rows_per_file is None:
        _write_file(path, kind, rest)
        return
    parts: list[Path] = []
    first = list(islice(rest, 1))
    while first or not parts:
        parts.append(path.with_name(f"{path.stem}-{len(parts):05}{path.suffix}"))
        _write_file(parts[-1], kind, islice(chain(first, rest), rows_per_file))
        first = list(islice(rest, 1))
    for part in parts:  # the number of files is known only now
        part.replace(path if len(parts) == 1 else part.with_name(f"{part.stem}-of-{len(parts):05}{path.suffix}"))


def _write_file(path: Path, kind: str, records: Iterator[Mapping[str, Any]]) -> None:
    """Write the records to one Parquet file, one row group after the other."""
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([(name, _build_type(type_)) for name, type_ in COLUMNS[kind].items()])
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd", store_schema=False) as writer:
        is_empty = True
        while tables := list(_build_tables(schema, kind, islice(records, ROWS_PER_GROUP))):
            writer.write_table(pyarrow.concat_tables(tables).combine_chunks(), ROWS_PER_GROUP)
            is_empty = False
        if is_empty:
            writer.write_table(schema.empty_table())


def _build_tables(schema: Any, kind: str, records: Iterator[Mapping[str, Any]]) -> Iterator[Any]:
    """Yield Arrow tables, each of at most ROWS_PER_TABLE records."""
    import pyarrow

    while batch := list(islice(records, ROWS_PER_TABLE)):
        rows = [{name: _encode_cell(record.get(name), type_) for name, type_ in COLUMNS[kind].items()} for record in batch]
        yield pyarrow.Table.from_pylist(rows, schema=schema)


def list_parts(path: Path) -> list[Path]:
    """Return the files that `write_columns` wrote under the name `path`: one file, or several in order; an empty list if there
    are none."""
    return [path] if path.is_file() else sorted(path.parent.glob(f"{path.stem}-[0-9]*-of-[0-9]*{path.suffix}"))


def read_columns(path: Path, kind: str) -> Iterator[JsonLine]:
    """Yield every row of a Parquet file as a record with a number, from 1. Raises BenchError if the file is not a Parquet file,
    lacks the columns of records of the kind `kind`, or would take more than MAX_UNPACKED_BYTES after unpacking."""
    try:
        head = read_head(path)
        _check_columns(path, kind, head.fields)
        names = [name for name, _ in head.fields if name in COLUMNS[kind]]
        if head.bytes > MAX_UNPACKED_BYTES:
            raise BenchError(f"{path} unpacks to more than {MAX_UNPACKED_BYTES // 2**30} GB: split it into smaller files.")
        for number, row in enumerate(read_rows(path, names, MAX_UNPACKED_BYTES, ROWS_PER_BATCH), 1):
            yield _build_line(number, kind, dict(zip(names, row, strict=True)))
    except ParquetBroken as broken:
        raise BenchError(f"{path} cannot be read as a Parquet file: {broken}.") from broken


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
        raise BenchError(f"{path} has the column {twice[0][:60]} twice: write the file with each column only once.")
    if missing := [name for name in NEEDED_COLUMNS[kind] if name not in kinds]:
        raise BenchError(f"{path} has no column {missing[0]}: it is not an exported file of {kind}.")
    for name, type_ in COLUMNS[kind].items():
        wanted = _build_type(type_)
        if name in kinds and kinds[name] != "null" and _simplify_type(kinds[name]) != _simplify_type(wanted):
            raise BenchError(f"{path} has a column {name} of type {kinds[name]}, where {wanted} is expected.")


def _simplify_type(kind: Any) -> str:
    """Return the name of an Arrow type for comparison: without the size of its offsets and the name of its list field."""
    same = {"large_": "", "int32": "int64", "<item:": "<element:", "string_view": "string"}
    return functools.reduce(lambda name, pair: name.replace(*pair), same.items(), str(kind))
