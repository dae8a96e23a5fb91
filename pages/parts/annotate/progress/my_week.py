"""The person's own last seven days, and all their days as a timesheet."""

from datetime import date, timedelta
from functools import partial
from typing import Any

import streamlit as st

from pages.parts.annotate.progress import changed
from pages.parts.annotate.progress.figures import duration, number, timed
from pages.parts.annotate.progress.trust_view import show_hits
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.actor import carry_to_thread
from workbench.annotate.progress.pace import total
from workbench.annotate.progress.progress import Day, zone

COLUMNS = (
    ("Day", "left"),
    ("Decisions", ""),
    ("Accepted", ""),
    ("Edited", ""),
    ("Discarded", ""),
    ("Active", ""),
    ("Mean of a decision", ""),
)


def show() -> None:
    """Draw it; nothing is computed for somebody without a name."""
    name = get_person()
    if not name:
        ask_here("Give your name to see your own days.", "week")
        return
    days = until_ready(lambda: open_workbench().progress.days(name), "Counting your days")
    if days is None:
        return
    today = date.today()
    by_date = {day.date: day for day in days}
    week = [by_date.get(when, Day(when)) for when in (today - timedelta(n) for n in range(7))]
    rows = [_row(f"{day.date:%A}" if day.date != today else "Today", day) for day in week]
    whole = total(week)
    columns = [{"label": label, "align": align} for label, align in COLUMNS]
    paper_table.show(
        columns,
        [*rows, _row("The week", whole, is_sum=True)],
        "progress_week",
        notes=[f"Your decisions on items that stand, by day ({zone()}). Active time is that of timed decisions, n of them."],
    )
    checks(name)
    changed.show(name, len(week))
    with st.container(horizontal=True, vertical_alignment="center"):
        stage = open_workbench().progress
        st.download_button(
            "Timesheet as CSV",
            carry_to_thread(partial(stage.timesheet, name)),
            "timesheet.csv",
            "text/csv",
            icon=":material/download:",
            key="progress_timesheet",
            on_click="ignore",
            disabled=not days,
        )
        st.caption(f"All your days with decisions: {len(days):,}" if days else "You decided on no item yet.", width="content")


def checks(name: str) -> None:
    """Draw how this person did in qualification, and on control items of the queue."""
    done = open_workbench().reviews.qualification.load_state(name)
    if done.round:
        outcome = "passed" if done.has_passed else "not passed yet"
        so_far = f"{done.right} of {done.done} right, {done.passing} of {done.n} needed"
        st.text(f"Qualification: {outcome}. Round {done.round}: {so_far}.")
    found = until_ready(lambda: open_workbench().progress.own_hits(name), "Counting control items", height=80)
    if found:
        st.markdown("**Control items you decided on**")
        show_hits(found, "progress_my_hits", "")
    elif found is not None and open_workbench().reviews.control_sampling.rule().every:
        st.caption("You have not decided on a control item yet.")


def _row(name: str, day: Day, is_sum: bool = False) -> dict[str, Any]:
    mean = day.active / day.measured if day.active is not None and day.measured else None
    first = {"text": name, "sub": "" if is_sum else day.date.isoformat(), "mark": "best" if is_sum else ""}
    return {
        "cells": [
            first,
            number(day.decisions),
            number(day.accepted),
            number(day.edited),
            number(day.discarded),
            {"text": duration(day.active)},
            timed(mean, day.measured),
        ]
    }
