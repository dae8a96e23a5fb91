"""Describe a report independently of its output format: a Page of tables and figures, which renderers turn into HTML, CSV and
so on. Only a cell's displayed `text` is rounded, never its `value`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

DASH = "–"
Record = dict[str, object]
"""One row of a table: a dict from column head to a Cell, a text, an integer, or None, which is shown as a dash."""


class HasInterval(Protocol):
    """An object with a mean and the ends of its 95 % interval; None = no mean, or no interval."""

    @property
    def mean(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table, with its displayed text and its unrounded value."""

    text: str
    """Text that the cell displays; a dash if the cell has no value."""
    value: float | int | str | None = None
    """Unrounded value for CSV and JSON; None = the cell has no value."""
    best: bool = False
    second: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a report: a title, column heads, rows and notes."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = ()
    """Sentences that are shown under the table."""

    @property
    def text_columns(self) -> list[bool]:
        """Return for each column, in order, whether it contains text (and not numbers)."""
        return [any(isinstance(row[i].value, str) for row in self.rows) for i in range(len(self.columns))]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing in a report, as a self-contained SVG with a title."""

    title: str
    svg: str
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A whole report or paper table, ready for rendering: title, notes, tables and figures."""

    title: str
    tables: Sequence[Table]
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()
    """Sentences that the page shows before the tables, e.g. on offline agents or omitted data."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The report as JSON; empty for a paper's table or figure, whose JSON is made from its tables."""
    records: Sequence[Mapping[str, Any]] = ()
    """Values of the report as lines of a CSV file; empty = the lines of the CSV file are made from the page's tables."""


def words(text: object) -> Cell:
    """Return a cell that displays a text."""
    return Cell(str(text), str(text))


def count(number: int) -> Cell:
    """Return a cell that displays an integer."""
    return Cell(str(number), number)


def figure(value: float | None, digits: int = 3, scale: float = 1.0) -> Cell:
    """Return a cell with a number, multiplied by `scale` (100 prints percent) and rounded to `digits` only in its text."""
    return Cell(DASH if value is None else f"{value * scale:z.{digits}f}", None if value is None else value * scale)


def interval_cell(estimate: HasInterval | None, digits: int = 3, scale: float = 1.0) -> Cell:
    """Return a cell that displays "mean [low, high]", or only the mean if there is no interval."""
    if estimate is None or estimate.mean is None:
        return Cell(DASH)
    cell = figure(estimate.mean, digits, scale)
    if estimate.low is None or estimate.high is None:
        return cell
    return Cell(f"{cell.text} [{estimate.low * scale:z.{digits}f}, {estimate.high * scale:z.{digits}f}]", cell.value)


def interval_cells(
    name: str, estimate: HasInterval | None, digits: int = 3, scale: float = 1.0, ends: tuple[str, str] = ("low", "high")
) -> dict[str, Cell]:
    """Return three cells of a table's row: the mean in the column `name`, and the ends of its interval in two further
    columns."""
    values = (estimate.mean, estimate.low, estimate.high) if estimate else (None, None, None)
    return {head: figure(value, digits, scale) for head, value in zip((name, *ends), values, strict=True)}


def tabulate(
    title: str, records: Sequence[Mapping[str, object]], notes: Sequence[str] = (), columns: Sequence[str] = ()
) -> Table:
    """Return a table made of records (dicts from column head to value). `columns` gives the heads if there are no records."""
    rows = [[_make_cell(value) for value in record.values()] for record in records]
    return Table(title, list(records[0]) if records else list(columns), rows, notes)


def _make_cell(value: object) -> Cell:
    if isinstance(value, Cell):
        return value
    return Cell(DASH) if value is None else count(value) if isinstance(value, int) else words(value)
