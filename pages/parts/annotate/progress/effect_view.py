"""The effect of drafts on people: answers, time and decisions with the draft in sight, after a blind reveal, and without a
draft."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.statistics.statistics import Interval
from pages.parts.annotate.progress.figures import NO_VALUE, build_heads
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import format_difference, interval
from pages.parts.ui import grid
from pages.parts.ui.say import count_things
from workbench.annotate.progress.effect import ARMS, DraftEffect, EffectReport

DRAFT, REVEAL, NONE = ARMS
HEADS = build_heads(
    {
        "": "",
        "Draft seen": "Items whose draft people saw from the start.",
        "Blind reveal": "Items whose draft people saw after they had written an answer of their own.",
        "No draft": "Items that people answered without ever seeing the draft.",
        "Reveal against seen": "Effect of the blind reveal, against the draft seen from the start.",
        "No draft against seen": "Effect of working without the draft, against the draft seen from the start.",
    },
    [""],
)
LABELS = {
    "like the draft": ("Like the draft", "Token F1 between the person's final answer and the drafted one."),
    "like other people's": (
        "Like other people's",
        "Mean token F1 between the person's answer and those of other people on the same item.",
    ),
    "like the adjudicated": (
        "Like the adjudicated",
        "Token F1 between the person's answer and the one on which a further person decided.",
    ),
    "seconds": ("Seconds", "Geometric mean of the active seconds of a decision; the effects are ratios."),
    "as drafted": ("As drafted", "Share of decisions that accept question and answer as drafted."),
    "edited": ("Other words", "Share of decisions that accept the item with another question or answer."),
    "discarded": ("Discarded", "Share of decisions that discard the item."),
}
ANCHORING_HELP = (
    "How much of the distance between unassisted answers and the draft disappears: 1 = people copy the draft, 0 = their "
    "answers are as unlike the draft as without it."
)


def show(report: EffectReport) -> None:
    """Show the table of all drafts, or of those of the agent or level that is chosen."""
    if report.rule is None:
        st.caption("Nobody has decided on an item yet while a share of the drafts was hidden.")
        return
    chosen = st.selectbox("Drafts", report.effects, format_func=_name_group, key="effect_of", width=320)
    rows = [{"cells": _list_anchoring(chosen)}]
    for row in chosen.rows:
        label, about = LABELS[row.measure]
        is_time = row.measure == "seconds"
        arms = [_cell(row.arms[arm], _format_seconds if is_time else _format_value) for arm in ARMS]
        if is_time:
            arms = [_add_median(cell, chosen.median_seconds[arm]) for cell, arm in zip(arms, ARMS, strict=True)]
        effects = [_cell(row.effects[arm], _format_times if is_time else _format_effect) for arm in (REVEAL, NONE)]
        rows.append({"cells": [{"text": label, "help": about}, *arms, *effects]})
    paper_table.show(HEADS, rows, "progress_effect", notes=[_describe(report, chosen)])


def _list_anchoring(effect: DraftEffect) -> list[Mapping[str, Any]]:
    own = [_cell(effect.anchoring[arm], _format_value) for arm in (DRAFT, REVEAL)]
    return [{"text": "Anchoring", "help": ANCHORING_HELP}, *own, {**NO_VALUE, "help": "the reference"}, *grid.cells("", "")]


def _name_group(effect: DraftEffect) -> str:
    if effect.group == "all":
        return "All drafts"
    return f"Level {effect.name}" if effect.group == "level" else f"Agent {effect.name or 'unknown'}"


def _describe(report: EffectReport, effect: DraftEffect) -> str:
    counts = ", ".join(
        f"{label}: {count_things(effect.decisions[arm], 'decision')} by {effect.people[arm]:,} people"
        for arm, label in zip(ARMS, ("draft seen", "blind reveal", "no draft"), strict=True)
    )
    left = report.other_rules + report.seen_before
    return (
        f"{counts[0].upper()}{counts[1:]}. Intervals of 95 %, resampled by person (seed {report.seed}). Effects: difference "
        f"from the column Draft seen, for seconds the ratio. Left out: {count_things(left, 'decision')} under other rules "
        "or on drafts seen before."
    )


def _cell(value: Interval, print_value: Any) -> dict[str, Any]:
    if value.mean is None:
        return {**NO_VALUE, "help": value.why}
    ends = interval(value.low, value.high, print_value)
    return {"text": print_value(value.mean), "sub": "\n".join(filter(None, [ends, f"n={value.n:,}"])), "help": value.why}


def _add_median(cell: dict[str, Any], seconds: float | None) -> dict[str, Any]:
    return cell if seconds is None or "sub" not in cell else {**cell, "sub": f"{cell['sub']}\nmedian {seconds:.0f}"}


def _format_value(value: float) -> str:
    return f"{value:.2f}".replace("-", "\u2212")


def _format_effect(value: float) -> str:
    return format_difference(value, 2)


def _format_seconds(value: float) -> str:
    return f"{value:.0f}"


def _format_times(value: float) -> str:
    return f"×{value:.2f}"
