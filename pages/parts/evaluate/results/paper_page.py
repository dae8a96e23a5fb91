"""A paper's own table or figure, drawn from the runs chosen, with its files: byte for byte what the command line prints."""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.evaluate.results import paper_table, picture, type_weights
from pages.parts.ui.in_url import held, word
from pages.parts.ui.say import note
from pages.parts.ui.until_ready import until_ready
from workbench import opened

WEIGHTED = "crag_systems"
"""The preset whose means can be weighted."""
MANY = 4
"""Notes that stand there unfolded."""
WHOLE = 12
"""Characters of a cell that stay in one line."""
FORMS = {"csv": "CSV", "latex": "LaTeX", "html": "HTML", "json": "JSON"}


def show(ids: Sequence[str], by: Sequence[str], key: str, of: str = "runs") -> None:
    """Choose one, see it, take it away; `of` = which presets (workbench: reports.preset_labels)."""
    labels = opened().reports.preset_labels(of)
    chosen = word("preset", next(iter(labels)), list(labels))
    st.selectbox(
        "Table or figure",
        list(labels),
        key=f"{key}_preset",
        format_func=lambda name: labels[name],
        width=520,
        on_change=held(f"{key}_preset", "preset", chosen),
    )
    show_one(ids, by, key, chosen)


def show_one(
    ids: Sequence[str],
    by: Sequence[str],
    key: str,
    chosen: str,
    with_tables: bool = False,
    settings: Mapping[str, Any] = MappingProxyType({}),
    with_notes: bool = True,
) -> None:
    """That one as it is set, with its files; its tables unfolded under its figures where they are what one came for. Without
    its notes where the page has told them."""
    try:
        page = until_ready(lambda: opened().reports.preset(ids, chosen, settings), "Drawing")
    except BenchError as error:
        note(str(error))
        return
    if page is None:
        return
    notes = page.notes if with_notes else ()
    with st.expander(f"Before you read the figures ({len(notes)})") if len(notes) > MANY else st.container():
        for sentence in notes:
            st.text(sentence)
    for number, figure in enumerate(page.figures):
        name = f"{chosen}-{number + 1}" if number else chosen
        picture.show(figure.svg, name, f"{key}_{number}", figure.notes)
    with st.expander("Its figures as a table") if page.figures and not with_tables else st.container():
        for number, table in enumerate(page.tables):
            _table(table, f"{key}_{chosen}_{number}")
    if chosen == WEIGHTED:
        type_weights.show(f"{key}_weights")
    downloads(ids, by, key, chosen, settings)


def downloads(
    ids: Sequence[str],
    by: Sequence[str],
    key: str,
    preset: str | None = None,
    settings: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Files of the whole report, or of a preset as it is set."""
    reports = opened().reports
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Download this" if preset else "Download the whole report", width="content")
        for form, label in FORMS.items():
            name, mime = reports.file(ids, form=form, preset=preset)
            st.download_button(
                label,
                partial(reports.report, ids, by=by, form=form, preset=preset, settings=settings),
                name,
                mime,
                icon=":material/download:",
                key=f"{key}_{preset}_{form}",
                on_click="ignore",
            )


def _table(table: Any, key: str) -> None:
    left = [all(isinstance(row[i].value, str) for row in table.rows) for i in range(len(table.columns))]
    columns = [{"label": name, "align": "left" if is_word else ""} for name, is_word in zip(table.columns, left, strict=True)]
    rows = [
        {
            "cells": [
                {"text": c.text, "mark": "best" if c.best else "second" if c.second else "", "whole": len(c.text) <= WHOLE}
                for c in row
            ]
        }
        for row in table.rows
    ]
    paper_table.show(columns, rows, key, caption=table.title, notes=table.notes)
