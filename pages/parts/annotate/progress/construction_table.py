"""Table 1 of the HawkBench paper, computed for this workspace by level, domain or task, with files to download."""

from functools import partial
from typing import Any

import streamlit as st

from core.quality.construction import NOTES, ConstructionRow, remarks
from pages.parts.annotate.progress.figures import (
    NO_VALUE,
    build_heads,
    count_cell,
    duration,
    share_cell,
    show_downloads,
    time_cell,
)
from pages.parts.annotate.progress.makers_table import show_no_drafts
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.grid import level_name
from pages.parts.ui.in_url import switch_view
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.desk.guidelines import name_task

ROWS = {"level": "By level", "domain": "By domain", "task": "By task", "level,domain": "By level and domain"}
COLUMNS = {
    "Drafts": "All items that an agent drafted.",
    "Refused": "Drafts that a gate refused and that nobody has accepted since then.",
    "To review": "Drafts that wait for a decision.",
    "Saved": "Accepted drafts, with or without an edit.",
    "Discarded": "",
    "Discard": "Share of discarded drafts among all saved and discarded drafts.",
    "Edit": "Share of the saved drafts whose question or answer was edited.",
    "Avg. time": "Mean active time of the timed decisions; undone and replaced decisions do not count.",
    "Active": "Total active time of the timed decisions; undone and replaced decisions do not count.",
    "Generation": "Service time of the calls that made the drafts; n = drafts whose calls are known.",
    "Total": "Active time plus generation time; a dash where one of them is unknown.",
    "Mean F1": "Mean token F1 of the RAG check's answers; n = saved items that are unchanged since the check.",
}


def show() -> None:
    """Show a table of how many drafts were saved, edited or discarded, with the time spent, one row per level, domain or
    task."""
    by = switch_view(ROWS, "progress_by", name="by", label="Rows")
    stage = open_workbench().progress
    table = until_ready(lambda: stage.build_construction(by), "Counting drafts and decisions")
    if table is None:
        return
    if not table.whole.drafted:
        show_no_drafts("This table counts the outcomes of drafts.")
        for sentence in remarks(table):
            st.caption(sentence)
        return
    first = ROWS[by].removeprefix("By ").capitalize()
    rows = [_build_row(", ".join(map(_name_part, table.by, line.name)), line) for line in table.lines]
    rows.append(_build_row("all", table.whole, "best"))
    notes = [*remarks(table), *NOTES]
    paper_table.show(build_heads({first: "", **COLUMNS}, [first]), rows, "progress_construction", notes=notes)
    show_downloads(
        f"construction-by-{by.replace(',', '-')}",
        partial(stage.render_construction, by),
        ("csv", "latex", "html", "json"),
        "Download this table with the columns of the paper's Table 1",
    )


def _name_part(by: str, name: Any) -> str:
    """Return the display text of `name`, one part of a row's name; `by` says whether the part is a level, a domain or a
    task."""
    if by == "level":
        return level_name(name)
    return name_task(str(name)) if by == "task" else str(name)


def _build_row(name: str, line: ConstructionRow, mark: str = "") -> dict[str, Any]:
    cells: list[dict[str, Any]] = [
        *map(count_cell, (line.drafted, line.refused, line.waiting, line.saved, line.discarded)),
        share_cell(line.discard_share, line.discarded + line.saved),
        share_cell(line.edit_share, line.saved),
        time_cell(line.active_mean, line.measured),
        {"text": duration(line.active)},
        time_cell(line.generation, line.timed),
        {"text": duration(line.total)},
        {**NO_VALUE} if line.mean_f1 is None else {"text": f"{line.mean_f1:.3f}", "sub": f"n={line.checked:,}"},
    ]
    return {"cells": [{"text": name, "mark": mark, "whole": True}, *({**cell, "whole": True} for cell in cells)]}
