"""Two runs on two releases: how much of their difference the labels made and how much the systems, and the questions whose
labels moved a score."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.statistics.statistics import Interval
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, interval, mean, signed
from pages.parts.ui.in_url import held, word
from pages.parts.ui.say import note, trouble
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.evaluate.results.run_board import RunBoard
from workbench.evaluate.results.relabelling import Moved, Relabelled

MOST = 100
"""Questions that are listed."""
ORDERS = {
    "labels": "Moved most by labels",
    "systems": "Moved most by the system",
    "gain": "Gains first",
    "loss": "Losses first",
}


def show(board: RunBoard, key: str) -> Any:
    """Draw it for the first two of the runs that are on different releases. Gives {"run", "item"} of the question that was
    pressed, or None."""
    first = board.lines[0]
    second = next((line for line in board.lines if line.release_hash != first.release_hash), None)
    if second is None:
        note("Choose two runs on different releases: this tells how much of their difference the labels made.")
        return None
    a, b = sorted((first, second), key=lambda line: line.at)
    names = [m.name for m in board.metrics if m.is_quality]
    metric = word("metric", next(iter(board.default_metrics()), ""), names)
    order = word("order", "labels", list(ORDERS))
    left, right, _ = st.columns([3, 3, 2])
    left.selectbox("Score", names, key=f"{key}_metric", on_change=held(f"{key}_metric", "metric", metric))
    right.selectbox(
        "Order",
        list(ORDERS),
        key=f"{key}_order",
        format_func=lambda name: ORDERS[name],
        on_change=held(f"{key}_order", "order", order),
    )
    st.text(f"{a.name} on {a.release}, then {b.name} on {b.release}")
    try:
        found = until_ready(lambda: opened().reports.relabelled(a.run, b.run, metric), "Scoring stored answers again")
    except BenchError as error:
        trouble(str(error))
        return None
    pressed = _tables(found, (a.release, b.release), order, key) if found else None
    return {"run": [a.run, b.run], **pressed} if pressed else None


def _tables(found: Relabelled, releases: tuple[str, str], order: str, key: str) -> Any:
    """Gives {"item"} of the question that was pressed, or None."""
    columns: list[dict[str, Any]] = [
        {"label": "What moved", "align": "left"},
        {"label": "mean"},
        {"label": "95 % interval"},
        {"label": "n"},
    ]
    rows = [
        _part("All together", found.all),
        _part("because of labels: the same answers, the other release's gold", found.labels),
        _part("because of systems: the same gold, the other run's answers", found.systems),
    ]
    paper_table.show(
        columns,
        rows,
        f"{key}_sum",
        caption=f"{found.metric}, {releases[1]} less {releases[0]}",
        notes=[
            f"On the questions that stand in both releases. {found.only[0]} are in {releases[0]} alone, {found.only[1]} in "
            f"{releases[1]} alone. Stored answers are scored again; no system is asked.",
        ],
    )
    listed = ordered(found.questions, order)
    columns = [
        {"label": "Question", "align": "left", "width": "24rem"},
        {"label": "First run's answer", "align": "left", "width": "16rem"},
        {"label": "Gold", "align": "left", "width": "16rem"},
        {"label": "before", "width": "5rem"},
        {"label": "relabelled", "width": "6rem", "help": "The same answer by the second release's gold."},
        {"label": "after", "width": "5rem", "help": "The second run's answer."},
    ]
    lines = [_line(one) for one in listed[:MOST]]
    more = [f"The first {MOST} of {len(listed)} questions."] if len(listed) > MOST else []
    return paper_table.show(columns, [{"cells": cells} for cells in lines], f"{key}_items", shape="fixed", notes=more)


def ordered(questions: Sequence[Moved], order: str) -> list[Moved]:
    """Those whose three values are known, by how much they moved."""
    known = [one for one in questions if None not in (one.before, one.relabelled, one.after)]

    def by(one: Moved) -> float:
        a, b, c = one.before or 0.0, one.relabelled or 0.0, one.after or 0.0
        return {"labels": -abs(b - a), "systems": -abs(c - b), "gain": a - c, "loss": c - a}[order]

    return sorted(known, key=by)


def _part(name: str, found: Interval) -> dict[str, Any]:
    return {
        "cells": [
            {"text": name},
            {"text": signed(found.mean), "help": found.why},
            {"text": interval(found.low, found.high, signed) or DASH, "help": found.why},
            {"text": str(found.n)},
        ]
    }


def _line(one: Moved) -> list[dict[str, Any]]:
    old, new = (" / ".join(golds) for golds in one.golds)
    gold = {"text": new, "clamp": True, "sub": f"was: {old[:60]}" if old != new else ""}
    return [
        {"text": one.question, "clamp": True, "go": {"item": one.item}, "href": f"?item={one.item}"},
        {"text": DASH if one.answer is None else one.answer, "clamp": True},
        gold,
        {"text": mean(one.before)},
        {"text": mean(one.relabelled), "mark": "best" if one.is_relabelled else ""},
        {"text": mean(one.after)},
    ]
