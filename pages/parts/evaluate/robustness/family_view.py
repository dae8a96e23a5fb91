"""One item in all its wordings: question, answer, whether it is right, its similarity to the original, its cost."""

from collections.abc import Sequence
from typing import Any

from pages.parts.evaluate.links import question_of, trace_address
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, mean
from workbench.evaluate.results.robustness import Wording

MAX_CHARACTERS = 600
"""Of an answer."""
COLUMNS: list[dict[str, Any]] = [
    {"label": "Kind", "align": "left", "width": "9%"},
    {"label": "Question", "align": "left", "width": "25%"},
    {"label": "Answer", "align": "left", "width": "23%"},
    {"label": "", "align": "left", "width": "7%"},
    {"label": "Answer's similarity", "help": "Cosine to the original's answer.", "width": "9%"},
    {"label": "Question's similarity", "help": "Cosine to the original question.", "width": "9%"},
    {"label": "Searches", "width": "7%"},
    {"label": "Calls", "width": "5%"},
    {"label": "Tokens out", "width": "6%"},
]


def show(wordings: Sequence[Wording], key: str) -> Any:
    """Draw the table; returns {"item", "variant"} of the pressed answer, or None."""
    rows = [{"cells": _cells(wording)} for wording in wordings]
    return paper_table.show(COLUMNS, rows, key, shape="fixed", notes=["Press an answer for its trace."])


def _cells(one: Wording) -> list[dict[str, Any]]:
    record = one.record
    is_failed = record.answer is None
    right = "failed" if is_failed else "not known" if record.correct is None else "right" if record.correct else "wrong"
    text = "no answer" if record.answer is None else record.answer if record.answer.strip() else "(empty)"
    if len(text) > MAX_CHARACTERS:
        text = f"{text[:MAX_CHARACTERS]} … ({len(text):,} characters)"
    go, address = question_of(record.item, record.variant), trace_address([record.run], record.item, record.variant)
    counts = (record.searches, record.calls, record.tokens_out)
    return [
        {"text": record.kind},
        {"text": record.query},
        {"text": text, "go": go, "href": address, "muted": is_failed},
        {"text": right, "mark": "best" if right == "wrong" else "", "muted": is_failed},
        {"text": mean(one.similarity)},
        {"text": mean(one.question_similarity)},
        *({"text": DASH if count is None or is_failed else f"{count:,}"} for count in counts),
    ]
