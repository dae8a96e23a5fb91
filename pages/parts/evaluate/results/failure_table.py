"""Failures by kind, and what the means would be were every failure the worst or the best."""

from typing import Any

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, figure, mean
from workbench.evaluate.results.run_board import RunBoard


def show(board: RunBoard, metrics: list[str], key: str) -> Any:
    """Draw both. Gives {"run", "state": "failed"} of the line that was pressed, or None."""
    kinds = sorted({kind for found in board.failures.values() for kind in found})
    if not kinds:
        return None
    columns: list[dict[str, Any]] = [{"label": "System", "align": "left"}, {"label": "Asked"}, {"label": "Answered"}]
    columns += [*({"label": kind} for kind in kinds), {"label": "Failed"}]
    rows: list[dict[str, Any]] = [
        {
            "cells": [
                {"text": line.name},
                {"text": str(line.asked)},
                {"text": str(line.answered)},
                *({"text": str(board.failures[line.run].get(kind) or DASH)} for kind in kinds),
                {
                    "text": str(line.failed),
                    "go": {"run": line.run, "state": "failed"} if line.failed else None,
                    "href": f"?view=questions&run={line.run}&state=failed",
                    "help": "press for these questions",
                },
            ]
        }
        for line in board.lines
    ]
    pressed = paper_table.show(columns, rows, f"{key}_kinds", caption="Failures by kind")
    failing = [line for line in board.lines if line.failed]
    columns = [{"label": "System", "align": "left"}, {"label": "Failed"}]
    for name in metrics:
        columns += [{"label": name}, {"label": "bounds", "help": "Every failure at the scale's low end, and at its high end."}]
    rows = []
    for line in failing:
        cells: list[dict[str, Any]] = [{"text": line.name}, {"text": str(line.failed)}]
        for name in metrics:
            cell = board.figures.get((line.run, name))
            ends = cell.get("bounds") if cell else None
            cells += [
                figure(cell),
                {
                    "text": f"[{mean(ends[0])}, {mean(ends[1])}]" if ends else DASH,
                    "help": "" if ends else "This scale is open.",
                },
            ]
        rows.append({"cells": cells})
    paper_table.show(
        columns,
        rows,
        f"{key}_bounds",
        caption="Means with every failure at the worst and at the best",
        notes=[
            "A failure is a state, no answer: it stands in no mean. The bounds say how far the failures could move each mean.",
        ],
    )
    return pressed
