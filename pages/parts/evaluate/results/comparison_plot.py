"""All pairs of runs, compared on the same questions: a forest plot with the numbers beside it, and sentences that say which
differences are significant."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import format_difference, interval, p_value
from pages.parts.evaluate.results.paper_table import build_forest
from pages.parts.ui import grid

MAX_PAIRS = 120
EFFECT = "Mean difference divided by the standard deviation of the differences. For values of 0 and 1: wins divided by losses."


def show(comparisons: Sequence[Mapping[str, Any]], names: Mapping[str, str], key: str) -> Any:
    """Show the plot with one group of rows per metric, and return a dict with the "runs" (a list of two ids) and the "metric"
    of the row that was clicked, or None."""
    ends = [abs(pair[name]) for pair in comparisons for name in ("low", "high", "difference") if pair[name] is not None]
    axis = _build_axis(max(ends, default=1.0))
    columns: list[dict[str, Any]] = [
        {"label": "A", "align": "left", "width": "14%"},
        {"label": "B", "align": "left", "width": "14%"},
        {"label": "n", "help": "Number of questions that both runs answered."},
        {"label": "A \u2212 B"},
        {"label": "95 % interval"},
        {"label": "scale", "axis": axis, "width": "18%"},
        {"label": "effect", "help": EFFECT},
        {
            "label": "p",
            "help": "Two-sided p-value: an exact McNemar test if all values are 0 or 1, otherwise a permutation test of signs.",
        },
        {"label": "p corrected", "help": "p-value after Holm's correction over all pairs and metrics of this report."},
        {
            "label": "wins / ties / losses",
            "help": "Numbers of questions on which run A scores higher than run B, equal to B, and lower than B.",
        },
        {"label": "In words", "align": "left"},
    ]
    rows: list[dict[str, Any]] = []
    for pair in comparisons[:MAX_PAIRS]:
        if {"group": pair["metric"]} not in rows:
            rows.append({"group": pair["metric"]})
        rows.append({"cells": _build_cells(pair, names, axis)})
    hidden = len(comparisons) - MAX_PAIRS
    notes = [
        "Differences on the questions that both runs answered; questions of one item or document are resampled together.",
        "Filled marks are significant at p < .05 after Holm's correction; hollow marks are not.",
    ]
    if hidden > 0:
        notes.insert(
            0, f"{hidden:,} more pairs are not shown: choose fewer runs, or download the report under the leaderboard."
        )
    return paper_table.show(columns, rows, key, notes=notes)


def describe_detectable(metric: str, detectable: Mapping[str, Mapping[str, Any]]) -> str:
    """Describe in a sentence the smallest difference in the metric that the questions can show with 80 % power; return "" if
    that is unknown."""
    smallest = detectable.get(metric)
    if smallest is None:
        return ""
    if smallest["difference"] is None:
        return f"{metric}: the smallest difference that could be seen is {smallest['why']}."
    n, least = smallest["n"], smallest["difference"]
    return f"{metric}: {n} questions detect a true difference of {least:.3f} or more in four of five cases."


def _build_cells(pair: Mapping[str, Any], names: Mapping[str, str], axis: Mapping[str, Any]) -> list[dict[str, Any]]:
    address = f"?view=questions&run={pair['a']}&run={pair['b']}&metric={pair['metric']}&order=gain"
    exact = "" if pair["mcnemar"] is None else f"; exact McNemar over single questions: {p_value(pair['mcnemar'])}"
    effect = f"odds {pair['odds']:.2f}" if pair["odds"] is not None else format_difference(pair["effect"], 2)
    words = "not separable" if not pair["holds"] else "A is better" if pair["difference"] > 0 else "B is better"
    return [
        *grid.cells(names[pair["a"]], names[pair["b"]], pair["n"]),
        {
            "text": format_difference(pair["difference"]),
            "mark": "best" if pair["holds"] else "",
            "go": {"runs": [pair["a"], pair["b"]], "metric": pair["metric"]},
            "href": address,
            "help": "click for the questions, those on which A beats B most first",
        },
        {"text": interval(pair["low"], pair["high"], format_difference) or "one question: none", "whole": True},
        {"text": "", "forest": build_forest(pair["low"], pair["difference"], pair["high"], axis, pair["holds"])},
        {"text": effect, "whole": True},
        {"text": p_value(pair["p"]), "help": f"test: {pair['test'] or 'none'}{exact}"},
        {"text": p_value(pair["p_corrected"])},
        {"text": f"{pair['wins']} / {pair['ties']} / {pair['losses']}", "whole": True},
        {"text": words, "muted": not pair["holds"], "whole": True},
    ]


def _build_axis(most: float) -> dict[str, Any]:
    """Return the axis of a forest plot, with 0 in the middle, wide enough for every interval, and with five ticks."""
    step = 10 ** math.floor(math.log10(max(most, 1e-6)))
    end = next(step * factor for factor in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * factor >= most * 0.999)
    ticks = [float(f"{end * part:.3g}") for part in (-1, -0.5, 0, 0.5, 1)]
    return {"from": -end * 1.05, "to": end * 1.05, "ticks": [0 if tick == 0 else tick for tick in ticks]}
