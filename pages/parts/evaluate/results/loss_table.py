"""A table of where right answers are lost, one row per run and level: the shares and numbers of questions by outcome, such as
retrieval miss or evidence ignored."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from pages.parts.evaluate.links import RUN
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, level
from pages.parts.evaluate.run import launch
from pages.parts.ui.allowed import guard
from pages.parts.ui.in_url import choose, keep_in_address, read_word
from pages.parts.ui.say import show_note
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.evaluate.results.run_board import RunBoard
from workbench.evaluate.running.companions import COMPANIONS, FAILURE_THRESHOLD, STATES, Attribution

ABOUT = {
    "right with evidence": "The answer is right, and the same agent answers wrong without any context.",
    "right without evidence": "The answer is right, and the same agent is also right without any context.",
    "retrieval miss": (
        "The answer is wrong, and the retrieved passages lack some of the gold evidence; with the gold evidence as context, "
        "the same agent answers right."
    ),
    "evidence ignored": (
        "The answer is wrong although the retrieved passages contain all gold evidence; with only the gold evidence as "
        "context, the same agent answers right."
    ),
    "wrong despite evidence": "The answer is wrong, and the same agent also answers wrong with the gold evidence as context.",
    "failed": "No answer.",
    "not known": "One of the three runs lacks a score or a trace.",
}


def show(board: RunBoard, key: str) -> None:
    """Show the table of where right answers are lost. For each run whose losses are unknown, show the reason, and a button that
    starts the additional runs that are needed."""
    names = [metric.name for metric in board.metrics if metric.is_quality and "@" not in metric.name]
    if not names:
        show_note("The answers of these runs have no scores. Retrieval scores alone do not show which answers are right.")
        return
    left, right, _ = st.columns([3, 2, 3])
    usual = next((name for name in board.default_metrics() if name in names), "")
    metric = choose(left, "Score", "metric", names, f"{key}_metric", default=usual)
    threshold = _read_share(read_word("threshold"), FAILURE_THRESHOLD)
    change = keep_in_address(f"{key}_threshold", "threshold", threshold)
    right.number_input(
        "Lowest score at which an answer counts as right", 0.0, 1.0, key=f"{key}_threshold", step=0.05, on_change=change
    )
    ids = [line.run.id for line in board.lines if line.run.system.name not in COMPANIONS and line.run.agent is not None]
    attributions = until_ready(
        partial(open_workbench().reports.attributions, ids, metric, threshold), "Finding where answers are lost"
    )
    if attributions is None:
        return
    attributed = [
        (board.names[run], attribution) for run, attribution in attributions.items() if isinstance(attribution, Attribution)
    ]
    unknown = {run: why for run, why in attributions.items() if isinstance(why, str)}
    if attributed:
        _draw_table(attributed, f"{key}_table")
    elif not unknown:
        show_note(
            "Choose a run of a system that answers with an agent. Losses are not computed for the runs without context and "
            "with gold evidence."
        )
    for run, why in unknown.items():
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.text(f"{board.names[run]}: {why}")
            requests = open_workbench().reports.request_missing_companions(run)
            systems = " and ".join(request.system for request in requests)
            if st.button(f"Run {systems}", key=f"{key}_plan_{run}", icon=":material/play_arrow:", **guard("run systems")):
                launch.begin_runs(requests, "check")
                st.switch_page(RUN)


def _draw_table(attributions: Sequence[tuple[str, Attribution]], key: str) -> None:
    """Show the table of losses; `attributions` contains a pair (name of the run, losses of the run) for each group of rows."""
    columns: list[dict[str, Any]] = [{"label": "Level", "align": "left"}, {"label": "n"}]
    columns += [{"label": state, "help": ABOUT[state]} for state in STATES]
    rows: list[dict[str, Any]] = []
    for name, attribution in attributions:
        rows.append({"group": name})
        rows += [_build_row(level(value), counts) for value, counts in attribution.by_level]
        if len(attribution.by_level) > 1:
            rows.append(_build_row("all", attribution.counts))
    first = attributions[0][1]
    paper_table.show(
        columns,
        rows,
        key,
        caption=f"Questions by outcome; an answer is right if its {first.metric} is at least {first.threshold:g}",
        notes=[
            "Computed from two more runs of the same agent: with the gold evidence as context, and without context.",
            (
                "Evidence counts as found if the retrieved passages overlap every gold span, up to the deepest rank that "
                "the metric evidence_recall uses."
            ),
        ],
    )


def _build_row(name: str, counts: Mapping[str, int]) -> dict[str, Any]:
    n = sum(counts.values())
    cells = [{"text": name}, {"text": str(n)}]
    for state in STATES:
        count = counts.get(state, 0)
        share = {"text": f"{100 * count / n:.0f} %", "sub": f"n={count}"} if count else {"text": DASH}
        cells.append({**share, "help": ABOUT[state]})
    return {"cells": cells}


def _read_share(text: str, default: float) -> float:
    try:
        return min(max(float(text), 0.0), 1.0)
    except ValueError:
        return default
