"""A table or figure in the form that a paper prints, for the chosen runs, with files to download that equal the command line's
output byte for byte."""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.quality.crag import QUESTION_TYPES
from pages.components.bundles import register
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.allowed import guard
from pages.parts.ui.data_table import download
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.in_url import choose
from pages.parts.ui.say import escape, show_note
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench

WEIGHTED_PRESET = "crag_systems"
"""Name of the preset whose means a person can weight by question type."""
MAX_OPEN_NOTES = 4
"""Maximum number of notes that are shown expanded."""
MAX_UNBROKEN_CHARACTERS = 12
"""Maximum number of characters in a cell whose text is never broken into lines."""
FORMS = {"csv": "CSV", "latex": "LaTeX", "html": "HTML", "json": "JSON"}
NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})
_PNG = register("png", "png")


def show(ids: Sequence[str], by: Sequence[str], key: str, of: str = "runs") -> None:
    """Show a select box for a preset, and the preset's table or figure. `of` says which presets are offered (see
    `preset_labels` in workbench)."""
    labels = open_workbench().reports.preset_labels(of)
    show_one(ids, by, key, choose(st, "Table or figure", "preset", labels, f"{key}_preset", width=520))


def show_one(
    ids: Sequence[str],
    by: Sequence[str],
    key: str,
    preset: str,
    with_tables: bool = False,
    settings: Mapping[str, Any] = NO_SETTINGS,
    with_notes: bool = True,
) -> None:
    """Show the table or figure of one preset with these settings, and the buttons that download it. The tables of a figure are
    collapsed unless `with_tables` is set; without `with_notes` the notes are left out."""
    try:
        page = until_ready(lambda: open_workbench().reports.preset(ids, preset, settings), "Drawing")
    except BenchError as error:
        show_note(str(error))
        return
    if page is None:
        return
    if with_notes:
        list_notes(page.notes, max_open=MAX_OPEN_NOTES)
    for number, figure in enumerate(page.figures):
        name = f"{preset}-{number + 1}" if number else preset
        draw_picture(figure.svg, name, f"{key}_{number}", figure.notes)
    with st.expander("The values of the figure as a table") if page.figures and not with_tables else st.container():
        draw_tables(page.tables, f"{key}_{preset}")
    if preset == WEIGHTED_PRESET:
        _draw_type_weights(f"{key}_weights")
    downloads(ids, by, key, preset, settings)


def list_notes(notes: Sequence[str], max_open: int, is_folded: bool = False) -> None:
    """Show the notes on how to read the values; the notes are collapsed if there are more than `max_open` notes or if
    `is_folded` is set."""
    title, is_long = f"Notes on these results ({len(notes)})", len(notes) > max_open
    with st.expander(title, expanded=not is_long) if is_folded or is_long else st.container():
        for sentence in notes:
            st.text(sentence)


def downloads(
    ids: Sequence[str], by: Sequence[str], key: str, preset: str | None = None, settings: Mapping[str, Any] = NO_SETTINGS
) -> None:
    """Show the buttons that download the whole report, or a preset's table or figure with these settings."""
    reports = open_workbench().reports
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Download this" if preset else "Download the whole report", width="content")
        for form, label in FORMS.items():
            name, mime = reports.file(ids, form=form, preset=preset)
            write = partial(reports.report, ids, by=by, form=form, preset=preset, settings=settings)
            download(label, write, name, mime, f"{key}_{preset}_{form}")


def draw_tables(tables: Sequence[Any], key: str) -> None:
    """Show the tables of a page of a report, one below the other."""
    for number, table in enumerate(tables):
        _draw_table(table, f"{key}_{number}")


def _draw_table(table: Any, key: str) -> None:
    are_words = [all(isinstance(row[i].value, str) for row in table.rows) for i in range(len(table.columns))]
    columns = [
        {"label": name, "align": "left" if is_word else ""} for name, is_word in zip(table.columns, are_words, strict=True)
    ]
    rows = [{"cells": [_build_cell(cell) for cell in row]} for row in table.rows]
    paper_table.show(columns, rows, key, caption=table.title, notes=table.notes)


def _build_cell(cell: Any) -> dict[str, Any]:
    mark = "best" if cell.best else "second" if cell.second else ""
    return {"text": cell.text, "mark": mark, "whole": len(cell.text) <= MAX_UNBROKEN_CHARACTERS}


def draw_picture(svg: str, name: str, key: str, notes: Sequence[str] = ()) -> None:
    """Show a figure with its notes, and buttons that download it as SVG and as PNG; the browser renders the PNG with its own
    fonts."""
    with st.container(horizontal_alignment="center"):
        st.image(svg, width=860)
    for sentence in notes:
        st.caption(escape(sentence))
    with st.container(horizontal=True):
        download("SVG", svg, f"{name}.svg", "image/svg+xml", f"{key}_svg")
        _PNG(data={"svg": svg, "name": f"{name}.png"}, key=f"{key}_png", width="content")


def _draw_type_weights(key: str) -> None:
    """Show the form for the weights of CRAG's question types; saving new weights redraws the table."""
    reports = open_workbench().reports
    stored = reports.weights()
    with st.expander("Weights of question types", key=key), st.form(f"{key}_form", border=False):
        columns = st.columns(4)
        weights = {
            name: columns[place % 4].number_input(
                name, min_value=0.0, value=stored[name], step=0.1, key=f"{key}_{name}", help=about
            )
            for place, (name, about) in enumerate(QUESTION_TYPES.items())
        }
        if st.form_submit_button("Store the weights", **guard("set the rules of the work")):
            with show_errors():
                reports.set_weights(weights)
                st.rerun()
