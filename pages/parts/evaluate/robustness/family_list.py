"""Items by how much their answers depend on the wording, those that break most first, fifty at a time."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, mean
from pages.parts.ui.in_url import held, number
from workbench.evaluate.results.robustness import Family

PAGE = 50


def show(found: Sequence[Family], key: str) -> Any:
    """Draw it. Gives {"item"} of the family that was pressed, or None."""
    pages = max(1, -(-len(found) // PAGE))
    page = min(number("page"), pages)
    broken = sum(one.broken > 0 for one in found)
    st.caption(f"{len(found):,} items with rewrites; in {broken:,} a rewrite breaks a right answer.")
    columns: list[dict[str, Any]] = [
        {"label": "Question", "align": "left", "width": "46%"},
        {"label": "Original", "align": "left", "width": "11%"},
        {
            "label": "Broken",
            "help": "Rewrites whose answer is wrong where the original's is right, of those answered.",
            "width": "9%",
        },
        {"label": "Mended", "help": "Rewrites whose answer is right where the original's is wrong.", "width": "9%"},
        {"label": "Failed", "width": "7%"},
        {"label": "Diversity", "help": "1 less the mean cosine of all pairs of its answers.", "width": "9%"},
        {"label": "Searches", "help": "Fewest and most of any of its wordings.", "width": "9%"},
    ]
    rows = [{"cells": _cells(one)} for one in found[(page - 1) * PAGE : page * PAGE]]
    pressed = paper_table.show(columns, rows, f"{key}_table", shape="fixed")
    if pages > 1:
        st.pagination(pages, key=f"{key}_page", on_change=held(f"{key}_page", "page", page))
    return pressed


def _cells(one: Family) -> list[dict[str, Any]]:
    right = "not known" if one.is_right is None else "right" if one.is_right else "wrong"
    calls = DASH if one.fewest is None else str(one.fewest) if one.fewest == one.most else f"{one.fewest} to {one.most}"
    return [
        {"text": one.query or one.item, "clamp": True, "go": {"item": one.item}, "href": f"?view=families&item={one.item}"},
        {"text": right},
        {"text": f"{one.broken} / {one.rewrites}", "mark": "best" if one.broken else ""},
        {"text": f"{one.mended} / {one.rewrites}"},
        {"text": str(one.failed or DASH)},
        {"text": mean(one.spread)},
        {"text": calls},
    ]
