"""Table 1 of the HawkBench paper for this workspace: by level, domain or task, with the files of it."""

from functools import partial
from typing import Any

import streamlit as st

from core.quality.construction import NOTES, ConstructionRow, remarks
from pages.parts.annotate.progress.figures import duration, number, percent, score, timed
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.grid import level_name
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import keep_in_address, read_word
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench

FORMS = {"csv": "CSV", "latex": "LaTeX", "html": "HTML", "json": "JSON"}
BY = ("level", "domain", "task", "level,domain")
COLUMNS = (
    ("Drafts", "All items that an agent drafted."),
    ("Refused", "By a gate, and nobody accepted them since."),
    ("To review", "Drafts that wait for a decision."),
    ("Saved", "Accepted, as they were or edited."),
    ("Discarded", ""),
    ("Discard", "Discarded, of those discarded or saved."),
    ("Edit", "Saved with another question or answer than the draft's, of those saved."),
    ("Avg. time", "Mean active seconds of a decision, over the timed ones that stand."),
    ("Active", "Active time of these decisions together."),
    ("Generation", "Service time of the calls that the drafts name; n = drafts with such calls."),
    ("Total", "Active time and generation together; a dash where either is not known."),
    ("Mean F1", "Token F1 of the RAG check's answers; n = saved ones that were not changed since it answered."),
)


def show() -> None:
    """Draw it."""
    by = read_word("by", "level", BY)
    st.segmented_control(
        "Rows",
        BY,
        key="progress_by",
        format_func=lambda name: f"By {_spoken(name)}",
        required=True,
        label_visibility="collapsed",
        on_change=keep_in_address("progress_by", "by", by),
    )
    table = until_ready(lambda: open_workbench().progress.construction(by), "Counting drafts and decisions")
    if table is None:
        return
    if not table.whole.drafted:
        show_empty(
            "Nothing was drafted yet",
            "This table counts what became of drafts.",
            "pages/build/draft.py",
            "Draft items",
            "draft items",
        )
        for sentence in remarks(table):
            st.caption(sentence)
        return
    columns: list[dict[str, Any]] = [{"label": _spoken(by).capitalize(), "align": "left"}]
    columns += [{"label": name, "help": about} for name, about in COLUMNS]
    rows = [_row(", ".join(map(_part, table.by, line.name)), line) for line in table.lines]
    paper_table.show(
        columns, [*rows, _row("all", table.whole, "best")], "progress_construction", notes=[*remarks(table), *NOTES]
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Download this, in the columns of the paper's Table 1", width="content")
        stage = open_workbench().progress
        for form, name in FORMS.items():
            file, mime = stage.file_of(f"construction-by-{by.replace(',', '-')}", form)
            st.download_button(
                name,
                partial(stage.table, by, form),
                file,
                mime,
                icon=":material/download:",
                key=f"progress_{form}",
                on_click="ignore",
            )


def _spoken(by: str) -> str:
    return by.replace(",", " and ")


def _part(by: str, name: Any) -> str:
    """What one part of a row's name is called."""
    if by == "level":
        return level_name(name)
    return str(name).replace("_", " ") if by == "task" else str(name)


def _row(name: str, line: ConstructionRow, mark: str = "") -> dict[str, Any]:
    cells = [
        *map(number, (line.drafted, line.refused, line.waiting, line.saved, line.discarded)),
        percent(line.discard_share, line.discarded + line.saved),
        percent(line.edit_share, line.saved),
        timed(line.active_mean, line.measured),
        {"text": duration(line.active)},
        timed(line.generation, line.timed),
        {"text": duration(line.total)},
        score(line.mean_f1, line.checked),
    ]
    return {"cells": [{"text": name, "mark": mark, "whole": True}, *({**cell, "whole": True} for cell in cells)]}
