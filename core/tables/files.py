"""Reads rows from a file into columns: CSV or TSV, JSON lines and Parquet. Unreadable rows are counted, and a remark names the
location of the first; a file without any readable row is refused."""

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
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
"""Maximum size in bytes, when unpacked, of the columns of a Parquet file."""
_MAX_CELL_CHARACTERS = 10 * 2**20


@dataclass(frozen=True, slots=True)
class RawTable:
    """The rows of a file as read, without a spec that describes them."""

    name: str
    """Name of the table, made from the name of the file."""
    columns: Mapping[str, Sequence[Any]]
    """Dict from column name to the cells of the column; see types.plain_cell."""
    notes: tuple[str, ...] = ()
    """Sentences about rows or columns that were left out, and about columns that were renamed."""

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))


def read_table(path: Path, name: str = "", may_be_empty: bool = False) -> RawTable:
    """Read the rows of a table from a file. `name` is the name of the file, if it differs from the name in the path.
    Raises BenchError if no row can be read, unless the file has no row and `may_be_empty` is true."""
    called = Path(name or path.name)
    ending = called.suffix.lower()
    if ending not in ENDINGS:
        raise BenchError(f"{called.name} is not a table: give a file whose name ends in {', '.join(ENDINGS)}.")
    try:
        columns, notes = _READERS[ending](path, called.name)
    except OSError as error:
        raise BenchError(f"{called.name} cannot be read ({error.strerror or error}): give another file.") from error
    names, renamed = _name_columns(list(columns))
    columns = dict(zip(names, columns.values(), strict=True))
    if not len(next(iter(columns.values()), ())) and not (may_be_empty and not notes):
        raise BenchError(f"{called.name} holds no row that can be read{': ' + notes[0] if notes else ''}".rstrip(".") + ".")
    empty = [column for column, cells in columns.items() if all(cell is None for cell in cells)]
    if empty and len(columns[empty[0]]):
        notes.append(f"No row has a value in {', '.join(empty)}.")
    return RawTable(table_name(called.stem), columns, (*notes, *renamed))


def table_name(text: str) -> str:
    """Return a valid table name made from any text."""
    return re.sub(r"\W+", "_", text).strip("_").lower().lstrip("0123456789_") or "table"


def _read_csv(path: Path, name: str) -> tuple[dict[str, list[Any]], list[str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BenchError(f"{name} is not UTF-8 at its byte {error.start + 1:,}: save it as UTF-8 and add it again.") from error
    header = text.split("\n", 1)[0]
    delimiter = "\t" if name.lower().endswith(".tsv") else max(",;\t", key=header.count)
    before = csv.field_size_limit(_MAX_CELL_CHARACTERS)
    try:
        return _read_csv_rows(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False), name)
    except csv.Error as error:
        raise BenchError(f"{name} cannot be read as CSV ({error}): correct the file.") from error
    finally:
        csv.field_size_limit(before)


def _read_csv_rows(reader: Any, name: str) -> tuple[dict[str, list[Any]], list[str]]:
    header: list[str] = next(reader, [])
    _check_width(name, len(header))
    columns: list[list[Any]] = [[] for _ in header]
    bad_lines = []
    for row in reader:
        if row and len(row) != len(header):
            bad_lines.append((reader.line_num, len(row)))
        elif row:
            for cells, cell in zip(columns, row, strict=True):
                cells.append(cell.strip() or None)
            _check_length(name, len(columns[0]))
    notes = []
    if bad_lines:
        (line, n), width = bad_lines[0], len(header)
        notes.append(
            f"{_count_rows(len(bad_lines))} left out: not {width} cells as the header has (first: line {line} has {n})."
        )
    counts = Counter[str]()
    names = []
    for column in header:
        counts[column] += 1
        names.append(column if counts[column] == 1 else f"{column} {counts[column]}")
    return dict(zip(names, columns, strict=True)), notes


def _read_json_lines(path: Path, name: str) -> tuple[dict[str, list[Any]], list[str]]:
    columns: dict[str, list[Any]] = {}
    rows, bad_lines, objects = 0, list[str](), set[str]()
    for line in read_objects(path):
        if line.record is None:
            bad_lines.append(f"line {line.number} {line.why}")
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
    notes = [f"{_count_rows(len(bad_lines))} left out (first: {bad_lines[0]})."] if bad_lines else []
    if objects:
        notes.append(f"Objects in {', '.join(sorted(objects))} are kept as JSON text.")
    return columns, notes


def _read_parquet(path: Path, name: str) -> tuple[dict[str, list[Any]], list[str]]:
    path.stat()  # raises OSError for a missing file
    try:
        head = read_head(path)
        _check_length(name, head.rows)
        _check_width(name, len(head.fields))
        names = [column for column, _ in head.fields]
        if twice := sorted({column for column in names if names.count(column) > 1}):
            raise BenchError(f"{name} has the column {twice[0][:60]} twice: rename one of the two.")
        binary = [column for column, kind in head.fields if kind in ("binary", "large_binary")]
        columns: dict[str, list[Any]] = {column: [] for column in names if column not in binary}
        for row in read_rows(path, list(columns), MAX_UNPACKED_BYTES, is_plain=True):
            for cells, cell in zip(columns.values(), row, strict=True):
                cells.append(cell)
    except ParquetBroken as broken:
        raise BenchError(f"{name} cannot be read as Parquet ({broken}): export it again.") from broken
    return columns, [f"Columns left out, because bytes are not values: {', '.join(binary)}."] if binary else []


_READERS = {
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
    ".parquet": _read_parquet,
}


def _name_columns(columns: Sequence[str]) -> tuple[list[str], list[str]]:
    """Make column names unique and valid as identifiers. Return the names, and remarks on the names that changed."""
    names: dict[str, str] = {}
    for number, column in enumerate(columns, 1):
        word = re.sub(r"\W+", "_", str(column)).strip("_") or f"column_{number}"
        word = f"c_{word}" if word[0].isdigit() else word
        candidates = (word if n == 1 else f"{word}_{n}" for n in count(1))
        name = next(candidate for candidate in candidates if candidate.lower() not in names)
        names[name.lower()] = name
    renamed = [f"{column!r} is named {name}" for column, name in zip(columns, names.values(), strict=True) if name != column]
    return list(names.values()), [f"Columns renamed: {'; '.join(renamed)}."] if renamed else []


def _check_length(name: str, rows: int) -> None:
    if rows > MAX_ROWS:
        raise BenchError(f"{name} has more than {MAX_ROWS:,} rows: split it into several tables, or remove rows.")


def _check_width(name: str, columns: int) -> None:
    if columns > MAX_COLUMNS:
        raise BenchError(f"{name} has more than {MAX_COLUMNS} columns: remove some.")


def _count_rows(n: int) -> str:
    return "1 row was" if n == 1 else f"{n:,} rows were"
