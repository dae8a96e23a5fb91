"""The searches for two wordings of a question side by side, hop by hop: each query, whether it found a gold document, how
similar the queries are, and how many documents both searches found."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, mean
from pages.parts.ui.say import shorten
from workbench.evaluate.results.robustness import HopSide, TrajectoryPair

MAX_DOCUMENTS = 5
"""Maximum number of documents listed below a query."""


def show(pair: TrajectoryPair, titles: Mapping[str, str], names: tuple[str, str], key: str) -> None:
    """Show the searches of both wordings; `titles` is a dict from document id to title, and `names` are the names of the
    wordings."""
    if not pair.hops:
        st.caption("Neither wording searched.")
        return
    columns: list[dict[str, Any]] = [
        {"label": "Hop", "align": "left", "width": "6%"},
        {"label": names[0], "align": "left", "width": "35%"},
        {"label": "gold", "align": "left", "width": "6%"},
        {"label": "Similarity", "help": "Cosine similarity of the two queries.", "width": "6%"},
        {"label": "Overlap", "help": "Share of the found documents that both queries found.", "width": "6%"},
        {"label": names[1], "align": "left", "width": "35%"},
        {"label": "gold", "align": "left", "width": "6%"},
    ]
    rows = []
    for number, hop in enumerate(pair.hops, 1):
        shared = [{"text": mean(hop.similarity)}, {"text": mean(hop.overlap)}]
        sides = [_build_side(hop.original, titles), _build_side(hop.rewrite, titles)]
        rows.append({"cells": [{"text": str(number)}, *sides[0], *shared, *sides[1]]})
    mss, collapse, first, second = (
        "n/a" if value is None else mean(value) for value in (pair.mss, pair.collapse, *pair.failure)
    )
    notes = [
        f"MSS {mss}; hops without a gold document (RFR): {first} and {second}; trajectory collapse {collapse}.",
        "A gold document is one that holds evidence of the item.",
    ]
    paper_table.show(columns, rows, key, shape="fixed", notes=notes)


def _build_side(side: HopSide | None, titles: Mapping[str, str]) -> list[dict[str, Any]]:
    if side is None:
        return [{"text": "no such hop", "muted": True}, {"text": DASH, "muted": True}]
    lines = [shorten(titles.get(document, document), 60) for document in side.documents[:MAX_DOCUMENTS]]
    if len(side.documents) > MAX_DOCUMENTS:
        lines.append(f"and {len(side.documents) - MAX_DOCUMENTS} more")
    gold = "not known" if side.hits_gold is None else "hit" if side.hits_gold else "miss"
    return [
        {"text": side.query or "(empty)", "sub": "\n".join(lines) or "nothing found"},
        {"text": gold, "mark": "best" if gold == "miss" else ""},
    ]
