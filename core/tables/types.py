"""Types of columns: detects the type of a column's cells, and converts cells to a chosen type."""

import ast
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from core.tables.nouns import ColumnType

Cell = str | int | float | bool | tuple[Any, ...] | None
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d+)?(?:[eE][+-]?\d{1,2})?")
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?")
_YEAR = re.compile(r"\d{4}")
_SEPARATOR = re.compile("[|;]")
_INTEGER_LIMIT = 2**63
_MIN_LIST_SHARE = 0.3
"""Share (0 to 1) of a text column's cells that must contain | or ; for the column to be read as lists."""
_MAX_PART_CHARACTERS = 60
"""Maximum number of characters between two separators if a text column is to be read as lists."""


class Converted(NamedTuple):
    """The cells of one column after conversion to a type."""

    cells: list[Cell]
    unfit: list[tuple[int, Any]]
    """Cells that cannot be converted, each as (row, cell); they are None in `cells`."""


def guess(cells: Sequence[Any]) -> ColumnType:
    """Return the narrowest type that fits all cells; the type is text if no other type fits or if there are no cells."""
    held = [cell for cell in cells if cell is not None]
    return next((kind for kind, is_kind in _TYPE_CHECKS.items() if held and all(map(is_kind, held))), "text")


def convert(cells: Sequence[Any], kind: ColumnType) -> Converted:
    """Convert the cells of a column to a type, and report the cells that cannot be converted."""
    convert_cell = _CONVERTERS[kind]
    converted = [None if cell is None else convert_cell(cell) for cell in cells]
    pairs = enumerate(zip(cells, converted, strict=True))
    return Converted(converted, [(n, cell) for n, (cell, value) in pairs if value is None and cell is not None and cell != []])


def plain_cell(value: Any) -> Any:
    """Convert a value from JSON or Parquet to None, text, int, float, bool or a list of these; an object becomes JSON text."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, list | tuple):
        return [part for part in map(plain_cell, value) if part is not None and not isinstance(part, list)]
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).removesuffix("T00:00:00")
    if hasattr(value, "as_tuple"):  # only decimal numbers have this method
        return int(value) if value == value.to_integral_value() else float(value)
    return str(value)


def looks_like_lists(cells: Sequence[Any]) -> bool:
    """Return whether the cells of a text column consist of short parts separated by | or ;."""
    held = [cell for cell in cells if isinstance(cell, str)]
    lists = [parts for cell in held if len(parts := _split_parts(cell)) > 1]
    is_frequent = bool(held) and len(lists) >= _MIN_LIST_SHARE * len(held)
    return is_frequent and all(0 < len(part) <= _MAX_PART_CHARACTERS for parts in lists for part in parts)


def _is_list(cell: Any) -> bool:
    return isinstance(cell, list) or (isinstance(cell, str) and cell.startswith("[") and _to_list(cell) is not None)


def _is_integer(cell: Any) -> bool:
    if isinstance(cell, str):
        return bool(_INTEGER.fullmatch(cell))
    return isinstance(cell, int) and not isinstance(cell, bool) and -_INTEGER_LIMIT <= cell < _INTEGER_LIMIT


def _is_number(cell: Any) -> bool:
    if isinstance(cell, str):
        return bool(_NUMBER.fullmatch(cell))
    is_integer = isinstance(cell, int) and not isinstance(cell, bool) and abs(cell) < _INTEGER_LIMIT
    return is_integer or isinstance(cell, float)


def _is_boolean(cell: Any) -> bool:
    return isinstance(cell, bool) or (isinstance(cell, str) and cell.lower() in ("true", "false"))


def _is_date(cell: Any) -> bool:
    if not isinstance(cell, str) or not _DATE.fullmatch(cell):
        return False
    try:
        datetime.fromisoformat(cell if len(cell) > 7 else f"{cell}-01")
    except ValueError:
        return False
    return True


_TYPE_CHECKS: Mapping[ColumnType, Callable[[Any], bool]] = {
    "boolean": _is_boolean,
    "integer": _is_integer,
    "number": _is_number,
    "date": _is_date,
    "list": _is_list,
}
"""Dict from each type, the narrowest first, to the function that checks whether a cell fits it."""


def _to_text(cell: Any) -> str:
    if isinstance(cell, list):
        return json.dumps(cell, ensure_ascii=False)
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _to_integer(cell: Any) -> int | None:
    is_whole = isinstance(cell, float) and cell.is_integer() and abs(cell) < _INTEGER_LIMIT
    return int(cell) if is_whole or _is_integer(cell) else None


def _to_number(cell: Any) -> float | None:
    return float(cell) if _is_number(cell) else None


def _to_boolean(cell: Any) -> bool | None:
    return cell if isinstance(cell, bool) else cell.lower() == "true" if _is_boolean(cell) else None


def _to_date(cell: Any) -> str | None:
    text = str(cell) if isinstance(cell, int | str) and not isinstance(cell, bool) else ""
    return text if _is_date(text) or _YEAR.fullmatch(text) else None


def _to_list(cell: Any) -> tuple[Any, ...] | None:
    if not isinstance(cell, str):
        return tuple(cell) if isinstance(cell, list) else (cell,)
    if cell.startswith("["):
        for read in (json.loads, ast.literal_eval):
            try:
                value = read(cell)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            return tuple(plain_cell(value)) if isinstance(value, list) else None
    return tuple(part for part in _split_parts(cell) if part)


_CONVERTERS: Mapping[ColumnType, Callable[[Any], Cell]] = {
    "text": _to_text,
    "integer": _to_integer,
    "number": _to_number,
    "boolean": _to_boolean,
    "date": _to_date,
    "list": _to_list,
}


def _split_parts(cell: str) -> list[str]:
    """Return the parts of a cell between its separators; for a cell without separators, return a list of one part."""
    parts = _SEPARATOR.split(cell)
    return [part.strip() for part in parts] if len(parts) > 1 else parts
