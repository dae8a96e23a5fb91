"""Two tables: the failed answers of each run by kind of failure, and the means that each run would have if every failure were
the worst or the best possible answer."""

from typing import Any

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, figure, mean
from pages.parts.ui import grid
from workbench.evaluate.results.run_board import RunBoard, RunLine


def show(board: RunBoard, metrics: list[str], key: str) -> Any:
    """Show both tables, and return a dict with the "run" and the "state" ("failed") of the cell that was clicked, or None."""
    kinds = sorted({kind for failures in board.failures.values() for kind in failures})
    if not kinds:
        return None
    labels = ["Asked", "Answered", *kinds, "Failed"]
    columns = [*grid.columns("System", align="left"), *grid.columns(*labels)]
    rows = [{"cells": _count_failures(board, line, kinds)} for line in board.lines]
    pressed = paper_table.show(columns, rows, f"{key}_kinds", caption="Failures by kind")
    columns = [{"label": "System", "align": "left"}, {"label": "Failed"}]
    for name in metrics:
        columns += [
            {"label": name},
            {
                "label": "bounds",
                "help": (
                    "Mean if every failed answer had the lowest value of the metric's scale, and mean if every one had the "
                    "highest value."
                ),
            },
        ]
    rows = [{"cells": _bound_means(board, line, metrics)} for line in board.lines if line.tally.failed]
    paper_table.show(
        columns,
        rows,
        f"{key}_bounds",
        caption="Means if every failure counts as the worst or as the best answer",
        notes=[
            (
                "Failed answers are in no mean. The bounds show how far they could move each mean. The page Run, or the "
                "command `run` with --retry-failed, asks their questions again."
            )
        ],
    )
    return pressed


def _count_failures(board: RunBoard, line: RunLine, kinds: list[str]) -> list[dict[str, Any]]:
    return [
        *grid.cells(line.name, line.tally.asked, line.tally.answered),
        *grid.cells(*(board.failures[line.run.id].get(kind) or DASH for kind in kinds)),
        {
            "text": str(line.tally.failed),
            "go": {"run": line.run.id, "state": "failed"} if line.tally.failed else None,
            "href": f"?view=questions&run={line.run.id}&state=failed",
            "help": "click for these questions",
        },
    ]


def _bound_means(board: RunBoard, line: RunLine, metrics: list[str]) -> list[dict[str, Any]]:
    cells = grid.cells(line.name, line.tally.failed)
    for name in metrics:
        cell = board.figures.get((line.run.id, name))
        ends = cell.get("bounds") if cell else None
        bounds = (
            {"text": f"[{mean(ends[0])}, {mean(ends[1])}]"}
            if ends
            else {"text": DASH, "help": "The scale of this metric has no end."}
        )
        cells += [figure(cell), bounds]
    return cells
