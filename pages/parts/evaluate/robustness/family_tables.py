"""Two tables: the items whose answers depend most on the wording of the question, and all wordings of one item."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.links import question_of, trace_address
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, mean
from pages.parts.ui import grid
from pages.parts.ui.in_url import read_number, show_pages
from workbench.evaluate.results.robustness import Family, Wording

PAGE_SIZE = 50
"""Number of items on one page."""
BROKEN = "Share of the answered rewrites whose answer is wrong although the original's answer is right."
FAMILY_COLUMNS: list[dict[str, Any]] = [
    {"label": "Question", "align": "left", "width": "46%"},
    {"label": "Original", "align": "left", "width": "11%"},
    {"label": "Broken", "help": BROKEN, "width": "9%"},
    {"label": "Mended", "help": "Rewrites whose answer is right although the original's answer is wrong.", "width": "9%"},
    {"label": "Failed", "width": "7%"},
    {"label": "Diversity", "help": "1 minus the mean cosine similarity of all pairs of the item's answers.", "width": "9%"},
    {"label": "Searches", "help": "Smallest and largest number over the wordings of the question.", "width": "9%"},
]
MAX_CHARACTERS = 600
"""Maximum length in characters of a displayed answer."""
WORDING_COLUMNS: list[dict[str, Any]] = [
    {"label": "Kind", "align": "left", "width": "9%"},
    {"label": "Question", "align": "left", "width": "25%"},
    {"label": "Answer", "align": "left", "width": "23%"},
    {"label": "", "align": "left", "width": "7%"},
    {"label": "Answer's similarity", "help": "Cosine similarity to the answer to the original question.", "width": "9%"},
    {"label": "Question's similarity", "help": "Cosine similarity to the original question.", "width": "9%"},
    {"label": "Searches", "width": "7%"},
    {"label": "Calls", "width": "5%"},
    {"label": "Tokens out", "width": "6%"},
]


def show_families(families: Sequence[Family], key: str) -> Any:
    """Show the list of items that have rewrites, and return a dict with the "item" that was clicked, or None."""
    page = min(read_number("page"), max(1, -(-len(families) // PAGE_SIZE)))
    broken = sum(family.broken > 0 for family in families)
    st.caption(f"{len(families):,} items with rewrites; in {broken:,} of them a rewrite turns a right answer into a wrong one.")
    rows = [{"cells": _build_family_cells(family)} for family in families[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]]
    pressed = paper_table.show(FAMILY_COLUMNS, rows, f"{key}_table", shape="fixed")
    show_pages(len(families), PAGE_SIZE, f"{key}_page")
    return pressed


def _build_family_cells(family: Family) -> list[dict[str, Any]]:
    right = "not known" if family.is_right is None else "right" if family.is_right else "wrong"
    fewest, most, go = family.fewest, family.most, {"item": family.item}
    searches = DASH if fewest is None else str(fewest) if fewest == most else f"{fewest} to {most}"
    return [
        {"text": family.query or family.item, "clamp": True, "go": go, "href": f"?view=families&item={family.item}"},
        {"text": right},
        {"text": f"{family.broken} / {family.rewrites}", "mark": "best" if family.broken else ""},
        *grid.cells(f"{family.mended} / {family.rewrites}", family.failed or DASH, mean(family.spread), searches),
    ]


def show_wordings(wordings: Sequence[Wording], key: str) -> Any:
    """Show the answers to all wordings of one item's question, and return a dict with the "item" and "variant" of the answer
    that was clicked, or None."""
    rows = [{"cells": _build_wording_cells(wording)} for wording in wordings]
    return paper_table.show(WORDING_COLUMNS, rows, key, shape="fixed", notes=["Click an answer to see its trace."])


def _build_wording_cells(wording: Wording) -> list[dict[str, Any]]:
    record = wording.record
    is_failed = record.answer is None
    right = "failed" if is_failed else "not known" if record.correct is None else "right" if record.correct else "wrong"
    text = "no answer" if record.answer is None else record.answer if record.answer.strip() else "(empty)"
    if len(text) > MAX_CHARACTERS:
        text = f"{text[:MAX_CHARACTERS]} … ({len(text):,} characters)"
    go, address = question_of(record.item, record.variant), trace_address([record.run], record.item, record.variant)
    counts = (record.searches, record.calls, record.tokens_out)
    return [
        *grid.cells(record.kind, record.query),
        {"text": text, "go": go, "href": address, "muted": is_failed},
        {"text": right, "mark": "best" if right == "wrong" else "", "muted": is_failed},
        *grid.cells(mean(wording.similarity), mean(wording.question_similarity)),
        *grid.cells(*(DASH if count is None or is_failed else f"{count:,}" for count in counts)),
    ]
