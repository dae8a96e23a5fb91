"""A heat map of levels by domains for one run, or for the paired difference of two runs. Each cell shows its value and n, and
is coloured on the metric's declared scale. The scale is one hue from pale to dark, or two hues around 0 for differences, so
that cells also differ in lightness."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, format_difference, interval, level, list_counts, mean
from workbench.evaluate.results.run_board import CellDifference, Grid, MetricInfo, RunBoard


def show(board: RunBoard, run: str, metric: MetricInfo, key: str) -> Any:
    """Show one run's means as a heat map; return the clicked cell as a dict, such as {"level": "2", "domain": "law"}, or None
    if no cell was clicked."""
    grid = board.grid(run, metric.name)
    values = [cell["mean"] for cell in grid.cells.values() if cell["mean"] is not None]
    low = min(values, default=0.0) if metric.low is None else metric.low
    high = max(values, default=1.0) if metric.high is None else metric.high

    def draw(cell: Mapping[str, Any]) -> dict[str, Any]:
        if cell["mean"] is None:
            return {"text": DASH, "sub": cell.get("why", "nothing scored"), "heat": None}
        return {
            "text": mean(cell["mean"]),
            "sub": f"n={cell['n']}",
            "heat": (cell["mean"] - low) / ((high - low) or 1.0),
            "help": "; ".join(filter(None, [interval(cell["low"], cell["high"]), *list_counts(cell)])),
        }

    scale = "the values shown" if metric.high is None or metric.low is None else "the metric's declared scale"
    legend = {"low": mean(low, 2), "high": mean(high, 2), "text": f"{metric.name}, {scale}", "diverging": False}
    return _show_grid(board.by, grid, draw, legend, key)


def show_difference(
    board: RunBoard, differences: Sequence[CellDifference], metric: str, names: tuple[str, str], key: str
) -> Any:
    """Show the first run's means minus the second run's, on the questions that both answered, and return the cell that was
    clicked as `show` does."""
    whole = board.grid(board.lines[0].run.id, metric)
    grid = Grid(whole.rows, whole.columns, {difference.key: difference for difference in differences})
    most = max((abs(cell.difference) for cell in differences if cell.difference is not None), default=0.0) or 1.0

    def draw(cell: CellDifference) -> dict[str, Any]:
        if cell.difference is None:
            return {"text": DASH, "sub": "none shared", "heat": None}
        is_apart = cell.low is not None and cell.high is not None and (cell.low > 0 or cell.high < 0)
        return {
            "text": format_difference(cell.difference),
            "sub": f"n={cell.n}",
            "heat": cell.difference / most,
            "mark": "best" if is_apart else "",
            "help": interval(cell.low, cell.high, format_difference),
        }

    text = f"{metric}: {names[0]} minus {names[1]}, same questions; bold where the interval excludes 0"
    legend = {"low": format_difference(-most, 2), "high": format_difference(most, 2), "text": text, "diverging": True}
    return _show_grid(board.by, grid, draw, legend, key)


def _show_grid(
    by: Sequence[str], grid: Grid, draw: Callable[[Any], dict[str, Any]], legend: Mapping[str, Any], key: str
) -> Any:
    columns = [{"label": f"{by[0]} \\ {by[1]}", "align": "left"}]
    columns += [{"label": _format_name(by[1], value), "align": "center"} for value in grid.columns]
    rows = []
    for row in grid.rows:
        cells: list[dict[str, Any]] = [{"text": _format_name(by[0], row)}]
        for column in grid.columns:
            cell = grid.cells.get((row, column))
            if cell is None:
                missing = "not scored" if (row, column) in grid.unscored else "no items"
                cells.append({"text": missing, "muted": True, "heat": None})
                continue
            place = {name: "none" if value is None else str(value) for name, value in zip(by, (row, column), strict=True)}
            address = "?view=questions&" + "&".join(f"{name}={value}" for name, value in place.items())
            cells.append({**draw(cell), "go": place, "href": address})
        rows.append({"cells": cells})
    return paper_table.show(columns, rows, key, legend=legend)


def _format_name(by: str, value: object) -> str:
    return level(value) if by == "level" else DASH if value is None else str(value)
