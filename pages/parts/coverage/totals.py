"""The top of the map: a line a domain, and all together."""

from pages.parts import paper_table
from pages.parts.coverage.cells import counted, heads, legend, most_of, share
from workbench.construct.coverage import Map, Total


def show(found: Map) -> None:
    """Draw it."""
    lines = found.totals if len(found.totals) > 2 else found.totals[-1:]
    most = most_of([line.counts for line in found.totals[:-1]])
    columns = [
        {"label": "Domain", "align": "left"}, {"label": "Documents"}, {"label": "With items"}, {"label": "Unused text"},
        {"label": "Gini", "help": "How unevenly items are spread over documents"}, *heads(found.columns),
    ]  # fmt: skip
    rows = [
        {"cells": [
            {"text": line.domain or "all", "mark": "" if line.domain else "best"}, {"text": f"{line.documents:,}"},
            {"text": f"{line.with_items:,}"}, {"text": share(line.unused)}, {"text": gini(line)},
            *counted(line.counts, found.columns, most if line.domain else None),
        ]} for line in lines
    ]  # fmt: skip
    paper_table.show(columns, rows, "coverage_totals", legend=legend(most), notes=[
        "Unused text: characters that stand in no item's evidence. An item counts on each document that it has evidence in, "
        "one without evidence on the first that it was given; refused and discarded ones count nowhere.",
        "Gini of items per document, over all documents of a line, two at least: 0 = each has the same, near 1 = one has all.",
    ])  # fmt: skip


def gini(line: Total) -> str:
    """The balance; a dash without items."""
    return "–" if line.balance is None else f"{line.balance:.2f}"
