"""Items by how much their answers depend on the wording, those that break most first, fifty at a time."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, mean
from pages.parts.ui.in_url import number, show_pages
from workbench.evaluate.results.robustness import Family

PAGE = 50
"""Items on one page."""
BROKEN = "Rewrites whose answer is wrong where the original's is right, of those answered."
COLUMNS: list[dict[str, Any]] = [
    {"label": "Question", "align": "left", "width": "46%"},
    {"label": "Original", "align": "left", "width": "11%"},
    {"label": "Broken", "help": BROKEN, "width": "9%"},
    {"label": "Mended", "help": "Rewrites whose answer is right where the original's is wrong.", "width": "9%"},
    {"label": "Failed", "width": "7%"},
    {"label": "Diversity", "help": "1 less the mean cosine of all pairs of its answers.", "width": "9%"},
    {"label": "Searches", "help": "Fewest and most of any of its wordings.", "width": "9%"},
]


def show(families: Sequence[Family], key: str) -> Any:
    """Draw the list; returns {"item"} of the pressed family, or None."""
    page = min(number("page"), max(1, -(-len(families) // PAGE)))
    broken = sum(family.broken > 0 for family in families)
    st.caption(f"{len(families):,} items with rewrites; in {broken:,} a rewrite breaks a right answer.")
    rows = [{"cells": _cells(family)} for family in families[(page - 1) * PAGE : page * PAGE]]
    pressed = paper_table.show(COLUMNS, rows, f"{key}_table", shape="fixed")
    show_pages(len(families), PAGE, f"{key}_page")
    return pressed


def _cells(one: Family) -> list[dict[str, Any]]:
    right = "not known" if one.is_right is None else "right" if one.is_right else "wrong"
    searches = DASH if one.fewest is None else str(one.fewest) if one.fewest == one.most else f"{one.fewest} to {one.most}"
    return [
        {"text": one.query or one.item, "clamp": True, "go": {"item": one.item}, "href": f"?view=families&item={one.item}"},
        {"text": right},
        {"text": f"{one.broken} / {one.rewrites}", "mark": "best" if one.broken else ""},
        {"text": f"{one.mended} / {one.rewrites}"},
        {"text": str(one.failed or DASH)},
        {"text": mean(one.spread)},
        {"text": searches},
    ]
