"""How far people agree on items with two or more opinions, with the number of items behind each value."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.annotate.progress.figures import build_heads, show_downloads
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, interval, mean
from pages.parts.ui.say import count_things
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.progress.agreement import AgreementLine, list_notes

HEADS = build_heads(
    {
        "Measure": "",
        "People": "",
        "Value": "",
        "95 % interval": "Bootstrapped over items.",
        "Items": "Number of items on which two or more people gave an opinion.",
        "By chance": "The same measure between opinions on two different, randomly drawn items.",
    },
    ["Measure", "People"],
)


def show() -> None:
    """Show the tables of agreement between people. The similarity in meaning of their answers appears once it is computed."""
    stage = open_workbench().progress
    report = until_ready(stage.compare_opinions, "Comparing opinions")
    if report is None:
        return
    blind = f", {report.blind:,} of them given blind" if report.items else ""
    st.text(f"{count_things(report.items, 'item')} with opinions of two people or more{blind}.")
    paper_table.show(HEADS, build_rows(report.lines), "progress_agreement", notes=list_notes(report))
    if not report.items:
        return
    meaning = until_ready(stage.compare_meaning, "Comparing answers by their meaning", height=80)
    if meaning is not None:
        notes = [
            "Cosine similarity of the answers of people who accepted an item; answers too long for the model are left out."
        ]
        paper_table.show(HEADS, build_rows(meaning), "progress_meaning", notes=notes)
        show_downloads("agreement", stage.render_agreement, ("csv", "latex", "json"))


def build_rows(lines: Sequence[AgreementLine]) -> list[dict[str, Any]]:
    """Return the rows of the agreement table, grouped by the part of the opinions that is compared."""
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(lines):
        if not number or lines[number - 1].what != line.what:
            rows.append({"group": line.what})
        ends = interval(line.low, line.high)
        cells = [
            {"text": line.measure, "sub": line.why},
            {"text": line.people},
            {"text": mean(line.value), "muted": line.value is None},
            {"text": ends or DASH, "muted": not ends, "whole": True},
            {"text": f"{line.items:,}"},
            {"text": "0" if line.is_corrected else mean(line.chance), "muted": line.is_corrected or line.chance is None},
        ]
        rows.append({"cells": cells})
    return rows
