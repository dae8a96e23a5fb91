"""Levels by domains as a heat map: the value printed in each cell with its n, its colour on the metric's declared scale; one
run's means, or the paired difference of two. One hue from pale to dark (two around 0), told apart by lightness alone too."""

from collections.abc import Mapping, Sequence
from typing import Any

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, interval, level, mean, signed
from workbench.evaluate.results.run_board import Grid, MetricInfo, RunBoard


def show(board: RunBoard, run: str, metric: MetricInfo, key: str) -> Any:
    """One run's means. Gives {row name: value, column name: value} of the cell that was pressed, or None."""
    grid = board.grid(run, metric.name)
    values = [cell["mean"] for cell in grid.cells.values() if cell["mean"] is not None]
    low, high = _scale(metric, values)

    def drawn(cell: Mapping[str, Any]) -> dict[str, Any]:
        if cell["mean"] is None:
            return {"text": DASH, "sub": cell.get("why", "nothing scored"), "heat": None}
        counts = [f"{cell[name]} {name}" for name in ("failed", "unscored") if cell.get(name)]
        return {
            "text": mean(cell["mean"]),
            "sub": f"n={cell['n']}",
            "heat": (cell["mean"] - low) / ((high - low) or 1.0),
            "help": "; ".join(filter(None, [interval(cell["low"], cell["high"]), *counts])),
        }

    declared = "the metric's declared scale" if metric.high is not None and metric.low is not None else "the values shown"
    legend = {"low": mean(low, 2), "high": mean(high, 2), "text": f"{metric.name}, {declared}", "diverging": False}
    return _drawn(board.by, grid, drawn, legend, key)


def show_difference(board: RunBoard, found: Sequence[Mapping[str, Any]], metric: str, names: tuple[str, str], key: str) -> Any:
    """First run less second, on the answers of both."""
    first, second = board.by
    rows = board.grid(board.lines[0].run, metric)
    grid = Grid(rows.rows, rows.columns, {(cell[first], cell[second]): cell for cell in found})
    most = max((abs(cell["difference"]) for cell in found if cell["difference"] is not None), default=0.0) or 1.0

    def drawn(cell: Mapping[str, Any]) -> dict[str, Any]:
        if cell["difference"] is None:
            return {"text": DASH, "sub": "none shared", "heat": None}
        is_apart = cell["low"] is not None and (cell["low"] > 0 or cell["high"] < 0)
        return {
            "text": signed(cell["difference"]),
            "sub": f"n={cell['n']}",
            "heat": cell["difference"] / most,
            "mark": "best" if is_apart else "",
            "help": interval(cell["low"], cell["high"], signed),
        }

    text = f"{metric}: {names[0]} less {names[1]}, same questions; bold where the interval leaves out 0"
    legend = {"low": signed(-most, 2), "high": signed(most, 2), "text": text, "diverging": True}
    return _drawn(board.by, grid, drawn, legend, key)


def _drawn(by: Sequence[str], grid: Grid, drawn: Any, legend: Mapping[str, Any], key: str) -> Any:
    columns = [{"label": f"{by[0]} \\ {by[1]}", "align": "left"}]
    columns += [{"label": _named(by[1], value), "align": "center"} for value in grid.columns]
    rows = []
    for row in grid.rows:
        cells: list[dict[str, Any]] = [{"text": _named(by[0], row)}]
        for column in grid.columns:
            cell = grid.cells.get((row, column))
            if cell is None:
                lacks = "not scored" if (row, column) in grid.others else "no items"
                cells.append({"text": lacks, "muted": True, "heat": None})
                continue
            where = {by[0]: _value(row), by[1]: _value(column)}
            href = "?view=questions&" + "&".join(f"{name}={value}" for name, value in where.items())
            cells.append({**drawn(cell), "go": where, "href": href})
        rows.append({"cells": cells})
    return paper_table.show(columns, rows, key, legend=legend)


def _scale(metric: MetricInfo, values: Sequence[float]) -> tuple[float, float]:
    """The declared ends; of an open scale the values' own."""
    low = min(values, default=0.0) if metric.low is None else metric.low
    high = max(values, default=1.0) if metric.high is None else metric.high
    return low, high


def _named(name: str, value: Any) -> str:
    return level(value) if name == "level" else DASH if value is None else str(value)


def _value(value: Any) -> str:
    """As it stands in an address."""
    return "none" if value is None else str(value)
