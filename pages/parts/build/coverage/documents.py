"""The map itself: a line a document, fifty at a time, the thinnest first; a document's title opens it."""

import streamlit as st

from pages.parts.build.coverage.cells import counted, heads, legend, most_of, share
from pages.parts.evaluate.results import paper_table
from pages.parts.ui import listing
from pages.parts.ui.in_url import held, put, word
from workbench import opened
from workbench.build.corpus.coverage import ORDERS, Map

WORDS = {"thin": "Thinnest first", "full": "Fullest first", "unused": "Most unused text first", "title": "By title"}
ALL = "all"


def show(found: Map) -> None:
    """Draw it; a press on a title puts the document into the address."""
    domains = [ALL, *(line.domain for line in found.totals if line.domain)]
    domain, order = word("domain", ALL, domains), word("order", ORDERS[0], ORDERS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Domain", domains, key="coverage_domain", width=200, on_change=held("coverage_domain", "domain", domain, "document")
        )
        st.selectbox(
            "Order",
            ORDERS,
            key="coverage_order",
            format_func=WORDS.__getitem__,
            width=240,
            on_change=held("coverage_order", "order", order),
        )
    total = next(line.documents for line in found.totals if line.domain == ("" if domain == ALL else domain))
    key = f"coverage_page_{domain}_{order}"
    start = (min(st.session_state.get(key, 1), max(1, -(-total // listing.PAGE))) - 1) * listing.PAGE
    rows = opened().coverage.page(found, order, None if domain == ALL else domain, start, listing.PAGE)
    most = most_of([row.counts for row in rows])
    widths = {
        "Document": "15rem",
        "Domain": "5.5rem",
        "Tokens": "4.4rem",
        "Items": "3.6rem",
        "For 1,000 tokens": "4.8rem",
        "Unused text": "4.4rem",
    }
    columns = [
        {"label": label, "width": width, "align": "left" if label in ("Document", "Domain") else ""}
        for label, width in widths.items()
    ]
    columns += [head | {"width": "6rem"} for head in heads(found.columns)]
    lines = [
        {
            "cells": [
                {"text": row.place.title or row.place.id, "clamp": True, "go": {"document": row.place.id}},
                {"text": row.place.domain},
                {"text": f"{row.place.tokens:,}"},
                {"text": f"{row.items:,}"},
                {"text": f"{row.density():.2f}"},
                {"text": share(1 - row.place.used / max(1, row.place.characters))},
                *counted(row.counts, found.columns, most),
            ]
        }
        for row in rows
    ]
    pressed = paper_table.show(columns, lines, "coverage_documents", legend=legend(most), shape="fixed")
    listing.page_of(total, key)
    if pressed and pressed["document"] != word("document"):
        put(document=pressed["document"])
        st.rerun()
