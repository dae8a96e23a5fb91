"""A table of people: how many items each person accepted, edited and discarded, and how much time that took."""

from typing import Any

import streamlit as st

from pages.parts.annotate.progress import sortable
from pages.parts.annotate.progress.figures import duration, show_downloads
from pages.parts.annotate.progress.sortable import SortableColumn, count_column, share_column, time_column
from pages.parts.evaluate.results.figures import money
from pages.parts.ui.heading import show_empty
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.progress.people import PersonLine

MAX_REASONS = 3
"""Maximum number of discard reasons shown in a row; the cell's help lists all reasons."""
NOTES = (
    "Each opinion counts for the person who gave it. Undone decisions count nowhere. An edited item is compared with its "
    "draft, even if somebody else edited it in between. Accepting somebody else's opinion unchanged is not an edit.",
)


def show() -> None:
    """Show the table with one row per person."""
    stage = open_workbench().progress
    people = until_ready(stage.count_by_person, "Comparing edited items with their drafts")
    if people is None:
        return
    if not people:
        show_empty(
            "No decisions yet", "People appear here once they decide on an item.", "pages/annotate/review.py", "Go to Review"
        )
        return
    sortable.show(COLUMNS, people, "progress_people", NOTES)
    st.caption("A short time or many edits do not show bad work: some levels and domains are harder than others.")
    show_downloads("people", stage.render_people)


def _reasons_cell(person: PersonLine) -> dict[str, Any]:
    reasons = [f"{reason or 'no reason'} {n:,}" for reason, n in person.reasons]
    more = f", and {len(reasons) - MAX_REASONS} more" if len(reasons) > MAX_REASONS else ""
    return {"text": ", ".join(reasons[:MAX_REASONS]) + more, "muted": True, "help": ", ".join(reasons)}


def _cost_cell(person: PersonLine) -> dict[str, Any]:
    return {"text": money(person.cost_each), "sub": "" if person.cost_each is None else f"n={person.saved:,}"}


COLUMNS: tuple[SortableColumn[PersonLine], ...] = (
    SortableColumn("Person", lambda one: {"text": one.name}, lambda one: one.name, align="left"),
    count_column("Decisions", lambda one: one.decisions, "Decisions that were neither undone nor replaced."),
    share_column(
        "As drafted",
        lambda one: one.unchanged_share,
        lambda one: one.decisions,
        "Share of the person's decisions that accepted an item with question and answer unchanged.",
    ),
    count_column("Edited", lambda one: one.edited, "Items that the person accepted with a changed question or answer."),
    count_column(
        "Characters edited",
        lambda one: one.characters,
        "Characters that the person inserted, deleted or replaced in the questions and answers of drafts.",
    ),
    count_column("Discarded", lambda one: one.discarded),
    SortableColumn("Why", _reasons_cell, lambda one: len(one.reasons), "Why the person discarded items.", "left"),
    time_column(
        "Mean time", lambda one: one.mean, lambda one: one.measured, "Mean active time of a decision; n = timed decisions."
    ),
    SortableColumn(
        "Median", lambda one: {"text": duration(one.median)}, lambda one: one.median, "Median active time of a decision."
    ),
    SortableColumn(
        "Active",
        lambda one: {"text": duration(one.active), "whole": True},
        lambda one: one.active,
        "Total active time of the timed decisions.",
    ),
    SortableColumn(
        "USD per accepted draft",
        _cost_cell,
        lambda one: one.cost_each,
        "Cost of all drafts that this person decided on, per accepted draft; a dash if a cost is unknown.",
    ),
)
