"""One item in all its wordings: what was asked, what came back, whether it is right, how alike it is, what it cost."""

from collections.abc import Sequence
from typing import Any

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, mean
from workbench.evaluate.results.robustness import Wording


def show(wordings: Sequence[Wording], key: str) -> Any:
    """Draw it. Gives {"item", "variant"} of the answer that was pressed, or None."""
    columns: list[dict[str, Any]] = [
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
    return paper_table.show(
        columns,
        [{"cells": _cells(one)} for one in wordings],
        key,
        shape="fixed",
        notes=[
            "Press an answer for its trace.",
        ],
    )


def _cells(one: Wording) -> list[dict[str, Any]]:
    record = one.record
    go = {"item": record.item, **({"variant": record.variant} if record.variant else {})}
    href = f"traces?run={record.run}&item={record.item}" + (f"&variant={record.variant}" if record.variant else "")
    is_failed = record.answer is None
    right = "failed" if is_failed else "not known" if record.correct is None else "right" if record.correct else "wrong"
    said = "no answer" if record.answer is None else record.answer if record.answer.strip() else "(empty)"
    counts = (record.searches, record.calls, record.tokens_out)
    return [
        {"text": record.kind},
        {"text": record.query},
        {"text": _cut(said), "go": go, "href": href, "muted": is_failed},
        {"text": right, "mark": "best" if right == "wrong" else "", "muted": is_failed},
        {"text": mean(one.similarity)},
        {"text": mean(one.question_similarity)},
        *({"text": DASH if count is None or is_failed else f"{count:,}"} for count in counts),
    ]


def _cut(text: str, most: int = 600) -> str:
    return text if len(text) <= most else f"{text[:most]} … ({len(text):,} characters)"
