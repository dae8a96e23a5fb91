"""How each gate's flags did against what people decided: precision, recall and kappa, each with its n and interval."""

from collections.abc import Mapping
from textwrap import fill
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui.until_ready import until_ready
from workbench import opened

HEADS = ("Flagged", "Passed", "Precision", "Recall", "Kappa", "Edited, kept")
WIDE = 28
"""Characters of a line of small print."""


def show() -> None:
    """Draw it."""
    rows = until_ready(opened().gating.calibrated, "Holding the gates against people")
    if rows is None:
        return
    if not rows:
        st.caption("Nobody has decided on a draft yet that a flagging gate looked at.")
        return
    columns: list[dict[str, Any]] = [{"label": "Gate, its rules, prompts and agent", "align": "left"}]
    columns += [{"label": head} for head in HEADS]
    cells = [
        {
            "cells": [
                {"text": f"{one['gate'].replace('_', ' ')}, {one['rules']}", "sub": _version(one)},
                {"text": f"{sum(one['flagged'].values()):,}"},
                {"text": f"{sum(one['passed'].values()):,}"},
                _figure(one["precision"]),
                _figure(one["recall"]),
                _figure(one["kappa"]),
                {"text": f"{one['flagged']['edited']:,} / {one['passed']['edited']:,}"},
            ]
        }
        for one in rows
    ]
    paper_table.show(
        columns,
        cells,
        "gates_people",
        notes=[
            "Of the drafts that people decided on: precision = discarded of those flagged, recall = flagged of "
            "those discarded, "
            "kappa of flagged against discarded (1 = perfect, 0 = as by chance). Intervals: 95 %, Wilson's for shares, "
            "bootstrapped for kappa (seed 0).",
            "Edited and kept (flagged / passed) are counted apart: a flag on one was no reason to discard it. "
            "Who decided saw the "
            "flags, so agreement is no proof.",
        ],
    )


def short(prompt: str) -> str:
    """A prompt's identity, its hash cut to what tells it from others."""
    name, sign, hash_ = prompt.partition("@")
    return f"{name}{sign}{hash_[:11]}"


def _figure(one: Mapping[str, Any]) -> dict[str, Any]:
    if one["value"] is None:
        return {"text": "–", "sub": fill(str(one["why"]), WIDE)}
    low, high = one["low"], one["high"]
    interval = f"{low:.2f} to {high:.2f}, " if low is not None and high is not None else ""
    return {"text": f"{one['value']:.2f}", "sub": f"{interval}n = {one['n']:,}"}


def _version(one: Mapping[str, Any]) -> str:
    return "\n".join([*map(short, one["prompts"]), *(f"by {agent}" for agent in one["agents"])])
