"""How each gate's flags compare with people's decisions: precision, recall and kappa, each with its n and interval."""

from textwrap import fill
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui.grid import columns
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.build.gating.gate_report import GateCalibration

LINE_CHARACTERS = 28
"""Characters of a line of small print."""


def show() -> None:
    """Draw the comparison."""
    calibrations = until_ready(open_workbench().gating.calibrate, "Comparing the gates with people's decisions")
    if calibrations is None:
        return
    if not calibrations:
        st.caption("No draft that a flagging gate checked is decided on yet.")
        return
    paper_table.show(
        [
            *columns("Gate, its rules, prompts and agent", align="left"),
            *columns("Flagged", "Passed", "Precision", "Recall", "Kappa", "Edited, kept"),
        ],
        [{"cells": _row(gate)} for gate in calibrations],
        "gates_people",
        notes=[
            "Of the drafts that people decided on: precision = discarded of those flagged, recall = flagged of those "
            "discarded, kappa of flagged against discarded (1 = perfect, 0 = as by chance). Intervals: 95 %, Wilson's for "
            "shares, bootstrapped for kappa (seed 0).",
            "Edited and kept (flagged / passed) are counted apart: a flag on one was no reason to discard it. People saw the "
            "flags as they decided, so agreement is no proof.",
        ],
    )


def shorten_prompt(prompt: str) -> str:
    """A prompt's identity, its hash cut to what tells it from others."""
    name, sign, hash_ = prompt.partition("@")
    return f"{name}{sign}{hash_[:11]}"


def _row(gate: GateCalibration) -> list[dict[str, Any]]:
    figures = gate.figures
    precision, recall, kappa = figures.precision, figures.recall, figures.kappa
    asked = "\n".join([*map(shorten_prompt, gate.prompts), *(f"by {agent}" for agent in gate.agents)])
    return [
        {"text": f"{gate.gate.replace('_', ' ')}, {gate.rules}", "sub": asked},
        {"text": f"{sum(figures.flagged.values()):,}"},
        {"text": f"{sum(figures.passed.values()):,}"},
        _figure(precision.mean, precision.low, precision.high, precision.n, precision.why),
        _figure(recall.mean, recall.low, recall.high, recall.n, recall.why),
        _figure(kappa.value, kappa.low, kappa.high, kappa.units, kappa.why),
        {"text": f"{figures.flagged['edited']:,} / {figures.passed['edited']:,}"},
    ]


def _figure(value: float | None, low: float | None, high: float | None, n: int, why: str) -> dict[str, Any]:
    if value is None:
        return {"text": "–", "sub": fill(why, LINE_CHARACTERS)}
    interval = f"{low:.2f} to {high:.2f}, " if low is not None and high is not None else ""
    return {"text": f"{value:.2f}", "sub": f"{interval}n = {n:,}"}
