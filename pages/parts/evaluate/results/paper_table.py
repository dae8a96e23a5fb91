"""A table as papers print it: groups of rows, the best value bold and the second underlined, small print under a figure, cells
coloured as a heat map, intervals drawn as a forest plot. Every text is shown as plain text; a click on a cell that leads
somewhere returns the cell's `go`."""

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
    """Draw the table, and return the `go` of the cell or column head that was clicked, or None.

    A column: label; optional: align (left, center), help, width, go with sorted (low, high), axis (a scale for forest cells).
    A row: cells, or group (a line of its own). A cell: text; optional: sub, help, mark (best, second), muted, clamp (two
    lines), lines (with its line breaks), whole (one line), go with href, heat (0 to 1, with a diverging legend -1 to 1; None =
    nothing there), forest. Shape: "" (as wide as the page), "narrow", or "fixed" (every column has its width; the table
    scrolls sideways)."""
    lists = {"columns": list(columns), "rows": list(rows), "notes": list(notes)}
    data = {**lists, "caption": caption, "legend": legend, "shape": shape}
    return _TABLE(data=data, key=key, on_go_change=lambda: None).go


def build_forest(
    low: float | None, mid: float, high: float | None, axis: Mapping[str, Any], holds: bool = True
) -> dict[str, Any]:
    """Build the drawing of an interval for a cell, on the axis of its column, with a filled mark if `holds` is true."""
    return {"low": low, "mid": mid, "high": high, "holds": holds, "from": axis["from"], "to": axis["to"]}
