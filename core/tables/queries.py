"""The queries that a table's functions make. A query finds rows by name, key or relation, or computes values over rows, as the
table was at a given time."""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from core.tables.names import NameMatch, name_similarity, name_words, normalise_name
from core.tables.nouns import ColumnType, TableFunction
from core.tables.world import TableRow, Tables

MEASURES = ("count", "sum", "min", "max", "mean")
CONDITIONS = ("=", "!=", "<", "<=", ">", ">=", "contains")
MIN_FILTER_SIMILARITY = 85.0
"""Least similarity (0 to 100) to a filter at which a value matches the filter; a value that contains all words of the filter
always matches."""
_MAX_FILTERED_NAMES = 1000
"""Number of names that a search compares if filters or the time exclude some rows."""
_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_MEASURABLE = {"sum": ("integer", "number"), "mean": ("integer", "number")} | dict.fromkeys(
    ("min", "max"), ("integer", "number", "date")
)
"""Dict from measure (sum, mean ...) to the types of columns that it can be computed over."""


class RowFigure(NamedTuple):
    """A value such as a mean, computed over rows of a table."""

    value: Any
    """Value that was computed, or None if no row has a value."""
    n: int
    """Number of rows that meet the condition and have a value in the column."""


class RelatedRows(NamedTuple):
    """The first rows to which a relation leads, and the total number of such rows."""

    rows: list[TableRow]
    """Rows to which the relation leads, up to the function's limit."""
    total: int


def find_by_name(
    tables: Tables, table: str, function: TableFunction, name: str, filters: Mapping[str, str], now: str | None
) -> list[TableRow]:
    """Return at most `function.limit` rows whose name is similar and whose values match the filters, most similar first.

    Rows with equally similar names are sorted by the function's order column, or else by BM25 score and popularity."""
    world = tables[table]
    column = function.order or world.spec.popularity
    ranked: list[tuple[NameMatch, TableRow]] = []
    for depth in (function.limit, _MAX_FILTERED_NAMES) if filters or world.spec.time else (function.limit,):
        ranked = []
        for match in world.names.search(name, max(depth, function.limit)):
            rows = [TableRow(table, place) for place in match.places if world.is_current(place, now)]
            ranked += [(match, row) for row in rows if _matches_filters(tables, row, function, filters, now)]
        if len(ranked) >= function.limit:
            break
    if column:
        ranked.sort(key=lambda pair: _order_key(world.cell(pair[1].place, column)), reverse=True)
    ranked.sort(key=lambda pair: (-pair[0].similarity, 0.0 if function.order else -pair[0].bm25))
    return [row for _, row in ranked[: function.limit]]


def follow_relation(tables: Tables, row: TableRow, function: TableFunction, now: str | None) -> RelatedRows:
    """Return the rows to which the function's relation leads from `row`, sorted by the function's order column."""
    relation = tables.relation(row.table, function.relation)
    if relation is None:
        raise BenchError(
            f"{function.name} follows the relation {function.relation!r}, which table {row.table} does not have: correct the "
            "table's spec."
        )
    rows, other = tables.follow(row, relation, now), tables[relation.to]
    if function.order:
        rows.sort(key=lambda row: _order_key(other.cell(row.place, function.order)), reverse=True)
    return RelatedRows(rows[: function.limit], len(rows))


def select_cells(tables: Tables, row: TableRow, columns: Mapping[str, str], now: str | None) -> dict[str, Any]:
    """Return values of a row as a dict from name to value; `columns` is a dict from each name to the path that leads from the
    row to the value."""
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
    """Compute a measure such as the mean over the rows that meet the condition and have a value in the column. Raises
    BenchError if the type of the column does not allow the measure."""
    world = tables[table]
    places: Sequence[int] = world.as_of(now)
    if where is not None:
        meets = _build_condition(world.spec.columns[where], where, condition, value)
        if world.spec.columns[where] == "list":
            places = [place for place in places if meets(world.cell(place, where))]
        else:  # one check for all rows with the same value
            by_value = world.index_column(where)
            matches = (place for held, own in by_value.items() if meets(held) for place in own)
            places = sorted(place for place in matches if world.is_current(place, now))
    if column is None:
        if measure != "count":
            raise BenchError(f"{measure} needs a column: name the column to aggregate.")
        return RowFigure(len(places), len(places))
    kind = world.spec.columns[column]
    if kind not in _MEASURABLE.get(measure, (kind,)):
        kinds = "numbers" if measure in ("sum", "mean") else "numbers or dates"
        raise BenchError(f"{measure} needs a column of {kinds}, but {column} holds {kind}: name another column.")
    values = [cell for cell in (world.cell(place, column) for place in places) if cell is not None and cell != []]
    return RowFigure(compute_measure(measure, values), len(values))


def compute_measure(measure: str, values: Sequence[Any]) -> Any:
    """Return the count, sum, min, max or mean of the values. If there are no values, the count is 0 and every other measure
    None."""
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
    for name, filter_ in filters.items():
        value = tables.value(row, function.filters[name], now)
        if not any(_is_similar(filter_, part) for part in (value if isinstance(value, list) else [value]) if part is not None):
            return False
    return True


def _is_similar(filter_: str, value: Any) -> bool:
    a, b = normalise_name(str(filter_)), normalise_name(str(value))
    return set(name_words(a)) <= set(name_words(b)) or name_similarity(a, b) >= MIN_FILTER_SIMILARITY


def _build_condition(kind: ColumnType, column: str, condition: str, value: str | None) -> Callable[[Any], bool]:
    """Return a function that tests whether a cell meets the condition. Raises BenchError if the type of the column excludes the
    value."""
    if value is None:
        raise BenchError(f"A condition on {column} needs a value: give a value, or leave the condition out.")
    name = normalise_name(value)
    if condition == "contains":
        return lambda cell: name in normalise_name(" ".join(map(str, cell)) if isinstance(cell, list) else str(cell or ""))
    is_equal = condition == "="
    if kind == "list":
        if condition not in ("=", "!="):
            raise BenchError(f"{column} holds lists, which cannot be compared with {condition}: use =, != or contains.")
        return lambda cell: bool(cell) and (name in [normalise_name(str(part)) for part in cell]) is is_equal
    if condition in ("=", "!=") and kind == "text":
        return lambda cell: cell is not None and (normalise_name(cell) == name) is is_equal
    limit, compare = _convert_value(kind, column, value), _COMPARISONS[condition]
    return lambda cell: cell is not None and compare(cell, limit)


def _convert_value(kind: ColumnType, column: str, value: str) -> Any:
    if kind in ("text", "date"):
        return value
    try:
        return {"true": True, "false": False}[value.strip().lower()] if kind == "boolean" else float(value)
    except (KeyError, ValueError) as error:
        raise BenchError(f"{column} holds {kind}, but {value!r} is of another type: give a matching value.") from error


def _order_key(value: Any) -> tuple[bool, Any]:
    """Return a key for sorting that puts the highest values first and unknown values last."""
    return value is not None, value if value is not None else 0
