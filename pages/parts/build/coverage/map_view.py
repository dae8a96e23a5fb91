"""The map, from its totals down to one document, and drafting where items are few."""

from pages.parts.build.coverage import documents, section_list, thin_places
from pages.parts.build.coverage.cells import count_cells, count_columns, find_highest, legend, share
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.grid import cells, columns
from pages.parts.ui.heading import empty
from pages.parts.ui.in_url import word
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.build.corpus.coverage import CoverageMap


def show() -> None:
    """Draw the map."""
    coverage = until_ready(open_workbench().coverage.map, "Counting the items on each document")
    if coverage is None:
        return
    if not coverage.rows:
        empty("No documents yet", "The map has one line per document: add some.", "pages/build/corpus.py", "Corpus")
        return
    _draw_totals(coverage)
    if document := word("document"):
        with show_errors():
            section_list.show(coverage, open_workbench().coverage.open_document(coverage, document))
    documents.show(coverage)
    thin_places.show(coverage, word("domain", documents.ALL, [line.domain for line in coverage.totals if line.domain]))


def _draw_totals(coverage: CoverageMap) -> None:
    """One line per domain, and all together."""
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
            "Unused text: characters that stand in no item's evidence. An item counts on each document that it has evidence "
            "in; one without evidence on the first document that it was given. Refused and discarded items do not count.",
            "Gini of items per document, over all documents of a line (at least two): 0 = each has the same number, near 1 = "
            "one has all.",
        ],
    )
