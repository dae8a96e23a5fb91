"""The map itself: one line per document, fifty at a time, the thinnest first; a document's title opens it."""

import streamlit as st

from pages.parts.build.coverage.cells import count_cells, count_columns, find_highest, legend, share
from pages.parts.evaluate.results import paper_table
from pages.parts.ui import listing
from pages.parts.ui.grid import cells
from pages.parts.ui.in_url import choose, put, word
from workbench import open_workbench
from workbench.build.corpus.coverage import CoverageMap

ORDER_NAMES = {"thin": "Thinnest first", "full": "Fullest first", "unused": "Most unused text first", "title": "By title"}
ALL = "all"
WIDTHS = {"Tokens": "4.4rem", "Items": "3.6rem", "For 1,000 tokens": "4.8rem", "Unused text": "4.4rem"}


def show(coverage: CoverageMap) -> None:
    """Draw the list; a press on a title puts the document into the address."""
    domains = [ALL, *(line.domain for line in coverage.totals if line.domain)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        domain = choose(st, "Domain", "domain", domains, "coverage_domain", forgets=("document",), width=200)
        order = choose(st, "Order", "order", ORDER_NAMES, "coverage_order", width=240)
    total = next(line.documents for line in coverage.totals if line.domain == ("" if domain == ALL else domain))
    key = f"coverage_page_{domain}_{order}"
    start = (min(st.session_state.get(key, 1), max(1, -(-total // listing.PAGE))) - 1) * listing.PAGE
    rows = open_workbench().coverage.page(coverage, order, None if domain == ALL else domain, start, listing.PAGE)
    most = find_highest([row.counts for row in rows])
    columns = [
        {"label": "Document", "width": "15rem", "align": "left"},
        {"label": "Domain", "width": "5.5rem", "align": "left"},
        *({"label": label, "width": width} for label, width in WIDTHS.items()),
        *(column | {"width": "6rem"} for column in count_columns(coverage.columns)),
    ]
    lines = [
        {
            "cells": [
                {"text": row.use.title or row.use.id, "clamp": True, "go": {"document": row.use.id}},
                *cells(row.use.domain, f"{row.use.tokens:,}", f"{row.items:,}", f"{row.density():.2f}", share(row.unused)),
                *count_cells(row.counts, coverage.columns, most),
            ]
        }
        for row in rows
    ]
    pressed = paper_table.show(columns, lines, "coverage_documents", legend=legend(most), shape="fixed")
    listing.page_of(total, key)
    if pressed and pressed["document"] != word("document"):
        put(document=pressed["document"])
        st.rerun()
