"""What a report looks like before it has a format: a Page of tables and figures. Renderers turn it into text; nothing is
rounded but in a cell's `text`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of a table."""

    text: str
    """As read by people; a dash for no value."""
    value: float | int | str | None = None
    """Unrounded, for CSV and JSON; None = no value."""
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


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing, whole in itself."""

    title: str
    svg: str
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A report, ready to be rendered."""

    title: str
    tables: Sequence[Table]
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()
    """Sentences at the top: what was offline, what was left out."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The contract's JSON; empty for a preset, whose JSON is its tables."""
    records: Sequence[Mapping[str, Any]] = ()
    """The same figures one a line, for CSV; empty = CSV is the tables."""


DASH = "–"


def words(text: object) -> Cell:
    """A cell of words."""
    return Cell(str(text), str(text))


def count(number: int) -> Cell:
    """A cell of a whole number."""
    return Cell(str(number), number)


def figure(value: float | None, digits: int = 3, scale: float = 1.0) -> Cell:
    """A cell of a value, rounded in its text alone; `scale` 100 prints percent."""
    return Cell(DASH if value is None else f"{value * scale:z.{digits}f}", None if value is None else value * scale)
