"""Two runs on two releases: how much of the difference between their scores comes from changed gold answers and how much from
the systems, and the questions whose score changed."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.statistics.statistics import Interval
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, format_difference, interval, mean
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.in_url import choose
from pages.parts.ui.say import show_note
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.evaluate.results.relabelling import LabelComparison, RelabelledQuestion
from workbench.evaluate.results.run_board import RunBoard

MAX_QUESTIONS = 100
ORDERS = {
    "labels": "Changed most by labels",
    "systems": "Changed most by the system",
    "gain": "Gains first",
    "loss": "Losses first",
}


def show(board: RunBoard, key: str) -> Any:
    """Show both tables for the first two runs that are on different releases, and return a dict with the "run" ids and the
    "item" of the question that was clicked, or None."""
    first = board.lines[0]
    second = next((line for line in board.lines if line.run.release_hash != first.run.release_hash), None)
    if second is None:
        show_note("Choose two runs on different releases to see how much of their difference comes from changed labels.")
        return None
    old, new = sorted((first, second), key=lambda line: line.tally.at)
    names = [metric.name for metric in board.metrics if metric.is_quality]
    left, right, _ = st.columns([3, 3, 2])
    metric = choose(left, "Score", "metric", names, f"{key}_metric", default=next(iter(board.default_metrics()), ""))
    order = choose(right, "Order", "order", ORDERS, f"{key}_order")
    st.text(f"{old.name} on {old.run.release}, then {new.name} on {new.run.release}")
    pressed, ids = None, (old.run.id, new.run.id)
    with show_errors():
        comparison = until_ready(lambda: open_workbench().reports.compare_labels(*ids, metric), "Scoring stored answers again")
        pressed = _draw_tables(comparison, (old.run.release, new.run.release), order, key) if comparison else None
    return {"run": list(ids), **pressed} if pressed else None


def _draw_tables(comparison: LabelComparison, releases: tuple[str, str], order: str, key: str) -> Any:
    """Show the parts of the difference, and the questions; return a dict with the "item" of the question that was clicked, or
    None."""
    old, new = comparison.only
    paper_table.show(
        [{"label": "What moved", "align": "left"}, {"label": "mean"}, {"label": "95 % interval"}, {"label": "n"}],
        [
            _build_part("All together", comparison.all),
            _build_part("Because of labels: the same answers, scored with the other release's gold answers", comparison.labels),
            _build_part("Because of systems: the same gold answers, with the other run's answers", comparison.systems),
        ],
        f"{key}_sum",
        caption=f"{comparison.metric}, {releases[1]} minus {releases[0]}",
        notes=[
            f"Computed on the questions that both releases have; {old} are only in {releases[0]}, {new} only in "
            f"{releases[1]}. Stored answers are scored again; no system is asked."
        ],
    )
    questions = sort_questions(comparison.questions, order)
    columns: list[dict[str, Any]] = [
        {"label": "Question", "align": "left", "width": "24rem"},
        {"label": "First run's answer", "align": "left", "width": "16rem"},
        {"label": "Gold", "align": "left", "width": "16rem"},
        {"label": "before", "width": "5rem"},
        {
            "label": "relabelled",
            "width": "6rem",
            "help": "Score of the first run's answer against the second release's gold answer.",
        },
        {
            "label": "after",
            "width": "5rem",
            "help": ("Score of the second run's answer against the second release's gold answer."),
        },
    ]
    rows = [{"cells": _build_cells(question)} for question in questions[:MAX_QUESTIONS]]
    is_cut = len(questions) > MAX_QUESTIONS
    notes = [f"The first {MAX_QUESTIONS} of {len(questions)} questions."] if is_cut else []
    return paper_table.show(columns, rows, f"{key}_items", shape="fixed", notes=notes)


def sort_questions(questions: Sequence[RelabelledQuestion], order: str) -> list[RelabelledQuestion]:
    """Return the questions that have all three scores, sorted by the change of score that `order` names, a key of ORDERS."""

    def rank(question: RelabelledQuestion) -> float:
        a, b, c = question.before or 0.0, question.relabelled or 0.0, question.after or 0.0
        return {"labels": -abs(b - a), "systems": -abs(c - b), "gain": a - c, "loss": c - a}[order]

    return sorted(
        (question for question in questions if None not in (question.before, question.relabelled, question.after)), key=rank
    )


def _build_part(name: str, part: Interval) -> dict[str, Any]:
    return {
        "cells": [
            {"text": name},
            {"text": format_difference(part.mean), "help": part.why},
            {"text": interval(part.low, part.high, format_difference) or DASH, "help": part.why},
            {"text": str(part.n)},
        ]
    }


def _build_cells(question: RelabelledQuestion) -> list[dict[str, Any]]:
    old, new = (" / ".join(golds) for golds in question.golds)
    return [
        {"text": question.question, "clamp": True, "go": {"item": question.item}, "href": f"?item={question.item}"},
        {"text": DASH if question.answer is None else question.answer, "clamp": True},
        {"text": new, "clamp": True, "sub": f"was: {old[:60]}" if old != new else ""},
        {"text": mean(question.before)},
        {"text": mean(question.relabelled), "mark": "best" if question.is_relabelled else ""},
        {"text": mean(question.after)},
    ]
