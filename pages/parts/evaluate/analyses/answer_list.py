"""A paged list of one system's answers that have one response type."""

from collections.abc import Sequence
from typing import Any

from pages.parts.evaluate.links import question_of, trace_address
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import mean
from pages.parts.ui.in_url import show_pages
from workbench.evaluate.results.analyses import PAGE_SIZE, TypedAnswer

COLUMNS: list[dict[str, Any]] = [
    {"label": "Question", "align": "left", "width": "36%"},
    {"label": "Level", "align": "left", "width": "12%"},
    {"label": "Gold answer", "align": "left", "width": "19%"},
    {"label": "Answer", "align": "left", "width": "19%"},
    {"label": "Reward", "width": "7%"},
    {"label": "Ends with", "align": "left", "width": "9%"},
]


def show(answers: Sequence[TypedAnswer], total: int, run: str, key: str) -> Any:
    """Show the list of answers, and return a dict with the "item" and "variant" of the answer that was clicked, or None."""
    rows = [{"cells": _build_cells(answer, run)} for answer in answers]
    notes = ["Click a question to see what the system read."]
    pressed = paper_table.show(COLUMNS, rows, key, shape="fixed", notes=notes)
    show_pages(total, PAGE_SIZE, f"{key}_page")
    return pressed


def _build_cells(answer: TypedAnswer, run: str) -> list[dict[str, Any]]:
    question = answer.asked
    text = "failed" if question.answer is None else question.answer if question.answer.strip() else "(empty answer)"
    more = f" (and {len(question.golds) - 1} more)" if len(question.golds) > 1 else ""
    gold = f"{question.golds[0]}{more}" if question.golds else "none"
    go, address = question_of(question.item, question.variant), trace_address([run], question.item, question.variant)
    return [
        {"text": question.question, "clamp": True, "go": go, "href": address},
        {"text": answer.cell.label},
        {"text": gold[:400], "clamp": True},
        {"text": text, "clamp": True, "muted": text != question.answer},
        {"text": mean(answer.reward)},
        {"text": question.stop.replace("_", " ")},
    ]
