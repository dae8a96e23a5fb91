"""The leaderboard: a line a run, grouped by family of system, a column a metric; best and second marked only where the paired
interval separates them."""

from collections.abc import Mapping, Sequence
from typing import Any

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, figure, money, seconds
from workbench.evaluate.results.run_board import RunBoard, RunLine

COSTS = {
    "length": ("Length", 1),
    "length.refused": ("Refusals", 3),
    "length.empty": ("Empty", 3),
    "seconds": ("Seconds", 2),
    "calls": ("Calls", 2),
    "tokens": ("Tokens", 0),
}
"""Metrics that are no contest -> the head of their column and its digits."""
ABOUT = {
    "length": "Mean words of an answer.",
    "length.refused": "Share of answers that refuse.",
    "length.empty": "Share of answers without a word.",
    "seconds": "Mean service seconds of an answer.",
    "calls": "Mean calls of an answer.",
    "tokens": "Mean tokens in and out of an answer.",
}


def show(board: RunBoard, metrics: Sequence[str], with_costs: bool, sort: str, key: str) -> Any:
    """Draw it. Gives {"sort": column}, or {"run", "metric"} of the figure that was pressed, or None."""
    costs = [name for name in COSTS if with_costs and any(m.name == name for m in board.metrics)]
    columns: list[dict[str, Any]] = [{"label": "System", "align": "left", "width": "11rem"}]
    columns += [{"label": "Family", "align": "left"}] if sort else []
    columns += [
        {"label": "Questions", "help": "Questions that were answered, of those asked."},
        {"label": "Failed", "help": "Counted, and never scored."},
    ]
    columns += [_sortable(name, name, sort) for name in metrics]
    columns += [{**_sortable(name, COSTS[name][0], sort), "help": ABOUT[name]} for name in costs]
    if with_costs:
        columns += [
            {"label": "Total time", "help": "Service seconds of all answers together."},
            {"label": "Building", "help": "Index, memory or graph, once per corpus: seconds, calls and their price."},
            {"label": "USD", "help": "Price of the calls that its answers name."},
        ]
    rows: list[dict[str, Any]] = []
    lines = sorted(board.lines, key=lambda line: _rank(board, line, sort)) if sort else board.lines
    for line in lines:
        if not sort and line.family not in [row.get("group") for row in rows]:
            rows.append({"group": line.family})
        cells = [_named(line), *([{"text": line.family}] if sort else []), _answered(line), {"text": str(line.failed)}]
        cells += [_pressed(_ranked(board, line, name), line, name) for name in metrics]
        cells += [_cost(board, line.run, name) for name in costs]
        if with_costs:
            price, calls = board.cost[line.run]
            cells += [
                {"text": seconds(board.seconds[line.run])},
                _building(board.times[line.run]),
                {"text": money(price), "help": f"{calls} calls in the ledger"},
            ]
        rows.append({"cells": cells})
    return paper_table.show(
        columns,
        rows,
        key,
        notes=[
            "Mean with its 95 % bootstrap interval and n over answered questions; failed answers are counted apart.",
            *(
                [
                    "A place is that on the questions which every run has a value for; in brackets its best and worst in "
                    "95 % of "
                    "the resamples."
                ]
                if board.ranks
                else []
            ),
            "Bold is best, underlined second; nothing is marked where the paired interval of the two holds 0.",
        ],
    )


def _cost(board: RunBoard, run: str, name: str) -> dict[str, Any]:
    """Seconds say under which load they were measured, and what waited beside them."""
    cell = figure(board.figures.get((run, name)), COSTS[name][1])
    took = board.times[run]["latency"]
    if name != "seconds" or not took["n"]:
        return cell
    waits = [
        f"{seconds(took[key])} {what}"
        for key, what in (("queued", "for a free place"), ("retrying", "in retries"))
        if took[key] is not None
    ]
    spread = f"median {seconds(took['p50'])}, 90 % within {seconds(took['p90'])}"
    told = "; ".join([spread, *([f"waited in the mean {' and '.join(waits)}"] if waits else [])])
    return {**cell, "sub": f"{cell.get('sub', '')}\n{took['measured']}", "help": told}


def _building(times: Mapping[str, Any]) -> dict[str, Any]:
    """What was spent before the first question."""
    built = times["building"]
    if times["build_seconds"] is None:
        return {"text": DASH}
    calls = f"{built['calls']:,} calls, USD {money(built['price'])}" if built else ""
    return {"text": seconds(times["build_seconds"]), "sub": calls}


def _sortable(name: str, label: str, sort: str) -> dict[str, Any]:
    return {
        "label": label,
        "go": {"sort": "" if sort == name else name},
        "sorted": "high" if sort == name else None,
        "help": f"Sort by {name}; press again to group by family.",
    }


def _rank(board: RunBoard, line: RunLine, metric: str) -> tuple[bool, float]:
    """Highest first; runs without a value last."""
    value: Mapping[str, Any] | None = board.figures.get((line.run, metric))
    mean = value["mean"] if value else None
    return mean is None, -(mean or 0.0)


def _named(line: RunLine) -> dict[str, Any]:
    sample = f" · sample of {line.sample}" if line.sample else ""
    return {
        "text": line.name,
        "sub": f"{line.release} · {line.run[:6]}{sample}",
        "help": f"offline: {', '.join(line.offline)}" if line.offline else "",
    }


def _answered(line: RunLine) -> dict[str, Any]:
    left = line.asked - line.answered - line.failed
    return {"text": f"{line.answered} / {line.asked}" if line.asked else DASH, "sub": f"{left} to come" if left else ""}


def _ranked(board: RunBoard, line: RunLine, metric: str) -> dict[str, Any]:
    """The figure with its place among the runs under it."""
    cell = figure(board.figures.get((line.run, metric)))
    place = board.ranks.get((line.run, metric))
    if place is None or place["rank"] is None:
        return cell
    return {**cell, "sub": f"{cell.get('sub', '')}\nplace {place['rank']} [{place['low']}, {place['high']}]"}


def _pressed(cell: dict[str, Any], line: RunLine, metric: str) -> dict[str, Any]:
    help_ = "; ".join(filter(None, [cell.get("help", ""), "press for its questions"]))
    href = f"?view=questions&run={line.run}&metric={metric}&order=low"
    return {**cell, "go": {"run": line.run, "metric": metric}, "href": href, "help": help_}
