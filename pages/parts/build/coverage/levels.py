"""The level audit as a table: a declared level a row, a measured one a column; a cell that differs leads to its items."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.quality.level_audit import LEVELS, Crossed
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.say import plain
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.build.corpus.coverage import Mean

NAMES = {
    "evidence": "Pieces of evidence",
    "sentences": "Sentences",
    "sections": "Sections",
    "documents": "Documents",
    "distance": "Distance",
    "rank": "Rank of the fact",
    "rank_shift": "Rank shift",
}
HELP = {
    "distance": "Characters between the first and the last piece of evidence within one document",
    "rank": "Place of the sentence with the answer for the question, by BM25 among those around it",
    "rank_shift": "How much lower the question ranks the fact than the question it was made from did",
}


def show() -> None:
    """Draw it."""
    found = until_ready(opened().coverage.levels, "Counting measured levels", height=160)
    if found is None:
        return
    if not found.table.items:
        st.caption("No item with a level from 1 to 4 is drafted or accepted.")
        return
    st.text(sentence(found.table))
    pressed = table(found.table, "coverage_levels")
    if pressed:
        st.switch_page("pages/annotate/find.py", query_params={"flag": "level", "level": str(pressed["level"])})
    if found.means:
        _means(found.means)


def sentence(found: Crossed) -> str:
    """How far measured and declared agree."""
    share = f" ({found.agreements / found.measured:.0%})" if found.measured else ""
    lower = f" {found.lowered:,} count one level lower, because the necessity gate found evidence that is not needed."
    return (
        f"{found.agreements:,} of {found.measured:,} items with a measured level measure as declared{share}; of "
        f"{found.items - found.measured:,} it is undefined.{lower if found.lowered else ''}"
    )


def table(found: Crossed, key: str, *, leads: bool = True) -> Any:
    """Declared by measured; returns the declared level whose differing cell was pressed."""
    most = max(found.cells.values(), default=1)
    rows = []
    for declared in LEVELS:
        cells = [_cell(declared, level, found.cells.get((declared, level), 0), most, leads) for level in (*LEVELS, None)]
        rows.append({"cells": [{"text": f"Level {declared}"}, *cells]})
    labels = [*(f"measures as {level}" for level in LEVELS), "undefined"]
    heads = [{"label": "Declared", "align": "left"}, *({"label": label, "align": "center"} for label in labels)]
    why = [f"Undefined: {reason} ({n:,})." for reason, n in found.why.items()]
    return paper_table.show(
        heads,
        rows,
        key,
        shape="narrow",
        notes=[
            "A factoid's answer stands within one sentence of its evidence: level 1 where its question leads to that sentence "
            "(among the first three by BM25; made from another item: no lower than that one's question), else level 2. A "
            "rationale's stands in none of three or more: level 4 with evidence in four or more sections, else level 3.",
            *why[:6],
        ],
    )


def _cell(declared: int, level: int | None, n: int, most: int, leads: bool) -> dict[str, Any]:
    if not n:
        return {"text": "", "heat": None}
    told: dict[str, Any] = {"text": f"{n:,}", "heat": n / most}
    if level == declared:
        return told | {"mark": "best"}
    differs = leads and level is not None
    return told | ({"go": {"level": declared}, "help": "Find the items that the gate level flags"} if differs else {})


def _means(means: Sequence[Mean]) -> None:
    by: Mapping[tuple[int, str], Mean] = {(one.declared, one.measure): one for one in means}
    rows = [
        {"cells": [{"text": f"Level {level}"}, *(_mean(by[level, name]) for name in NAMES)]}
        for level in LEVELS
        if (level, "evidence") in by
    ]
    columns = [{"label": label, "help": HELP.get(name, "")} for name, label in NAMES.items()]
    paper_table.show([{"label": "Means", "align": "left"}, *columns], rows, "coverage_level_means")


def _mean(one: Mean) -> dict[str, Any]:
    if one.mean is None:
        return {"text": "–", "sub": "n 0", "muted": True}
    return {"text": f"{one.mean:,.1f}", "sub": plain(f"n {one.n:,}")}
