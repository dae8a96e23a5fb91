"""The leaderboard: one line per run, grouped by family of systems, and one column per metric. The best and second best values
are marked only if the paired interval of the difference excludes 0."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, figure, money, seconds
from workbench.evaluate.results.run_board import RunBoard, RunLine


class CostColumn(NamedTuple):
    """A column of the leaderboard that shows a cost or length, in which no run is marked as the best."""

    label: str
    digits: int
    about: str


COSTS = {
    "length": CostColumn("Length", 1, "Mean number of words per answer."),
    "length.refused": CostColumn("Refusals", 3, "Share of answers that refuse to answer."),
    "length.empty": CostColumn("Empty", 3, "Share of empty answers."),
    "seconds": CostColumn("Seconds", 2, "Mean service time per answer, in seconds."),
    "calls": CostColumn("Calls", 2, "Mean number of calls per answer."),
    "tokens": CostColumn("Tokens", 0, "Mean number of tokens sent and received per answer."),
}


def show(board: RunBoard, metrics: Sequence[str], with_costs: bool, sort: str, key: str) -> Any:
    """Show the leaderboard; return {"sort": column} after a click on a column header, a dict with the "run" and "metric" of a
    score after a click on that score, or None."""
    costs = [name for name in COSTS if with_costs and any(metric.name == name for metric in board.metrics)]
    columns: list[dict[str, Any]] = [{"label": "System", "align": "left", "width": "11rem"}]
    columns += [{"label": "Family", "align": "left"}] if sort else []
    columns += [
        {"label": "Questions", "help": "Number of questions that were answered, of the questions that were asked."},
        {"label": "Failed", "help": "Failed answers are counted and never scored."},
    ]
    columns += [_build_sortable_column(name, name, sort) for name in metrics]
    columns += [{**_build_sortable_column(name, COSTS[name].label, sort), "help": COSTS[name].about} for name in costs]
    if with_costs:
        columns += [
            {"label": "Total time", "help": "Service time of all answers together, in seconds."},
            {
                "label": "Building",
                "help": "Cost of building the index, memory or graph, once per corpus: seconds, calls and their price.",
            },
            {"label": "USD", "help": "Price of the calls that made the run's answers."},
        ]
    rows: list[dict[str, Any]] = []
    for line in sorted(board.lines, key=lambda line: _rank_line(board, line, sort)) if sort else board.lines:
        if not sort and {"group": line.family} not in rows:
            rows.append({"group": line.family})
        cells = [
            _build_system(line),
            *([{"text": line.family}] if sort else []),
            _count_answered(line),
            {"text": str(line.tally.failed)},
        ]
        cells += [_build_score(board, line, name) for name in metrics]
        cells += [_build_cost(board, line.run.id, name) for name in costs]
        if with_costs:
            price, calls = board.cost[line.run.id]
            cells += [
                {"text": seconds(board.seconds[line.run.id])},
                _build_building_cost(board.times[line.run.id]),
                {"text": money(price), "help": f"{calls} calls in the ledger"},
            ]
        rows.append({"cells": cells})
    notes = [
        "Mean over the answered questions, with its 95 % bootstrap interval and n; failed answers are counted separately.",
        (
            "Bold is the best value, underlined the second best. Neither is marked if the interval of their paired "
            "difference contains 0."
        ),
    ]
    if board.ranks:
        notes.insert(
            1,
            (
                "A run's rank is computed on the questions for which every run has a value. In brackets: the run's best and "
                "worst rank in 95 % of the resamples."
            ),
        )
    return paper_table.show(columns, rows, key, notes=[*notes, *board.footnotes])


def _build_cost(board: RunBoard, run: str, name: str) -> dict[str, Any]:
    """Build the cell for a run's cost or length; the cell of a time also shows the load at which the time was measured and, in
    its tooltip, the mean waiting time."""
    cell = figure(board.figures.get((run, name)), COSTS[name].digits)
    latency = board.times[run]["latency"]
    if name != "seconds" or not latency["n"]:
        return cell
    words = {"queued": "for a free slot", "retrying": "in retries"}
    waits = [f"{seconds(latency[key])} {purpose}" for key, purpose in words.items() if latency[key] is not None]
    spread = f"median {seconds(latency['p50'])}, 90 % within {seconds(latency['p90'])}"
    help_ = "; ".join([spread, *([f"mean wait {' and '.join(waits)}"] if waits else [])])
    return {**cell, "sub": f"{cell.get('sub', '')}\n{latency['measured']}", "help": help_}


def _build_building_cost(times: Mapping[str, Any]) -> dict[str, Any]:
    """Build the cell for the time and calls that a run needed before its first question, such as for an index."""
    built = times["building"]
    if times["build_seconds"] is None:
        return {"text": DASH}
    calls = f"{built['calls']:,} calls, USD {money(built['price'])}" if built else ""
    return {"text": seconds(times["build_seconds"]), "sub": calls}


def _build_sortable_column(name: str, label: str, sort: str) -> dict[str, Any]:
    return {
        "label": label,
        "go": {"sort": "" if sort == name else name},
        "sorted": "high" if sort == name else None,
        "help": f"Sort by {name}; press again to group by family.",
    }


def _rank_line(board: RunBoard, line: RunLine, metric: str) -> tuple[bool, float]:
    """Return a sort key that puts the run with the highest value first and runs without a value last."""
    cell = board.figures.get((line.run.id, metric))
    mean = cell["mean"] if cell else None
    return mean is None, -(mean or 0.0)


def _build_system(line: RunLine) -> dict[str, Any]:
    sample = f" · sample of {line.sample}" if line.sample else ""
    return {
        "text": line.name,
        "sub": f"{line.run.release} · {line.run.id[:6]}{sample}",
        "help": f"offline: {', '.join(line.run.offline)}" if line.run.offline else "",
    }


def _count_answered(line: RunLine) -> dict[str, Any]:
    left = line.tally.asked - line.tally.answered - line.tally.failed
    return {
        "text": f"{line.tally.answered} / {line.tally.asked}" if line.tally.asked else DASH,
        "sub": f"{left} to come" if left else "",
    }


def _build_score(board: RunBoard, line: RunLine, metric: str) -> dict[str, Any]:
    """Build the cell for a run's score, with the run's rank and a link to the questions."""
    cell = figure(board.figures.get((line.run.id, metric)))
    place = board.ranks.get((line.run.id, metric))
    if place is not None and place["rank"] is not None:
        cell["sub"] = f"{cell.get('sub', '')}\nplace {place['rank']} [{place['low']}, {place['high']}]"
    return {
        **cell,
        "go": {"run": line.run.id, "metric": metric},
        "href": f"?view=questions&run={line.run.id}&metric={metric}&order=low",
        "help": "; ".join(filter(None, [cell.get("help", ""), "click for its questions"])),
    }
