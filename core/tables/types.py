"""Cells and the types of columns: what a column's cells look like, and the same cells as a type that a person chose."""

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
_SEPARATOR = re.compile("[|;]")
_INTEGER_LIMIT = 2**63
_LIST_SHARE = 0.3
"""A text column is taken for lists when so many of its cells hold | or ; ..."""
_LONGEST_PART = 60
"""... and no piece between them is longer than this many characters."""


class Converted(NamedTuple):
    """A column's cells in a type."""

    cells: list[Cell]
    unfit: list[tuple[int, Any]]
    """Row and cell of those that cannot be of that type; they are None among the cells."""


def guess(cells: Sequence[Any]) -> ColumnType:
    """The narrowest type that every cell has; text where nothing else fits, and where no cell holds anything."""
    held = [cell for cell in cells if cell is not None]
    for kind in _NARROW if held else ():
        if all(_TYPE_CHECKS[kind](cell) for cell in held):
            return kind
    return "text"


def convert(cells: Sequence[Any], kind: ColumnType) -> Converted:
    """The cells in that type."""
    found: list[Cell] = []
    unfit = []
    make = _MAKE[kind]
    for place, cell in enumerate(cells):
        made = None if cell is None else make(cell)
        if made is None and cell is not None and cell != []:
            unfit.append((place, cell))
        found.append(made)
    return Converted(found, unfit)


def plain_cell(value: Any) -> Any:
    """A cell as JSON or Parquet gave it, as None, text, int, float, bool or a list of them; objects as JSON text."""
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
        text = str(value.isoformat())
        return text.removesuffix("T00:00:00")
    if hasattr(value, "as_tuple"):  # a decimal
        return int(value) if value == value.to_integral_value() else float(value)
    return str(value)


def _is_list(cell: Any) -> bool:
    return isinstance(cell, list) or (isinstance(cell, str) and cell.startswith("[") and _list(cell) is not None)


def _is_integer(cell: Any) -> bool:
    if isinstance(cell, str):
        return bool(_INTEGER.fullmatch(cell))
    return isinstance(cell, int) and not isinstance(cell, bool) and -_INTEGER_LIMIT <= cell < _INTEGER_LIMIT


def _is_number(cell: Any) -> bool:
    if isinstance(cell, str):
        return bool(_NUMBER.fullmatch(cell))
    return (
        isinstance(cell, int | float) and not isinstance(cell, bool) and (isinstance(cell, float) or abs(cell) < _INTEGER_LIMIT)
    )


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


_NARROW: tuple[ColumnType, ...] = ("boolean", "integer", "number", "date", "list")
_TYPE_CHECKS: Mapping[str, Callable[[Any], bool]] = {
    "boolean": _is_boolean,
    "integer": _is_integer,
    "number": _is_number,
    "date": _is_date,
    "list": _is_list,
}


def looks_like_lists(cells: Sequence[Any]) -> bool:
    """Whether a text column's cells are short pieces between | or ;."""
    held = [cell for cell in cells if isinstance(cell, str)]
    parted = [parts for cell in held if len(parts := _parts(cell)) > 1]
    return (
        bool(held)
        and len(parted) >= _LIST_SHARE * len(held)
        and all(0 < len(part) <= _LONGEST_PART for parts in parted for part in parts)
    )


def _text(cell: Any) -> str:
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, list) else _word(cell)


def _word(cell: Any) -> str:
    return cell if isinstance(cell, str) else str(cell).lower() if isinstance(cell, bool) else str(cell)


def _integer(cell: Any) -> int | None:
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < _INTEGER_LIMIT:
        return int(cell)
    return int(cell) if _is_integer(cell) else None


def _number(cell: Any) -> float | None:
    return float(cell) if _is_number(cell) else None


def _boolean(cell: Any) -> bool | None:
    return cell if isinstance(cell, bool) else cell.lower() == "true" if _is_boolean(cell) else None


def _date(cell: Any) -> str | None:
    text = str(cell) if isinstance(cell, int | str) and not isinstance(cell, bool) else ""
    return text if _is_date(text) or re.fullmatch(r"\d{4}", text) else None


def _list(cell: Any) -> tuple[Any, ...] | None:
    if isinstance(cell, list):
        return tuple(cell)
    if not isinstance(cell, str):
        return (cell,)
    if cell.startswith("["):
        for read in (json.loads, ast.literal_eval):
            try:
                value = read(cell)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            return tuple(plain_cell(value)) if isinstance(value, list) else None
    return tuple(part for part in _parts(cell) if part)


_MAKE: Mapping[str, Callable[[Any], Cell]] = {
    "text": _text,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "date": _date,
    "list": _list,
}


def _parts(cell: str) -> list[str]:
    """What stands between the separators of a cell: one part where it has none."""
    parts = _SEPARATOR.split(cell)
    return [part.strip() for part in parts] if len(parts) > 1 else parts
