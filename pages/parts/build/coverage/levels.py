"""A table that compares the declared level of items with the measured level: one row per declared level, one column per
measured level. A cell whose two levels differ links to its items."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.quality.level_audit import LEVELS, LevelTable
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.grid import columns
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.build.corpus.coverage import MeasureMean

MEASURES = {
    "evidence": ("Pieces of evidence", ""),
    "sentences": ("Sentences", ""),
    "sections": ("Sections", ""),
    "documents": ("Documents", ""),
    "distance": ("Distance", "Characters between the first and the last piece of evidence within one document"),
    "rank": (
        "Rank of the fact",
        "Rank by BM25, for the question, of the sentence with the answer among the sentences around it",
    ),
    "rank_shift": (
        "Rank shift",
        "How many ranks lower the fact is for this question than for the question from which this one was made",
    ),
}
"""Dict from the name of a measure to its (label, help text)."""
RULE = (
    "A factoid has its answer in one sentence of its evidence. It has level 1 if BM25, searching with the question, ranks "
    "that sentence among the first three (for an item made from another item: not lower than with that item's question), "
    "else level 2. A rationale has three or more sentences of evidence, and no single one contains the answer: level 4 if "
    "the evidence is in four or more sections, else level 3."
)


def show() -> None:
    """Show the comparison of declared and measured levels for all items."""
    audit = until_ready(open_workbench().coverage.levels, "Counting measured levels", height=160)
    if audit is None:
        return
    if not audit.table.items:
        st.caption("No item with a level from 1 to 4 is drafted or accepted.")
        return
    st.text(describe_agreement(audit.table))
    if pressed := show_table(audit.table, "coverage_levels"):
        st.switch_page("pages/annotate/find.py", query_params={"flag": "level", "level": str(pressed["level"])})
    if audit.means:
        _draw_means(audit.means)


def describe_agreement(crossed: LevelTable) -> str:
    """Describe in sentences how many items have a measured level equal to the declared one."""
    share = f" ({crossed.agreements / crossed.measured:.0%})" if crossed.measured else ""
    lower = f" {crossed.lowered:,} items count one level lower, because the gate `necessity` found evidence that is not needed."
    return (
        f"{crossed.agreements:,} of {crossed.measured:,} items with a measured level have the declared one{share}; the level "
        f"of {crossed.items - crossed.measured:,} is undefined.{lower if crossed.lowered else ''}"
    )


def show_table(crossed: LevelTable, key: str, *, has_links: bool = True) -> Any:
    """Show a table with declared levels as rows and measured levels as columns; return {"level": declared level} for the cell
    that was clicked, or None if no cell was clicked. Only cells whose two levels differ can be clicked."""
    most = max(crossed.cells.values(), default=1)
    rows = []
    for declared in LEVELS:
        counts = [(level, crossed.cells.get((declared, level), 0)) for level in (*LEVELS, None)]
        cells = [_cell(declared, level, n, most, has_links) for level, n in counts]
        rows.append({"cells": [{"text": f"Level {declared}"}, *cells]})
    measured = columns(*(f"measures as {level}" for level in LEVELS), "undefined", align="center")
    why = [f"Undefined: {reason} ({n:,})." for reason, n in crossed.why.items()]
    heads = [*columns("Declared", align="left"), *measured]
    return paper_table.show(heads, rows, key, shape="narrow", notes=[RULE, *why[:6]])


def _cell(declared: int, level: int | None, n: int, most: int, has_links: bool) -> dict[str, Any]:
    if not n:
        return {"text": "", "heat": None}
    cell: dict[str, Any] = {"text": f"{n:,}", "heat": n / most}
    if level == declared:
        return cell | {"mark": "best"}
    link = {"go": {"level": declared}, "help": "Find the items that the gate `level` flags"}
    return cell | (link if has_links and level is not None else {})


def _draw_means(means: Sequence[MeasureMean]) -> None:
    by_measure = {(mean.declared, mean.measure): mean for mean in means}
    rows = [
        {"cells": [{"text": f"Level {level}"}, *(_mean_cell(by_measure[level, name]) for name in MEASURES)]}
        for level in LEVELS
        if (level, "evidence") in by_measure
    ]
    heads = [{"label": label, "help": help} for label, help in MEASURES.values()]
    paper_table.show([*columns("Means", align="left"), *heads], rows, "coverage_level_means")


def _mean_cell(mean: MeasureMean) -> dict[str, Any]:
    if mean.mean is None:
        return {"text": "–", "sub": "n 0", "muted": True}
    return {"text": f"{mean.mean:,.1f}", "sub": f"n {mean.n:,}"}
