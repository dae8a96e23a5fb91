"""A table as papers print it: groups of rows, the best value is bold and the second best underlined; cells can have small print
below the value, a heat map colour, or an interval shown as a forest plot. Every text is shown as plain text. If a cell has a
field `go`, a click on the cell returns the value of this field."""

from collections.abc import Mapping, Sequence
from typing import Any

from pages.components.bundles import register

_TABLE = register("paper_table", "paper_table")


def show(
    columns: Sequence[Mapping[str, Any]],
    rows: Sequence[Mapping[str, Any]],
    key: str,
    *,
    caption: str = "",
    notes: Sequence[str] = (),
    legend: Mapping[str, Any] | None = None,
    shape: str = "",
) -> Any:
    """Show the table, and return the `go` of the cell or column header that was clicked, or None.

    Keys of a column: label; optional: align (left, center), help, width, go with sorted (low, high), axis (the scale of its
    forest cells). Keys of a row: cells, or group (the text of a group header). Keys of a cell: text; optional: sub, help, mark
    (best, second), muted, clamp (at most two lines), lines (keeps line breaks), whole (one line), go with href, heat (0 to 1,
    or -1 to 1 with a diverging legend; None = no value), forest. `shape` is "" (as wide as the page), "narrow", or "fixed"
    (every column has its own width; the table scrolls sideways)."""
    lists = {"columns": list(columns), "rows": list(rows), "notes": list(notes)}
    data = {**lists, "caption": caption, "legend": legend, "shape": shape}
    return _TABLE(data=data, key=key, on_go_change=lambda: None).go


def build_forest(
    low: float | None, mid: float, high: float | None, axis: Mapping[str, Any], holds: bool = True
) -> dict[str, Any]:
    """Build the value `forest` of a cell: an interval on the axis of the cell's column. The mark of the interval is filled if
    `holds` is true, such as for a significant difference."""
    return {"low": low, "mid": mid, "high": high, "holds": holds, "from": axis["from"], "to": axis["to"]}
