"""A report independent of its output format: a Page of tables and figures, which renderers write. Only a cell's `text` is
rounded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

DASH = "–"
Record = dict[str, object]
"""One table row: column head -> a Cell, text, an integer, or None for a dash."""


class HasInterval(Protocol):
    """A mean with its 95 % interval; None = no value, or no interval."""

    @property
    def mean(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Cell:
    """One table cell."""

    text: str
    """Displayed text; a dash for no value."""
    value: float | int | str | None = None
    """Unrounded value for CSV and JSON; None = no value."""
    best: bool = False
    second: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column heads."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = ()
    """Sentences under the table."""

    @property
    def text_columns(self) -> list[bool]:
        """Whether each column contains text, in column order."""
        return [any(isinstance(row[i].value, str) for row in self.rows) for i in range(len(self.columns))]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as a self-contained SVG."""

    title: str
    svg: str
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A report, ready for rendering."""

    title: str
    tables: Sequence[Table]
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()
    """Sentences at the top: offline agents, omitted data."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """JSON of the report; empty for a preset, whose JSON is its tables."""
    records: Sequence[Mapping[str, Any]] = ()
    """The same values as CSV lines; empty = the CSV contains the tables."""


def words(text: object) -> Cell:
    """Return a text cell."""
    return Cell(str(text), str(text))


def count(number: int) -> Cell:
    """Return an integer cell."""
    return Cell(str(number), number)


def figure(value: float | None, digits: int = 3, scale: float = 1.0) -> Cell:
    """Return a number cell, rounded only in its text; `scale` 100 prints percent."""
    return Cell(DASH if value is None else f"{value * scale:z.{digits}f}", None if value is None else value * scale)


def interval_cell(estimate: HasInterval | None, digits: int = 3, scale: float = 1.0) -> Cell:
    """Return a cell that reads "mean [low, high]", or only the mean if there is no interval."""
    if estimate is None or estimate.mean is None:
        return Cell(DASH)
    cell = figure(estimate.mean, digits, scale)
    if estimate.low is None or estimate.high is None:
        return cell
    return Cell(f"{cell.text} [{estimate.low * scale:z.{digits}f}, {estimate.high * scale:z.{digits}f}]", cell.value)


def interval_cells(
    name: str, estimate: HasInterval | None, digits: int = 3, scale: float = 1.0, ends: tuple[str, str] = ("low", "high")
) -> dict[str, Cell]:
    """Return three columns of a record: the mean under `name`, and the ends of its interval."""
    values = (estimate.mean, estimate.low, estimate.high) if estimate else (None, None, None)
    return {head: figure(value, digits, scale) for head, value in zip((name, *ends), values, strict=True)}


def tabulate(
    title: str, records: Sequence[Mapping[str, object]], notes: Sequence[str] = (), columns: Sequence[str] = ()
) -> Table:
    """Return a table of records. `columns` gives the heads of a table without records."""
    rows = [[_make_cell(value) for value in record.values()] for record in records]
    return Table(title, list(records[0]) if records else list(columns), rows, notes)


def _make_cell(value: object) -> Cell:
    if isinstance(value, Cell):
        return value
    return Cell(DASH) if value is None else count(value) if isinstance(value, int) else words(value)
