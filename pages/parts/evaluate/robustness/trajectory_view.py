"""The searches of two wordings side by side, hop by hop: each query, whether it brought a gold document, how alike the queries
are and how many documents both found."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, mean
from workbench.evaluate.results.robustness import HopSide, TrajectoryPair

SHOWN = 5
"""Documents that are named under a query."""


def show(found: TrajectoryPair, titles: Mapping[str, str], names: tuple[str, str], key: str) -> None:
    """Draw it, or say that neither searched."""
    if not found.hops:
        st.caption("Neither wording searched.")
        return
    columns: list[dict[str, Any]] = [
        {"label": "Hop", "align": "left", "width": "6%"},
        {"label": names[0], "align": "left", "width": "35%"},
        {"label": "gold", "align": "left", "width": "6%"},
        {"label": "Similarity", "help": "Cosine of the two queries.", "width": "6%"},
        {"label": "Overlap", "help": "Documents that both found, of all that either found.", "width": "6%"},
        {"label": names[1], "align": "left", "width": "35%"},
        {"label": "gold", "align": "left", "width": "6%"},
    ]
    rows = []
    for number, hop in enumerate(found.hops, 1):
        left, right = _side(hop.original, titles), _side(hop.rewrite, titles)
        alike = [{"text": mean(hop.similarity)}, {"text": mean(hop.overlap)}]
        rows.append({"cells": [{"text": str(number)}, *left, *alike, *right]})
    failures = [mean(one) if one is not None else "n/a" for one in found.failure]
    mss = "n/a" if found.mss is None else mean(found.mss)
    collapsed = "n/a" if found.collapse is None else mean(found.collapse)
    paper_table.show(
        columns,
        rows,
        key,
        shape="fixed",
        notes=[
            f"MSS {mss}; hops without a gold document (RFR): {failures[0]} and {failures[1]}; trajectory collapse {collapsed}.",
            "A gold document is one that holds evidence of the item.",
        ],
    )


def _side(side: HopSide | None, titles: Mapping[str, str]) -> list[dict[str, Any]]:
    if side is None:
        return [{"text": "no such hop", "muted": True}, {"text": DASH, "muted": True}]
    named = [titles.get(document, document) for document in side.documents[:SHOWN]]
    more = len(side.documents) - SHOWN
    found = "\n".join([*(_cut(name) for name in named), *([f"and {more} more"] if more > 0 else [])]) or "nothing found"
    gold = "not known" if side.hits_gold is None else "hit" if side.hits_gold else "miss"
    return [{"text": side.query or "(empty)", "sub": found}, {"text": gold, "mark": "best" if gold == "miss" else ""}]


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
