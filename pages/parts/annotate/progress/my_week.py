"""A person's work in the last seven days, and a timesheet of all days on which the person worked, to download."""

from datetime import date, timedelta
from functools import partial
from typing import Any

import streamlit as st

from pages.parts.annotate.progress import changed
from pages.parts.annotate.progress.figures import build_heads, count_cell, duration, time_cell
from pages.parts.annotate.progress.trust_view import show_control_results
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.data_table import download
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.actor import carry_to_thread
from workbench.annotate.progress.pace import WorkDay, sum_days
from workbench.annotate.progress.progress import name_zone

LABELS = ("Day", "Decisions", "Accepted", "Edited", "Discarded", "Active", "Mean time per decision")
HEADS = build_heads(dict.fromkeys(LABELS, ""), ["Day"])


def show() -> None:
    """Show this person's work in the last seven days; if the person has not given a name, show a box that asks for the name."""
    name = get_person()
    if not name:
        ask_here("Give your name to see your own work.", "week")
        return
    days = until_ready(lambda: open_workbench().progress.count_days(name), "Counting your days")
    if days is None:
        return
    today = date.today()
    by_date = {day.date: day for day in days}
    week = [by_date.get(when, WorkDay(when)) for when in (today - timedelta(n) for n in range(7))]
    rows = [_build_row(f"{day.date:%A}" if day.date != today else "Today", day) for day in week]
    note = f"Your decisions by day ({name_zone()}), without undone decisions. Active time covers the n timed decisions."
    paper_table.show(HEADS, [*rows, _build_row("The week", sum_days(week), is_sum=True)], "progress_week", notes=[note])
    show_control_items(name)
    changed.show(name, len(week))
    with st.container(horizontal=True, vertical_alignment="center"):
        if days:
            render = carry_to_thread(partial(open_workbench().progress.render_timesheet, name))
            download("Timesheet as CSV", render, "timesheet.csv", "text/csv", "progress_timesheet")
        st.caption(f"All your days with decisions: {len(days):,}" if days else "You have not decided on an item yet.")


def show_control_items(name: str) -> None:
    """Show this person's results in the qualification test and on the control items of the queue."""
    reviews = open_workbench().reviews
    state = reviews.qualification.load_state(name)
    if state.round:
        outcome = "passed" if state.has_passed else "not passed yet"
        so_far = f"{state.right} of {state.done} right, {state.passing} of {state.n} needed"
        st.text(f"Qualification: {outcome}. Round {state.round}: {so_far}.")
    results = until_ready(
        lambda: open_workbench().progress.count_own_control_results(name), "Counting control items", height=80
    )
    if results:
        st.markdown("**Your decisions on control items**")
        show_control_results(results, "progress_my_hits", "")
    elif results is not None and reviews.control_sampling.rule().every:
        st.caption("You have not decided on a control item yet.")


def _build_row(name: str, day: WorkDay, is_sum: bool = False) -> dict[str, Any]:
    mean = day.active / day.measured if day.active is not None and day.measured else None
    first = {"text": name, "sub": "" if is_sum else day.date.isoformat(), "mark": "best" if is_sum else ""}
    counts = map(count_cell, (day.decisions, day.accepted, day.edited, day.discarded))
    return {"cells": [first, *counts, {"text": duration(day.active)}, time_cell(mean, day.measured)]}
