"""How many drafts each gate passed, flagged, refused, or could not look at, by task or prompt."""

from typing import Any

import streamlit as st

from pages.parts.build.gates.against_people import short
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.in_url import held, word
from pages.parts.ui.until_ready import until_ready
from workbench import opened

BY = {
    "": "Gates alone",
    "task": "By task",
    "drafted_with": "By prompt of the draft",
    "prompts": "By prompt of the gate",
    "agents": "By agent asked",
}
HEADS = {"task": "Task", "drafted_with": "Drafted with", "prompts": "Asked with", "agents": "Asked"}
OUTCOMES = {"pass": "Passed", "flag": "Flagged", "refuse": "Refused", "not run": "Not run"}


def show() -> None:
    """Draw it."""
    by = word("by", "", list(BY))
    st.segmented_control(
        "Rows",
        list(BY),
        key="gates_by",
        format_func=BY.__getitem__,
        required=True,
        label_visibility="collapsed",
        on_change=held("gates_by", "by", by),
    )
    rows = until_ready(lambda: opened().gating.found([by] if by else []), "Counting what the gates found")
    if rows is None:
        return
    columns: list[dict[str, Any]] = [{"label": "Gate", "align": "left"}, {"label": "Rules", "align": "left"}]
    columns += [{"label": HEADS[by], "align": "left"}] if by else []
    columns += [{"label": label} for label in OUTCOMES.values()]
    cells = [
        {
            "cells": [
                {"text": row["gate"].replace("_", " "), "whole": True},
                {"text": row["rules"], "mark": "muted"},
                *([{"text": _word(by, row[by])}] if by else []),
                *({"text": f"{row[name]:,}" if row[name] else "–"} for name in OUTCOMES),
            ]
        }
        for row in rows
    ]
    paper_table.show(
        columns,
        cells,
        "gates_found",
        notes=[
            "Each draft counts once a gate: by the last look at the first words that this gate saw. Not run = it "
            "could not look: "
            "no judge, an agent that is no LLM, no second piece of evidence, or no usable reply. The page Find "
            "filters by flag.",
        ],
    )


def _word(by: str, value: str) -> str:
    if by == "task":
        return value.replace("_", " ")
    return ", ".join(map(short, value.split(", "))) if value else "–"
