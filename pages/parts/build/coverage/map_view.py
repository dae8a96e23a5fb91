"""The coverage map: its totals, one document with its sections, the list of all documents, and a form that drafts items where
there are few."""

import streamlit as st

from pages.parts.build.coverage import section_list, thin_places
from pages.parts.build.coverage.cells import count_cells, count_columns, find_highest, legend, share
from pages.parts.evaluate.results import paper_table
from pages.parts.ui import listing
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.grid import cells, columns
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import choose, read_word, write_address
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.build.corpus.coverage import CoverageMap

ORDER_NAMES = {"thin": "Thinnest first", "full": "Fullest first", "unused": "Most unused text first", "title": "By title"}
ALL = "all"
WIDTHS = {"Tokens": "4.4rem", "Items": "3.6rem", "For 1,000 tokens": "4.8rem", "Unused text": "4.4rem"}


def show() -> None:
    """Show the coverage map, or a note if the corpus has no documents."""
    coverage = until_ready(open_workbench().coverage.map, "Counting the items on each document")
    if coverage is None:
        return
    if not coverage.rows:
        show_empty(
            "No documents yet", "The map has one line per document: add documents first.", "pages/build/corpus.py", "Corpus"
        )
        return
    _draw_totals(coverage)
    if document := read_word("document"):
        with show_errors():
            section_list.show(coverage, open_workbench().coverage.open_document(coverage, document))
    _draw_documents(coverage)
    thin_places.show(coverage, read_word("domain", ALL, [line.domain for line in coverage.totals if line.domain]))


def _draw_totals(coverage: CoverageMap) -> None:
    """Show a table of item counts with one line per domain, and a line for all domains together."""
    lines = coverage.totals if len(coverage.totals) > 2 else coverage.totals[-1:]
    most = find_highest([line.counts for line in coverage.totals[:-1]])
    rows = [
        {
            "cells": [
                {"text": line.domain or "all", "mark": "" if line.domain else "best"},
                *cells(f"{line.documents:,}", f"{line.with_items:,}", share(line.unused)),
                {"text": "–" if line.balance is None else f"{line.balance:.2f}"},
                *count_cells(line.counts, coverage.columns, most if line.domain else None),
            ]
        }
        for line in lines
    ]
    gini = {"label": "Gini", "help": "How unevenly items are spread over documents"}
    heads = [*columns("Domain", align="left"), *columns("Documents", "With items", "Unused text"), gini]
    paper_table.show(
        [*heads, *count_columns(coverage.columns)],
        rows,
        "coverage_totals",
        legend=legend(most),
        notes=[
            (
                "Unused text: characters that are in no item's evidence. An item counts for each document with its "
                "evidence; an item without evidence counts for its first document. Refused and discarded items do not count."
            ),
            "Gini of items per document, over all documents of a line (at least two): 0 = each document has the same "
            "number, near 1 = one document has all items.",
        ],
    )


def _draw_documents(coverage: CoverageMap) -> None:
    """Show one line per document, fifty per page; a click on a title opens the document on the map."""
    domains = [ALL, *(line.domain for line in coverage.totals if line.domain)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        domain = choose(st, "Domain", "domain", domains, "coverage_domain", forgets=("document",), width=200)
        order = choose(st, "Order", "order", ORDER_NAMES, "coverage_order", width=240)
    total = next(line.documents for line in coverage.totals if line.domain == ("" if domain == ALL else domain))
    key = f"coverage_page_{domain}_{order}"
    start = (min(st.session_state.get(key, 1), max(1, -(-total // listing.PAGE_ROWS))) - 1) * listing.PAGE_ROWS
    rows = open_workbench().coverage.page(coverage, order, None if domain == ALL else domain, start, listing.PAGE_ROWS)
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
    listing.find_page_start(total, key)
    if pressed and pressed["document"] != read_word("document"):
        write_address(document=pressed["document"])
        st.rerun()
