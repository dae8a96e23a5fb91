"""What the gates found on drafts, by task or prompt, and how their flags compare with people's decisions: precision, recall and
kappa, each with its n and interval."""

from textwrap import fill
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui.grid import columns
from pages.parts.ui.in_url import switch_view
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.desk.guidelines import name_task
from workbench.build.gating.gate_report import GateCalibration, GateFindings

BY = {
    "": "Gates alone",
    "task": "By task",
    "drafted_with": "By prompt of the draft",
    "prompts": "By prompt of the gate",
    "agents": "By agent asked",
}
HEADS = {"task": "Task", "drafted_with": "Drafted with", "prompts": "Asked with", "agents": "Asked"}
OUTCOMES = {"pass": "Passed", "flag": "Flagged", "refuse": "Refused", "not run": "Not run"}
LINE_CHARACTERS = 28
"""Maximum number of characters in a line of small print."""


def show_findings() -> None:
    """Show a table of how many drafts each gate passed, flagged, refused, or could not check."""
    by = switch_view(BY, "gates_by", name="by", label="Rows")
    fields = [by] if by else []
    findings = until_ready(lambda: open_workbench().gating.count_findings(fields), "Counting what the gates found")
    if findings is None:
        return
    heads = columns("Gate", "Rules", *(HEADS[field] for field in fields), align="left")
    paper_table.show(
        [*heads, *columns(*OUTCOMES.values())],
        [{"cells": _list_findings(gate, by)} for gate in findings],
        "gates_found",
        notes=[
            (
                "Each draft counts once per gate: by the gate's last check of the first text that it saw of this draft. Not "
                "run = the gate could not check the draft: no judge, an agent that is not an LLM, no second piece of "
                "evidence, or no usable reply. The page Find filters by flag."
            )
        ],
    )


def show_comparison() -> None:
    """Show a table that compares each gate's flags with people's decisions on the same drafts."""
    calibrations = until_ready(open_workbench().gating.calibrate, "Comparing the gates with people's decisions")
    if calibrations is None:
        return
    if not calibrations:
        st.caption("People have not yet decided on any draft that a flagging gate checked.")
        return
    paper_table.show(
        [
            *columns("The gate with its rules, prompts and agent", align="left"),
            *columns("Flagged", "Passed", "Precision", "Recall", "Kappa", "Edited, kept"),
        ],
        [{"cells": _list_figures(gate)} for gate in calibrations],
        "gates_people",
        notes=[
            "Of the drafts that people decided on: precision = discarded of those flagged, recall = flagged of those "
            "discarded, kappa between flagged and discarded (1 = perfect, 0 = as by chance). Intervals: 95 %, Wilson's for "
            "shares, bootstrapped for kappa (seed 0).",
            (
                "Drafts that people edited and accepted (flagged / passed) are counted separately, because their flags led "
                "to no discard. People saw the flags when they decided, so agreement does not prove that a gate is right."
            ),
        ],
    )


def _list_findings(findings: GateFindings, by: str) -> list[dict[str, Any]]:
    kinds = [
        name_task(kind) if by == "task" else ", ".join(map(_shorten_prompt, kind.split(", "))) if kind else "–"
        for kind in findings.kind
    ]
    return [
        {"text": findings.gate.replace("_", " "), "whole": True},
        {"text": findings.rules, "mark": "muted"},
        *({"text": kind} for kind in kinds),
        *({"text": f"{findings.counts[outcome]:,}" if findings.counts[outcome] else "–"} for outcome in OUTCOMES),
    ]


def _shorten_prompt(prompt: str) -> str:
    """Return the prompt's name and hash, with the hash cut to its first digits."""
    name, sign, hash_ = prompt.partition("@")
    return f"{name}{sign}{hash_[:11]}"


def _list_figures(gate: GateCalibration) -> list[dict[str, Any]]:
    figures = gate.figures
    precision, recall, kappa = figures.precision, figures.recall, figures.kappa
    asked = "\n".join([*map(_shorten_prompt, gate.prompts), *(f"by {agent}" for agent in gate.agents)])
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
