"""A sweep at work, or after: its job, and what its cells came to: a table with intervals for each factor, a heat map where two
are crossed."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui import job_card
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.say import caution, plain
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.evaluate.sweeps.sweep_plan import SweepPlan

FIRST = ("rouge_l", "token_f1", "evidence_recall@5")
"""What is shown unless another is chosen: the first of these that is not the same in every cell."""
TICKS = 5
"""Steps of a scale, at most, before its ends are made round."""
OPEN_FROM = 2
"""Runs that are opened side by side from here on."""


def show(job: str) -> None:
    """Draw the sweep of that job."""
    st.button("All sweeps", key="sweep_back", icon=":material/arrow_back:", type="tertiary", on_click=_back)
    plan = opened().sweeps.asked(job)
    state = job_card.show(job)
    draw_in_place(_figures, every=3 if state == "running" else None)(job, plan)


def _figures(job: str, plan: SweepPlan) -> None:
    found = opened().sweeps.outcome(job)
    if found is None:
        waiting(lambda: opened().sweeps.outcome(job, wait=0.0) is not None, "Reckoning the intervals.")
        return
    if not found["metrics"]:
        st.caption("No cell is done yet.")
        return
    first = next((name for name in FIRST if _moves(name, found["cells"])), found["metrics"][0])
    metric = st.selectbox("Metric", found["metrics"], index=found["metrics"].index(first), key=f"sweep_metric_{job}", width=320)
    if plan.shape == "grid" and len(plan.factors) == 2:
        _map(plan, found["cells"], metric)
    elif plan.shape == "grid":
        _table(None, [(cell["label"], cell) for cell in found["cells"]], metric, "grid", found["cells"])
    else:
        for factor in plan.factors:
            steps = [
                (step.label, cell)
                for step in factor.steps
                for cell in found["cells"]
                if {factor.name: step.label} in cell["at"]
            ]
            _table(factor.name, steps, metric, factor.name, found["cells"])
    is_split = plan.shape == "one" and len(plan.factors) > 1
    st.caption("Mean with its 95 % interval over questions" + ("; all tables have one scale." if is_split else "."))
    marks = sorted({mark for cell in found["cells"] for mark in cell["offline"]})
    if marks:
        st.caption(f":material/cloud_off: Offline, no LLM: {', '.join(marks)}.")
    for sentence in dict.fromkeys(f"{cell['label']}: {cell['why']}" for cell in found["cells"] if cell["why"]):
        caution(f"Not run: {sentence}")
    _links(plan, found["cells"])


def _map(plan: SweepPlan, cells: Sequence[Mapping[str, Any]], metric: str) -> None:
    down, across = plan.factors
    means = [cell["values"][metric]["mean"] for cell in cells if metric in cell["values"]]
    shown = [mean for mean in means if mean is not None]
    low, high = (min(shown), max(shown)) if shown else (0.0, 1.0)
    rows = []
    for step in down.steps:
        line: list[dict[str, Any]] = [{"text": step.label}]
        for other in across.steps:
            where = {down.name: step.label, across.name: other.label}
            cell = next(one for one in cells if where in one["at"])
            value = cell["values"].get(metric)
            if value is None or value["mean"] is None:
                line.append({"text": "–", "sub": _state(cell, value), "heat": None})
            else:
                line.append(
                    {
                        "text": f"{value['mean']:.3f}",
                        "sub": f"n={value['n']}",
                        "help": _interval(value),
                        "heat": (value["mean"] - low) / ((high - low) or 1.0),
                    }
                )
        rows.append({"cells": line})
    columns = [{"label": f"{down.name} \\ {across.name}", "align": "left"}]
    columns += [{"label": step.label, "align": "center"} for step in across.steps]
    legend = {"low": f"{low:.2f}", "high": f"{high:.2f}", "text": f"{metric}, the values shown", "diverging": False}
    paper_table.show(columns, rows, f"sweep_map_{metric}", legend=legend)


def _table(
    name: str | None, steps: Sequence[tuple[str, Mapping[str, Any]]], metric: str, key: str, every: Sequence[Mapping[str, Any]]
) -> None:
    """A line a value, its interval drawn on the scale of all cells."""
    values = [cell["values"][metric] for cell in every if metric in cell["values"]]
    axis = _axis([value[end] for value in values for end in ("mean", "low", "high") if value[end] is not None])
    columns: list[dict[str, Any]] = [
        {"label": name or "cell", "align": "left"},
        {"label": metric},
        {"label": "95 % interval"},
        {"label": "scale", "axis": axis, "width": "38%"},
        {"label": "n"},
        {"label": "failed"},
    ]
    rows: list[dict[str, Any]] = []
    for label, cell in steps:
        value = cell["values"].get(metric)
        if value is None or value["mean"] is None:
            blank = [{"text": ""} for _ in columns[2:]]
            rows.append({"cells": [{"text": label}, {"text": "–", "sub": _state(cell, value)}, *blank]})
            continue
        forest = {
            "low": value["low"],
            "mid": value["mean"],
            "high": value["high"],
            "holds": True,
            "from": axis["from"],
            "to": axis["to"],
        }
        cells: list[dict[str, Any]] = [
            {"text": label},
            {"text": f"{value['mean']:.3f}"},
            {"text": _interval(value), "whole": True},
            {"text": "", "forest": forest},
            {"text": str(value["n"])},
            {"text": str(cell["failed"])},
        ]
        rows.append({"cells": cells})
    paper_table.show(columns, rows, f"sweep_table_{key}_{metric}", caption=name or "")


def _axis(ends: Sequence[float]) -> dict[str, Any]:
    """A scale from 0 that holds them all, with round ticks."""
    low, high = min([0.0, *ends]), max([0.0, *ends]) or 1.0
    power = 10.0 ** math.floor(math.log10(high - low))
    step = next(power * factor for factor in (0.25, 0.5, 1.0, 2.5) if (high - low) / (power * factor) <= TICKS)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    margin = (last - first) * step * 0.04
    ticks = [float(f"{number * step:.6g}") for number in range(first, last + 1)]
    return {"from": first * step - margin, "to": last * step + margin, "ticks": ticks, "is_plain": True}


def _interval(value: Mapping[str, Any]) -> str:
    return "none" if value["low"] is None else f"{value['low']:.3f} to {value['high']:.3f}"


def _state(cell: Mapping[str, Any], value: Mapping[str, Any] | None) -> str:
    """Why there is no figure, in a word or two."""
    if cell["state"] == "failed":
        return "not run"
    return "to do" if cell["state"] != "done" else (value or {}).get("why") or "not scored"


def _moves(metric: str, cells: Sequence[Mapping[str, Any]]) -> bool:
    return len({cell["values"][metric]["mean"] for cell in cells if metric in cell["values"]}) > 1


def _links(plan: SweepPlan, cells: Sequence[Mapping[str, Any]]) -> None:
    runs = list(dict.fromkeys(run for cell in cells for run in cell["runs"]))
    with st.container(horizontal=True):
        if len(runs) >= OPEN_FROM:
            st.page_link(
                "pages/evaluate/results.py", label="Open in Results", icon=":material/leaderboard:", query_params={"run": runs}
            )
        if len(runs) >= OPEN_FROM and plan.shape == "one":
            st.page_link(
                "pages/evaluate/results.py",
                label="Recommendations",
                icon=":material/recommend:",
                query_params={"run": runs, "view": "paper", "preset": "crud_rag_table9"},
            )
    with st.expander("Its runs"):
        st.dataframe(
            [
                {
                    "Cell": cell["label"],
                    "Answered": cell["answered"],
                    "Failed": cell["failed"],
                    "Run": ", ".join(cell["runs"]),
                    "State": cell["state"] if not cell["why"] else f"not run: {plain(cell['why'])}",
                }
                for cell in cells
            ],
            hide_index=True,
            height="content",
            placeholder="–",
        )


def _back() -> None:
    st.query_params.clear()
    st.session_state["sweep_view"] = "Sweeps"
