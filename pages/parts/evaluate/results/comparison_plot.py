"""Every pair of runs on the same questions: a forest plot with its figures beside it, and in words what holds."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import interval, p_value, signed

MOST = 120
"""Pairs that are drawn."""


def show(comparisons: Sequence[Mapping[str, Any]], names: Mapping[str, str], key: str) -> Any:
    """Draw it, a group a metric. Gives {"runs": [a, b], "metric"} of the line that was pressed, or None."""
    ends = [abs(one[name]) for one in comparisons for name in ("low", "high", "difference") if one[name] is not None]
    axis = _axis(max(ends, default=1.0))
    columns: list[dict[str, Any]] = [
        {"label": "A", "align": "left", "width": "14%"},
        {"label": "B", "align": "left", "width": "14%"},
        {"label": "n", "help": "Questions both answered."},
        {"label": "A \u2212 B"},
        {"label": "95 % interval"},
        {"label": "scale", "axis": axis, "width": "18%"},
        {
            "label": "effect",
            "help": "Mean difference over the standard deviation of the differences; for values of 0 and 1 the "
            "odds of a win over a loss.",
        },
        {"label": "p", "help": "Two-sided: exact McNemar where values are 0 and 1, else signs flipped at random."},
        {"label": "p corrected", "help": "Holm's correction over every pair and metric of this report."},
        {"label": "wins / ties / losses", "help": "Questions on which A has more than B, as much, less."},
        {"label": "In words", "align": "left"},
    ]
    rows: list[dict[str, Any]] = []
    for one in comparisons[:MOST]:
        if one["metric"] not in [row.get("group") for row in rows]:
            rows.append({"group": one["metric"]})
        go = {"runs": [one["a"], one["b"]], "metric": one["metric"]}
        href = f"?view=questions&run={one['a']}&run={one['b']}&metric={one['metric']}&order=gain"
        cells: list[dict[str, Any]] = [
            {"text": names[one["a"]]},
            {"text": names[one["b"]]},
            {"text": str(one["n"])},
            {
                "text": signed(one["difference"]),
                "mark": "best" if one["holds"] else "",
                "go": go,
                "href": href,
                "help": "press for the questions, where A beats B most first",
            },
            {"text": interval(one["low"], one["high"], signed) or "one question: none", "whole": True},
            {
                "text": "",
                "forest": {
                    "low": one["low"],
                    "mid": one["difference"],
                    "high": one["high"],
                    "holds": one["holds"],
                    "from": axis["from"],
                    "to": axis["to"],
                },
            },
            {"text": _effect(one), "whole": True},
            {"text": p_value(one["p"]), "help": _test(one)},
            {"text": p_value(one["p_corrected"])},
            {"text": f"{one['wins']} / {one['ties']} / {one['losses']}", "whole": True},
            {"text": _said(one), "muted": not one["holds"], "whole": True},
        ]
        rows.append({"cells": cells})
    left = len(comparisons) - MOST
    return paper_table.show(
        columns,
        rows,
        key,
        notes=[
            *(
                [f"{left:,} more pairs are not drawn: choose fewer runs, or take the whole report from under the leaderboard."]
                if left > 0
                else []
            ),
            "Differences on the questions that both runs answered; questions of one item or document are drawn together.",
            "Filled marks hold at p < .05 after Holm's correction; hollow ones are not separable from 0.",
        ],
    )


def visible(metric: str, detectable: Mapping[str, Mapping[str, Any]]) -> str:
    """What these questions could show at all; "" where that is not known."""
    one = detectable.get(metric)
    if one is None:
        return ""
    if one["difference"] is None:
        return f"{metric}: the smallest difference that could be seen is {one['why']}."
    return f"{metric}: {one['n']} questions show a true difference of {one['difference']:.3f} or more four times in five."


def _effect(one: Mapping[str, Any]) -> str:
    return f"odds {one['odds']:.2f}" if one["odds"] is not None else signed(one["effect"], 2)


def _test(one: Mapping[str, Any]) -> str:
    exact = "" if one["mcnemar"] is None else f"; exact McNemar over single questions: {p_value(one['mcnemar'])}"
    return f"test: {one['test'] or 'none'}{exact}"


def _said(one: Mapping[str, Any]) -> str:
    if not one["holds"]:
        return "not separable"
    return "A is better" if one["difference"] > 0 else "B is better"


def _axis(most: float) -> dict[str, Any]:
    """A scale around 0 that holds every end, with five ticks."""
    step = 10 ** math.floor(math.log10(max(most, 1e-6)))
    end = next(step * factor for factor in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * factor >= most * 0.999)
    ticks = [float(f"{end * part:.3g}") for part in (-1, -0.5, 0, 0.5, 1)]
    return {"from": -end * 1.05, "to": end * 1.05, "ticks": [0 if tick == 0 else tick for tick in ticks]}
