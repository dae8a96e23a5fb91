"""The answers of one system that are of one response type, a page at a time."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import mean
from pages.parts.ui.in_url import held, number
from workbench.evaluate.results.analyses import PAGE, TypedAnswer


def show(found: Sequence[TypedAnswer], total: int, run: str, key: str) -> Any:
    """Draw it. Gives {"item", "variant"} of the answer that was pressed, or None."""
    columns: list[dict[str, Any]] = [
        {"label": "Question", "align": "left", "width": "36%"},
        {"label": "Level", "align": "left", "width": "12%"},
        {"label": "Gold answer", "align": "left", "width": "19%"},
        {"label": "Answer", "align": "left", "width": "19%"},
        {"label": "Reward", "width": "7%"},
        {"label": "Ends with", "align": "left", "width": "9%"},
    ]
    pressed = paper_table.show(
        columns,
        [{"cells": _cells(one, run)} for one in found],
        key,
        shape="fixed",
        notes=["Press a question for what the system saw."],
    )
    pages = -(-total // PAGE)
    if pages > 1:
        st.pagination(pages, key=f"{key}_page", on_change=held(f"{key}_page", "page", min(number("page"), pages)))
    return pressed


def _cells(one: TypedAnswer, run: str) -> list[dict[str, Any]]:
    asked = one.asked
    go = {"item": asked.item, **({"variant": asked.variant} if asked.variant else {})}
    href = f"traces?run={run}&item={asked.item}" + (f"&variant={asked.variant}" if asked.variant else "")
    said = "failed" if asked.answer is None else asked.answer if asked.answer.strip() else "(empty answer)"
    golds = asked.golds[0] + (f" (and {len(asked.golds) - 1} more)" if len(asked.golds) > 1 else "") if asked.golds else "none"
    return [
        {"text": asked.question, "clamp": True, "go": go, "href": href},
        {"text": one.cell.label},
        {"text": golds[:400], "clamp": True},
        {"text": said, "clamp": True, "muted": said != asked.answer},
        {"text": mean(one.reward)},
        {"text": asked.stop.replace("_", " ")},
    ]
