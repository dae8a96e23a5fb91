"""What each person decided."""

from typing import Any

import streamlit as st

from pages.parts.annotate.progress import sortable
from pages.parts.annotate.progress.figures import duration, number, percent, timed
from pages.parts.annotate.progress.sortable import SortableColumn
from pages.parts.evaluate.results.figures import money
from pages.parts.ui.heading import show_empty
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.progress.progress import PersonLine

SHOWN = 3
"""Reasons that stand in a row; the others are counted, and named when one points there."""


def show() -> None:
    """Draw it."""
    stage = open_workbench().progress
    found = until_ready(stage.people, "Comparing edits with their drafts")
    if found is None:
        return
    if not found:
        show_empty("Nobody decided yet", "Who decides on an item stands here.", "pages/annotate/review.py", "Go to Review")
        return
    sortable.show(
        COLUMNS,
        found,
        "progress_people",
        [
            "Each opinion counts as its person's. What was undone is in no figure. An edit is compared with the draft, whoever "
            "edited in between; who took somebody else's opinion wrote none."
        ],
    )
    st.caption("A short time or many edits say nothing about quality alone: levels and domains are not equally hard.")
    sortable.downloads("people", stage.people_table)


def _why(one: PersonLine) -> dict[str, Any]:
    why = [f"{reason or 'no reason'} {n:,}" for reason, n in one.reasons]
    more = f", and {len(why) - SHOWN} more" if len(why) > SHOWN else ""
    return {"text": ", ".join(why[:SHOWN]) + more, "muted": True, "help": ", ".join(why)}


def _cost(one: PersonLine) -> dict[str, Any]:
    return {"text": money(one.cost_each), "sub": "" if one.cost_each is None else f"n={one.saved:,}"}


COLUMNS: tuple[SortableColumn[PersonLine], ...] = (
    SortableColumn("Person", lambda one: {"text": one.name}, lambda one: one.name, align="left"),
    SortableColumn("Decisions", lambda one: number(one.decisions), lambda one: one.decisions, "Those on items that stand."),
    SortableColumn(
        "As drafted",
        lambda one: percent(one.unchanged_share, one.decisions),
        lambda one: one.unchanged_share,
        "Accepted without a change of question or answer, of all decisions.",
    ),
    SortableColumn(
        "Edited", lambda one: number(one.edited), lambda one: one.edited, "Accepted with a question or answer of one's own."
    ),
    SortableColumn(
        "Characters edited",
        lambda one: number(one.characters),
        lambda one: one.characters,
        "Put in, taken out or changed between the drafts' questions and answers and theirs.",
    ),
    SortableColumn("Discarded", lambda one: number(one.discarded), lambda one: one.discarded),
    SortableColumn("Why", _why, lambda one: len(one.reasons), "Reasons of the discards.", "left"),
    SortableColumn(
        "Mean time",
        lambda one: timed(one.mean, one.measured),
        lambda one: one.mean,
        "Active time of a decision; n = timed decisions.",
    ),
    SortableColumn("Median", lambda one: {"text": duration(one.median)}, lambda one: one.median, "Of the same."),
    SortableColumn(
        "Active",
        lambda one: {"text": duration(one.active), "whole": True},
        lambda one: one.active,
        "Active time of the timed decisions together.",
    ),
    SortableColumn(
        "USD a draft accepted",
        _cost,
        lambda one: one.cost_each,
        "What agents took for the drafts this person decided on, for one accepted; a dash where it is not known.",
    ),
)
