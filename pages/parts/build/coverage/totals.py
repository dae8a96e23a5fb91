"""The top of the map: a line a domain, and all together."""

from pages.parts.build.coverage.cells import counted, heads, legend, most_of, share
from pages.parts.evaluate.results import paper_table
from workbench.build.corpus.coverage import Map, Total


def show(found: Map) -> None:
    """Draw it."""
    lines = found.totals if len(found.totals) > 2 else found.totals[-1:]
    most = most_of([line.counts for line in found.totals[:-1]])
    columns = [
        {"label": "Domain", "align": "left"},
        {"label": "Documents"},
        {"label": "With items"},
        {"label": "Unused text"},
        {"label": "Gini", "help": "How unevenly items are spread over documents"},
        *heads(found.columns),
    ]
    rows = [
        {
            "cells": [
                {"text": line.domain or "all", "mark": "" if line.domain else "best"},
                {"text": f"{line.documents:,}"},
                {"text": f"{line.with_items:,}"},
                {"text": share(line.unused)},
                {"text": gini(line)},
                *counted(line.counts, found.columns, most if line.domain else None),
            ]
        }
        for line in lines
    ]
    paper_table.show(
        columns,
        rows,
        "coverage_totals",
        legend=legend(most),
        notes=[
            "Unused text: characters that stand in no item's evidence. An item counts on each document that it "
            "has evidence in, "
            "one without evidence on the first that it was given; refused and discarded ones count nowhere.",
            "Gini of items per document, over all documents of a line, two at least: 0 = each has the same, near "
            "1 = one has all.",
        ],
    )


def gini(line: Total) -> str:
    """The balance; a dash without items."""
    return "–" if line.balance is None else f"{line.balance:.2f}"
