"""How far people agree where two of them gave an opinion on one item: small, and with what it is worth."""

from functools import partial
from typing import Any

import streamlit as st

from pages.parts.annotate.progress.figures import things
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, interval, mean
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.actor import carry_to_thread
from workbench.annotate.progress.agreement import notes_of
from workbench.annotate.progress.progress import AgreementLine

FORMS = {"csv": "CSV", "latex": "LaTeX", "json": "JSON"}
COLUMNS = (
    ("Measure", "left", ""),
    ("People", "left", ""),
    ("Value", "", ""),
    ("95 % interval", "", "Bootstrapped over items."),
    ("Items", "", "With opinions of two people at least on this."),
    ("By chance", "", "The same measure over random pairs of different items."),
)


def show() -> None:
    """Draw it; likeness in meaning follows when it is there."""
    stage = open_workbench().progress
    found = until_ready(stage.agreement, "Comparing opinions")
    if found is None:
        return
    blind = f", {found.blind:,} of them given blind" if found.items else ""
    st.text(f"{things(found.items, 'item')} with opinions of two people or more{blind}.")
    columns = [{"label": name, "align": align, "help": about} for name, align, about in COLUMNS]
    paper_table.show(columns, rows(found.lines), "progress_agreement", notes=notes_of(found))
    if not found.items:
        return
    meaning = until_ready(stage.agreement_in_meaning, "Comparing answers by their meaning", height=80)
    if meaning is None:
        return
    paper_table.show(
        columns,
        rows(meaning),
        "progress_meaning",
        notes=["Cosine of answers of people who accepted; those too long for the model are left out."],
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Download this", width="content")
        for form, name in FORMS.items():
            file, mime = stage.file_of("agreement", form)
            st.download_button(
                name,
                carry_to_thread(partial(stage.agreement_table, form)),
                file,
                mime,
                icon=":material/download:",
                key=f"progress_agreement_{form}",
                on_click="ignore",
            )


def rows(lines: Any) -> list[dict[str, Any]]:
    """Those of a table, grouped by what was compared."""
    found: list[dict[str, Any]] = []
    for number, line in enumerate(lines):
        if not number or lines[number - 1].what != line.what:
            found.append({"group": line.what})
        found.append(_row(line))
    return found


def _row(line: AgreementLine) -> dict[str, Any]:
    ends = interval(line.low, line.high)
    chance = {"text": "0", "muted": True} if line.is_corrected else {"text": mean(line.chance), "muted": line.chance is None}
    return {
        "cells": [
            {"text": line.measure, "sub": line.why},
            {"text": line.people},
            {"text": mean(line.value), "muted": line.value is None},
            {"text": ends or DASH, "muted": not ends, "whole": True},
            {"text": f"{line.items:,}"},
            chance,
        ]
    }
