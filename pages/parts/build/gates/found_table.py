"""How many drafts each gate passed, flagged, refused, or could not check, by task or prompt."""

from typing import Any

from pages.parts.build.gates.against_people import shorten_prompt
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.grid import columns
from pages.parts.ui.in_url import switch_view
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.build.gating.gate_report import GateFindings

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
    """Draw the table."""
    by = switch_view(BY, "gates_by", name="by", label="Rows")
    fields = [by] if by else []
    findings = until_ready(lambda: opened().gating.count_findings(fields), "Counting what the gates found")
    if findings is None:
        return
    heads = columns("Gate", "Rules", *(HEADS[field] for field in fields), align="left")
    paper_table.show(
        [*heads, *columns(*OUTCOMES.values())],
        [{"cells": _row(found, by)} for found in findings],
        "gates_found",
        notes=[
            "Each draft counts once per gate: by the last check of the first words that this gate saw. Not run = it could not "
            "check: no judge, an agent that is no LLM, no second piece of evidence, or no usable reply. The page Find filters "
            "by flag."
        ],
    )


def _row(found: GateFindings, by: str) -> list[dict[str, Any]]:
    kinds = [
        kind.replace("_", " ") if by == "task" else ", ".join(map(shorten_prompt, kind.split(", "))) if kind else "–"
        for kind in found.kind
    ]
    return [
        {"text": found.gate.replace("_", " "), "whole": True},
        {"text": found.rules, "mark": "muted"},
        *({"text": kind} for kind in kinds),
        *({"text": f"{found.counts[outcome]:,}" if found.counts[outcome] else "–"} for outcome in OUTCOMES),
    ]
