"""Where answers are lost: a table per run and level, each state as a share with its number of questions."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, level
from pages.parts.evaluate.run import start
from pages.parts.ui.allowed import kept
from pages.parts.ui.in_url import held, word
from pages.parts.ui.say import note
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.evaluate.results.run_board import RunBoard
from workbench.evaluate.running.companions import COMPANIONS, STATES, THRESHOLD, Attribution

ABOUT = {
    "right with evidence": "Right; the same agent without any context is wrong.",
    "right without evidence": "Right, and the same agent is right without any context, too.",
    "retrieval miss": "Wrong; with the gold evidence it would be right; the passages do not hold all of it.",
    "evidence ignored": "Wrong although the passages hold all gold evidence, and with that evidence alone it would be right.",
    "wrong despite evidence": "Wrong, and wrong too with the gold evidence as its context.",
    "failed": "No answer.",
    "not known": "A score or a trace is lacking in one of the three runs.",
}


def show(board: RunBoard, key: str) -> None:
    """Choose score and threshold, see each run's table; for a run that lacks the two beside it, why and a button for them."""
    names = [m.name for m in board.metrics if m.is_quality and "@" not in m.name]
    if not names:
        note("These runs have no score of their answers: what is right cannot be told from retrieval alone.")
        return
    metric = word("metric", next((name for name in board.default_metrics() if name in names), names[0]), names)
    threshold = _share(word("threshold"), THRESHOLD)
    left, right, _ = st.columns([3, 2, 3])
    left.selectbox("Score", names, key=f"{key}_metric", on_change=held(f"{key}_metric", "metric", metric))
    right.number_input(
        "Right from", 0.0, 1.0, key=f"{key}_threshold", step=0.05, on_change=held(f"{key}_threshold", "threshold", threshold)
    )
    asked = [line.run for line in board.lines if line.system not in COMPANIONS and line.agent is not None]
    told = until_ready(partial(opened().reports.attributions, asked, metric, threshold), "Telling losses apart")
    if told is None:
        return
    found = [(board.names[run], one) for run, one in told.items() if isinstance(one, Attribution)]
    lacks = {run: why for run, why in told.items() if isinstance(why, str)}
    if found:
        _table(found, f"{key}_table")
    elif not lacks:
        note("Choose a run of a system that answers with an agent: the floor and the ceiling have no losses of their own.")
    for run, why in lacks.items():
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.text(f"{board.names[run]}: {why}")
            wanted = opened().reports.attribution_lacks(run)
            names_ = " and ".join(one.system for one in wanted)
            if st.button(f"Run {names_}", key=f"{key}_plan_{run}", icon=":material/play_arrow:", **kept("run systems")):
                start.begin(wanted, "check")
                st.switch_page("pages/evaluate/run.py")


def _table(found: Sequence[tuple[str, Attribution]], key: str) -> None:
    """Draw it, a group a run; `found` = (the run's name, its losses)."""
    columns: list[dict[str, Any]] = [{"label": "Level", "align": "left"}, {"label": "n"}]
    columns += [{"label": state, "help": ABOUT[state]} for state in STATES]
    rows: list[dict[str, Any]] = []
    for name, one in found:
        rows.append({"group": name})
        rows += [_row(level(value), counts) for value, counts in one.by_level]
        if len(one.by_level) > 1:
            rows.append(_row("all", one.counts))
    first = found[0][1]
    paper_table.show(
        columns,
        rows,
        key,
        caption=f"Questions by what became of them, right from {first.metric} = {first.threshold:g} on",
        notes=[
            "Told from two more runs of the same agent: with the gold evidence as context, and with no context.",
            "Evidence counts as found when the passages hit every gold span, at evidence_recall's deepest cut.",
        ],
    )


def _row(name: str, counts: Mapping[str, int]) -> dict[str, Any]:
    n = sum(counts.values())
    cells = [{"text": name}, {"text": str(n)}]
    for state in STATES:
        here = counts.get(state, 0)
        share = {"text": f"{100 * here / n:.0f} %", "sub": f"n={here}", "help": ABOUT[state]}
        cells.append(share if here else {"text": DASH, "help": ABOUT[state]})
    return {"cells": cells}


def _share(text: str, default: float) -> float:
    try:
        return min(max(float(text), 0.0), 1.0)
    except ValueError:
        return default
