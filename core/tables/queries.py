"""What the functions of a table do: rows by name, by key, by relation, and figures over rows, as of a time."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from core.tables.names import NameMatch, name_similarity, name_words, normalise_name
from core.tables.nouns import ColumnType, TableFunction
from core.tables.world import TableRow, Tables

MEASURES = ("count", "sum", "min", "max", "mean")
CONDITIONS = ("=", "!=", "<", "<=", ">", ">=", "contains")
MIN_FILTER_SIMILARITY = 85.0
"""A filter takes a value from this likeness on, or one that holds all its words."""
_MAX_FILTERED_NAMES = 1000
"""Names that are looked at when filters take some away."""


class RowFigure(NamedTuple):
    """One figure over rows."""

    value: Any
    """None when there was nothing to reckon with."""
    n: int
    """Rows behind it: those that met the condition and have the column."""


class RelatedRows(NamedTuple):
    """Rows that a relation leads to."""

    rows: list[TableRow]
    """At most as many as the function gives."""
    total: int


def find_by_name(
    tables: Tables, table: str, function: TableFunction, name: str, filters: Mapping[str, str], now: str | None
) -> list[TableRow]:
    """Rows whose name is like that and whose paths hold what the filters give, the likest first, at most function.limit. Rows
    of equally like names stand by the function's order, else by BM25 and popularity."""
    found = tables[table]
    column = function.order or found.spec.popularity
    ranked: list[tuple[NameMatch, TableRow]] = []
    for depth in (function.limit, _MAX_FILTERED_NAMES) if filters or found.spec.time else (function.limit,):
        ranked = []
        for match in found.names.search(name, max(depth, function.limit)):
            rows = [TableRow(table, place) for place in match.places if found.is_current(place, now)]
            ranked += [(match, row) for row in rows if _matches_filters(tables, row, function, filters, now)]
        if len(ranked) >= function.limit:
            break
    if column:
        ranked.sort(key=lambda one: _height(found.cell(one[1].place, column)), reverse=True)
    ranked.sort(key=lambda one: (-one[0].similarity, 0.0 if function.order else -one[0].bm25))
    return [row for _, row in ranked[: function.limit]]


def follow_relation(tables: Tables, row: TableRow, function: TableFunction, now: str | None) -> RelatedRows:
    """The rows that the function's relation leads to, by its order."""
    relation = tables.relation(row.table, function.relation)
    if relation is None:
        raise BenchError(
            f"{function.name} follows {function.relation!r}, which table {row.table} does not have: mend its spec."
        )
    rows, other = tables.follow(row, relation, now), tables[relation.to]
    if function.order:
        rows.sort(key=lambda one: _height(other.cell(one.place, function.order)), reverse=True)
    return RelatedRows(rows[: function.limit], len(rows))


def select_cells(tables: Tables, row: TableRow, columns: Mapping[str, str], now: str | None) -> dict[str, Any]:
    """What a function gives of a row."""
    return {name: tables.value(row, path, now) for name, path in columns.items()}


def compute_figure(
    tables: Tables,
    table: str,
    measure: str,
    column: str | None,
    where: str | None,
    condition: str,
    value: str | None,
    now: str | None,
) -> RowFigure:
    """One figure over the rows that meet the condition. A row without the column's value does not count. Raises BenchError on
    a measure that the column cannot have."""
    found = tables[table]
    places: Sequence[int] = found.as_of(now)
    if where is not None:
        meets = _build_condition(found.spec.columns[where], where, condition, value)
        if found.spec.columns[where] == "list":
            places = [place for place in places if meets(found.cell(place, where))]
        else:  # a value that many rows hold is looked at once
            places = sorted(
                place
                for value, held in found.index_column(where).items()
                if meets(value)
                for place in held
                if found.is_current(place, now)
            )
    if column is None:
        if measure != "count":
            raise BenchError(f"{measure} wants a column: name the one to take it of.")
        return RowFigure(len(places), len(places))
    kind = found.spec.columns[column]
    if measure in ("sum", "mean") and kind not in ("integer", "number"):
        raise BenchError(f"{measure} wants a column of numbers, and {column} holds {kind}: name another column.")
    if measure in ("min", "max") and kind not in ("integer", "number", "date"):
        raise BenchError(f"{measure} wants a column of numbers or dates, and {column} holds {kind}: name another column.")
    values = [cell for cell in (found.cell(place, column) for place in places) if cell is not None and cell != []]
    return RowFigure(compute_measure(measure, values), len(values))


def compute_measure(measure: str, values: Sequence[Any]) -> Any:
    """count, sum, min, max or mean of them; None when there is nothing to reckon with."""
    if measure == "count":
        return len(values)
    if not values:
        return None
    if measure in ("min", "max"):
        return min(values) if measure == "min" else max(values)
    total = sum(values) if all(isinstance(value, int) for value in values) else math.fsum(values)
    return total if measure == "sum" else total / len(values)


def _matches_filters(
    tables: Tables, row: TableRow, function: TableFunction, filters: Mapping[str, str], now: str | None
) -> bool:
    for name, wanted in filters.items():
        value = tables.value(row, function.filters[name], now)
        if not any(_is_like(wanted, one) for one in (value if isinstance(value, list) else [value]) if one is not None):
            return False
    return True


def _is_like(wanted: str, value: Any) -> bool:
    asked, there = normalise_name(str(wanted)), normalise_name(str(value))
    return set(name_words(asked)) <= set(name_words(there)) or name_similarity(asked, there) >= MIN_FILTER_SIMILARITY


def _build_condition(kind: ColumnType, column: str, condition: str, value: str | None) -> Callable[[Any], bool]:
    """Whether a cell meets it. Raises BenchError on a value that the column cannot hold."""
    if value is None:
        raise BenchError(f"A condition on {column} wants a value: give one, or leave the condition out.")
    if condition == "contains":
        part = normalise_name(value)
        return lambda cell: part in normalise_name(" ".join(map(str, cell)) if isinstance(cell, list) else str(cell or ""))
    if kind == "list":
        if condition not in ("=", "!="):
            raise BenchError(f"{column} holds lists, which are not {condition} anything: use =, != or contains.")
        wanted = normalise_name(value)
        is_in = condition == "="
        return lambda cell: bool(cell) and (wanted in [normalise_name(str(one)) for one in cell]) is is_in
    if condition in ("=", "!=") and kind == "text":
        same, asked = condition == "=", normalise_name(value)
        return lambda cell: cell is not None and (normalise_name(cell) == asked) is same
    against = _convert_value(kind, column, value)
    compare = _COMPARE[condition]
    return lambda cell: cell is not None and compare(cell, against)


_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _convert_value(kind: ColumnType, column: str, value: str) -> Any:
    if kind == "boolean":
        word = value.strip().lower()
        if word in ("true", "false"):
            return word == "true"
    elif kind in ("integer", "number"):
        try:
            return float(value)
        except ValueError:
            pass
    else:
        return value
    raise BenchError(f"{column} holds {kind}, which {value!r} is not: give such a value.")


def _height(value: Any) -> tuple[bool, Any]:
    """For an order with the highest first: nothing known stands last, and what is equal stays as it stood."""
    return value is not None, value if value is not None else 0
