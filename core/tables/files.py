"""Files of rows: CSV (or with tabs), JSON lines and Parquet become columns of cells. What cannot be read is counted, with the
first places; a file of which nothing can be read is refused."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.json_lines import read_objects
from core.tables.parquet_file import ParquetBroken, read_head, read_rows
from core.tables.types import plain_cell

ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
MAX_ROWS = 1_000_000
MAX_COLUMNS = 500
MAX_UNPACKED_BYTES = 2 * 2**30
"""Bytes of a Parquet file's columns unpacked."""
_WIDEST_CELL = 10 * 2**20


@dataclass(frozen=True, slots=True)
class RawTable:
    """A file's rows, not described yet."""

    name: str
    """From the file's name."""
    columns: Mapping[str, Sequence[Any]]
    """Name -> cells, see types.plain_cell."""
    notes: tuple[str, ...] = ()
    """What was left out or renamed, in sentences."""

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))


def read_table(path: Path, name: str = "") -> RawTable:
    """The rows of a file. `name` = what the file was called, where that is not its path. Raises BenchError in one sentence."""
    called = Path(name or path.name)
    ending = called.suffix.lower()
    if ending not in ENDINGS:
        raise BenchError(f"{called.name} is no table: give a file that ends in {', '.join(ENDINGS)}.")
    try:
        columns, notes = _READERS[ending](path, called.name)
    except OSError as error:
        raise BenchError(f"{called.name} cannot be read ({error.strerror or error}): give another file.") from error
    named, renamed = _names(list(columns))
    columns = dict(zip(named, columns.values(), strict=True))
    empty = [column for column, cells in columns.items() if all(cell is None for cell in cells)]
    rows = len(next(iter(columns.values()), ()))
    if not rows:
        raise BenchError(f"{called.name} holds no row that can be read{': ' + notes[0] if notes else ''}".rstrip(".") + ".")
    if empty:
        notes.append(f"{', '.join(empty)}: no row has a value there.")
    return RawTable(table_name(called.stem), columns, (*notes, *renamed))


def table_name(text: str) -> str:
    """A name for a table out of any text."""
    return re.sub(r"\W+", "_", text).strip("_").lower().lstrip("0123456789_") or "table"


def _csv(path: Path, name: str) -> tuple[dict[str, list[Any]], list[str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BenchError(f"{name} is not UTF-8 at its byte {error.start + 1:,}: save it as UTF-8 and add it again.") from error
    header = text.split("\n", 1)[0]
    delimiter = "\t" if name.lower().endswith(".tsv") else max(",;\t", key=header.count)
    before = csv.field_size_limit(_WIDEST_CELL)
    try:
        return _csv_rows(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False), name)
    except csv.Error as error:
        raise BenchError(f"{name} cannot be read as CSV ({error}): mend it there.") from error
    finally:
        csv.field_size_limit(before)


def _csv_rows(reader: Any, name: str) -> tuple[dict[str, list[Any]], list[str]]:
    header: list[str] = next(reader, [])
    _check_width(name, len(header))
    columns: list[list[Any]] = [[] for _ in header]
    wrong = []
    for row in reader:
        if not row:
            continue
        if len(row) != len(header):
            wrong.append((reader.line_num, len(row)))
            continue
        for cells, cell in zip(columns, row, strict=True):
            cells.append(cell.strip() or None)
        _check_length(name, len(columns[0]))
    notes = []
    if wrong:
        line, n = wrong[0]
        notes.append(f"{_rows(len(wrong))} left out: not {len(header)} cells as the header has (first: line {line} has {n}).")
    named, seen = [], {}  # type: list[str], dict[str, int]
    for column in header:
        seen[column] = seen.get(column, 0) + 1
        named.append(column if seen[column] == 1 else f"{column} {seen[column]}")
    return dict(zip(named, columns, strict=True)), notes


def _json_lines(path: Path, name: str) -> tuple[dict[str, list[Any]], list[str]]:
    columns: dict[str, list[Any]] = {}
    rows, wrong, objects = 0, [], set()  # type: int, list[str], set[str]
    for line in read_objects(path):
        if line.record is None:
            wrong.append(f"line {line.number} {line.why}")
            continue
        for key, value in line.record.items():
            if isinstance(value, dict):
                objects.add(key)
            columns.setdefault(key, [None] * rows).append(plain_cell(value))
        rows += 1
        for cells in columns.values():
            if len(cells) < rows:
                cells.append(None)
        _check_width(name, len(columns))
        _check_length(name, rows)
    notes = [f"{_rows(len(wrong))} left out (first: {wrong[0]})."] if wrong else []
    if objects:
        notes.append(f"{', '.join(sorted(objects))}: objects are kept as JSON text.")
    return columns, notes


def _parquet(path: Path, name: str) -> tuple[dict[str, list[Any]], list[str]]:
    path.stat()  # raises OSError
    try:
        head = read_head(path)
        _check_length(name, head.rows)
        _check_width(name, len(head.fields))
        names = [column for column, _ in head.fields]
        if twice := sorted({column for column in names if names.count(column) > 1}):
            raise BenchError(f"{name} has the column {twice[0][:60]} twice: write it with each column once.")
        binary = [column for column, kind in head.fields if kind in ("binary", "large_binary")]
        columns: dict[str, list[Any]] = {column: [] for column in names if column not in binary}
        for row in read_rows(path, list(columns), MAX_UNPACKED_BYTES, is_plain=True):
            for cells, cell in zip(columns.values(), row, strict=True):
                cells.append(cell)
    except ParquetBroken as broken:
        raise BenchError(f"{name} cannot be read as Parquet ({broken}): write it again.") from broken
    return columns, [f"{', '.join(binary)}: left out, bytes are no values."] if binary else []


_READERS = {".csv": _csv, ".tsv": _csv, ".jsonl": _json_lines, ".ndjson": _json_lines, ".parquet": _parquet}


def _names(columns: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names of columns as words, each once; and what was renamed."""
    found: list[str] = []
    renamed = []
    for number, column in enumerate(columns, 1):
        word = re.sub(r"\W+", "_", str(column)).strip("_") or f"column_{number}"
        word = f"c_{word}" if word[0].isdigit() else word
        name = next(one for one in _number_name(word) if one.lower() not in {known.lower() for known in found})
        found.append(name)
        if name != column:
            renamed.append(f"{column!r} is named {name}")
    return found, [f"Columns renamed: {'; '.join(renamed)}."] if renamed else []


def _number_name(word: str) -> Iterator[str]:
    yield word
    number = 2
    while True:
        yield f"{word}_{number}"
        number += 1


def _check_length(name: str, rows: int) -> None:
    if rows > MAX_ROWS:
        raise BenchError(f"{name} has more than {MAX_ROWS:,} rows: cut it into tables, or leave rows out.")


def _check_width(name: str, columns: int) -> None:
    if columns > MAX_COLUMNS:
        raise BenchError(f"{name} has more than {MAX_COLUMNS} columns: leave some out.")


def _rows(n: int) -> str:
    return "1 row was" if n == 1 else f"{n:,} rows were"
