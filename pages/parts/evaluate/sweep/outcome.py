"""A sweep while it runs and afterwards: its job, and the scores of its runs, as a table with intervals for each factor, or as a
heat map for two crossed factors."""

import math
from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.links import link_results
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.paper_table import build_forest
from pages.parts.evaluate.run.boxes import back_button, say_offline
from pages.parts.ui import grid, job_card
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.say import escape, show_warning
from pages.parts.ui.waiting import when_ready
from workbench import open_workbench
from workbench.evaluate.scoring.run_figures import FigureSummary
from workbench.evaluate.sweeps.sweep_plan import SweepPlan
from workbench.evaluate.sweeps.sweeps import CellOutcome

FIRST_METRICS = ("rouge_l", "token_f1", "evidence_recall@5")
"""Metrics to show first: the page opens with the first metric in this list whose scores differ between the runs of the
sweep."""
MAX_TICKS = 5
"""Maximum number of ticks on an axis; a wider axis gets larger steps."""


def show(job: str) -> None:
    """Show the progress and results of the sweep that the job with this id carries out."""
    back_button("All sweeps", "sweep_back", "sweep_view", "Sweeps")
    plan = open_workbench().sweeps.load_plan(job)
    state = job_card.show(job)
    draw_in_place(_draw_figures, every=3 if state == "running" else None)(job, plan)


def _draw_figures(job: str, plan: SweepPlan) -> None:
    outcome = when_ready(lambda: open_workbench().sweeps.outcome(job), "Computing the intervals.")
    if outcome is None:
        return
    if not outcome.metrics:
        st.caption("No run of the sweep is finished yet.")
        return
    cells, metrics = outcome.cells, list(outcome.metrics)
    first = next((name for name in FIRST_METRICS if _differs(name, cells)), metrics[0])
    metric = st.selectbox("Metric", metrics, index=metrics.index(first), key=f"sweep_metric_{job}", width=320)
    if plan.shape == "grid" and len(plan.factors) == 2:
        _draw_heat_map(plan, cells, metric)
    elif plan.shape == "grid":
        _draw_table("", [(cell.label, cell) for cell in cells], metric, cells)
    else:
        for factor in plan.factors:
            values = [(step.label, cell) for step in factor.steps for cell in cells if {factor.name: step.label} in cell.at]
            _draw_table(factor.name, values, metric, cells)
    is_split = plan.shape == "one" and len(plan.factors) > 1
    st.caption("Mean with its 95 % interval over questions" + ("; all tables share one scale." if is_split else "."))
    say_offline(sorted({mark for cell in cells for mark in cell.figures.offline}))
    for sentence in dict.fromkeys(f"{cell.label}: {cell.why}" for cell in cells if cell.why):
        show_warning(f"Not run: {sentence}")
    _draw_runs(plan, cells)


def _draw_heat_map(plan: SweepPlan, cells: Sequence[CellOutcome], metric: str) -> None:
    down, across = plan.factors
    figures = [cell.figures.by_metric[metric] for cell in cells if metric in cell.figures.by_metric]
    means = [figure.mean for figure in figures if figure.mean is not None]
    low, high = (min(means), max(means)) if means else (0.0, 1.0)
    rows = []
    for value in down.steps:
        line: list[dict[str, Any]] = [{"text": value.label}]
        for other in across.steps:
            at = {down.name: value.label, across.name: other.label}
            cell = next(candidate for candidate in cells if at in candidate.at)
            figure = cell.figures.by_metric.get(metric)
            if figure is None or figure.mean is None:
                line.append({"text": "–", "sub": _describe_missing(cell, figure), "heat": None})
            else:
                heat = (figure.mean - low) / ((high - low) or 1.0)
                line.append(
                    {"text": f"{figure.mean:.3f}", "sub": f"n={figure.n}", "help": _format_interval(figure), "heat": heat}
                )
        rows.append({"cells": line})
    columns = grid.columns(f"{down.name} \\ {across.name}", align="left")
    columns += grid.columns(*(value.label for value in across.steps), align="center")
    legend = {"low": f"{low:.2f}", "high": f"{high:.2f}", "text": f"Values of {metric}", "diverging": False}
    paper_table.show(columns, rows, f"sweep_map_{metric}", legend=legend)


def _draw_table(name: str, values: Sequence[tuple[str, CellOutcome]], metric: str, cells: Sequence[CellOutcome]) -> None:
    """Show a table with one row per value of a factor: the mean score, and its interval on a scale that all rows share. `name`
    is the factor's name, or "" for a grid."""
    figures = [cell.figures.by_metric[metric] for cell in cells if metric in cell.figures.by_metric]
    axis = _build_axis([end for figure in figures for end in (figure.mean, figure.low, figure.high) if end is not None])
    columns: list[dict[str, Any]] = [
        {"label": name or "cell", "align": "left"},
        {"label": metric},
        {"label": "95 % interval"},
        {"label": "scale", "axis": axis, "width": "38%"},
        {"label": "n"},
        {"label": "failed"},
    ]
    rows = []
    for label, cell in values:
        figure = cell.figures.by_metric.get(metric)
        line: list[dict[str, Any]] = [{"text": label}]
        if figure is None or figure.mean is None:
            line += [{"text": "–", "sub": _describe_missing(cell, figure)}, *grid.cells(*[""] * len(columns[2:]))]
        else:
            line += [
                {"text": f"{figure.mean:.3f}"},
                {"text": _format_interval(figure), "whole": True},
                {"text": "", "forest": build_forest(figure.low, figure.mean, figure.high, axis)},
                *grid.cells(figure.n, cell.figures.failed),
            ]
        rows.append({"cells": line})
    paper_table.show(columns, rows, f"sweep_table_{name or 'grid'}_{metric}", caption=name)


def _build_axis(ends: Sequence[float]) -> dict[str, Any]:
    """Return an axis that includes 0 and every interval, with ticks at round numbers."""
    low, high = min([0.0, *ends]), max([0.0, *ends]) or 1.0
    power = 10.0 ** math.floor(math.log10(high - low))
    step = next(power * factor for factor in (0.25, 0.5, 1.0, 2.5) if (high - low) / (power * factor) <= MAX_TICKS)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    margin = (last - first) * step * 0.04
    ticks = [float(f"{number * step:.6g}") for number in range(first, last + 1)]
    return {"from": first * step - margin, "to": last * step + margin, "ticks": ticks, "is_plain": True}


def _format_interval(figure: FigureSummary) -> str:
    return "none" if figure.low is None else f"{figure.low:.3f} to {figure.high:.3f}"


def _describe_missing(cell: CellOutcome, figure: FigureSummary | None) -> str:
    """Return a word or two that say why a run of the sweep has no score."""
    if cell.state == "failed":
        return "not run"
    return "to do" if cell.state != "done" else (figure.why if figure else "") or "not scored"


def _differs(metric: str, cells: Sequence[CellOutcome]) -> bool:
    return len({cell.figures.by_metric[metric].mean for cell in cells if metric in cell.figures.by_metric}) > 1


def _draw_runs(plan: SweepPlan, cells: Sequence[CellOutcome]) -> None:
    """Show links to the runs of the sweep, and the list of the runs."""
    runs = list(dict.fromkeys(run for cell in cells for run in cell.runs))
    if len(runs) > 1:
        with st.container(horizontal=True):
            link_results(runs)
            if plan.shape == "one":
                link_results(runs, "Recommendations", "recommend", view="paper", preset="crud_rag_table9")
    with st.expander("Its runs"):
        show_rows(
            [
                {
                    "Cell": cell.label,
                    "Answered": cell.figures.answered,
                    "Failed": cell.figures.failed,
                    "Run": ", ".join(cell.runs),
                    "State": f"not run: {escape(cell.why)}" if cell.why else cell.state,
                }
                for cell in cells
            ]
        )
