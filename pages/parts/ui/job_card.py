"""The card of one job, updated live: its name, progress and cost, and the buttons that pause, resume or end it. The card reads
the job's state every second while the job runs, and stops reading when the job has ended."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.setup.agent import batch_files
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.in_place import draw_in_place, redraw_page
from pages.parts.ui.in_url import read_words, write_address
from pages.parts.ui.say import escape, show_error, show_success, show_warning
from workbench import open_workbench
from workbench.upkeep.upkeep import JobView

WORDS = {
    "queued": "Waiting",
    "running": "Running",
    "paused": "Paused",
    "done": "Done",
    "failed": "Failed",
    "cancelled": "Cancelled",
    "budget": "Budget reached",
    "endpoint": "Endpoint failed",
    "batch": "Waits for its batch",
}
"""Dict from the state of a job to the state's name on the screen."""
_COLOURS: dict[str, Literal["blue", "green", "red", "orange"]] = {
    "running": "blue",
    "done": "green",
    "failed": "red",
    "endpoint": "red",
    "budget": "orange",
    "batch": "blue",
    "paused": "orange",
}
_OVER = ("done", "cancelled")
_NO_AGENT = ("add", "import", "hub_import", "hub_publish", "count", "bulk", "template", "refresh", "board")
_UNITS = {
    "draft": "drafted",
    "draft_one": "drafted",
    "run": "questions done",
    "add": "files read",
    "import": "files read",
    "hub_import": "steps done",
    "hub_publish": "steps done",
    "bulk": "looked at",
    "gates": "looked at",
    "vary": "variants",
    "trial": "windows drafted on both sides",
    "sweep": "cells",
    "template": "templates",
    "refresh": "questions answered again",
    "propose": "proposed",
    "nuggets": "items",
    "translate": "items",
    "certificate": "steps done",
    "rescore": "runs carried over",
    "board": "submissions scored",
}

MAX_LISTED_JOBS = 6


def start_and_list(job: str, most: int = MAX_LISTED_JOBS) -> None:
    """Start the job, and put its id first among the job ids in the page's URL, which contains at most `most` ids."""
    jobs.start(open_workbench()).submit(job)
    write_address(job=list(dict.fromkeys([job, *read_words("job")]))[:most])


def show_listed(most: int = MAX_LISTED_JOBS) -> Iterator[tuple[str, str]]:
    """Show the cards of the jobs whose ids are in the page's URL, and yield the id and state of each job, so that the caller
    can show more below the job's card."""
    for job in read_words("job")[:most]:
        try:
            yield job, show(job)
        except BenchError as error:
            show_error(str(error))


def show(job: str, compact: bool = False) -> str:
    """Show the card of the job, and return the job's state. `compact` leaves out details that only the page Jobs needs."""
    row = load_job(job)
    every = {"running": 1, "done": None, "cancelled": None}.get(row.state, 5)
    draw_in_place(_card, every)(job, row.state, compact)
    return row.state


def load_job(job: str) -> JobView:
    """Return the current state of the job; the state is "running" if the runner has just started the job."""
    row = open_workbench().upkeep.job(job)
    return replace(row, state="running") if row.state not in _OVER and jobs.start(open_workbench()).is_at_work(row.id) else row


def _card(job: str, drawn_in: str, compact: bool) -> None:
    row = load_job(job)
    if row.state != drawn_in:
        redraw_page()  # redraw the whole page, which may show more now and may redraw itself at another interval
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape(row.about)}**")
            st.badge(_state(row), color=_COLOURS.get(row.state, "gray"))
            if not compact:
                st.space("stretch")
                _buttons(row, "secondary")
        _progress(row)
        st.caption(describe_cost(row) or "Not begun")
        if row.state not in _OVER and (said := describe_outlook(row)):
            st.caption(said)
        if compact and row.state not in _OVER:
            with st.container(horizontal=True):
                _buttons(row, "tertiary")
        _asked_once(row)
        if row.state == "batch":
            batch_files.show(row)
        if row.state == "running" and row.message and not compact:
            st.caption(escape(row.message))
        _end(row, compact)
    if sentence := st.session_state.pop(f"job_{job}_trouble", ""):
        show_error(sentence)


def _state(row: JobView) -> str:
    if row.is_cancelling:
        return "Cancelling"
    if row.state == "running" and jobs.start(open_workbench()).is_stopping(row.id):
        return "Pausing"
    return WORDS[row.state]


def _progress(row: JobView) -> None:
    unit = _UNITS.get(row.kind, "done")
    if row.total:
        st.progress(min(row.done / row.total, 1.0), text=f"{row.done:,} of {row.total:,} {unit}")
    else:
        st.caption(f"{row.done:,} {unit}")


def describe_cost(row: JobView) -> str:
    """Describe in a line the calls, cost and time of a job; people without the permission to see costs get only the time."""
    parts = []
    if row.is_open and (row.calls or row.kind not in _NO_AGENT):
        parts.append(f"{row.calls:,} {'call' if row.calls == 1 else 'calls'}")
    if row.calls or row.budget is not None:
        parts.append(format_money(row.cost_usd) + (f" of {row.budget:g}" if row.budget is not None else ""))
    if row.seconds is not None:
        parts.append(format_duration(row.seconds))
    return " · ".join(parts)


def describe_outlook(row: JobView) -> str:
    """Return a line with the expected cost and remaining time of an unfinished job, or "" if there is no estimate."""
    parts = []
    if row.reserved_usd:
        parts.append(f"{format_money(row.reserved_usd)} reserved for calls under way")
    if row.projected_usd:
        parts.append(f"about {format_money(row.projected_usd)} in all")
    if row.left_seconds:
        parts.append(f"about {format_duration(row.left_seconds)} left")
    if not parts:
        return ""
    return " · ".join(parts) + (f", going by the first {row.done:,}" if len(parts) > bool(row.reserved_usd) else "")


def format_money(usd: float | None) -> str:
    """Format an amount of US dollars; None becomes "price unknown"."""
    if usd is None:
        return "price unknown"
    return f"{usd:,.2f} USD" if usd == 0 or usd >= 1 else f"{usd:.4f} USD"


def format_duration(seconds: float) -> str:
    """Format a duration given in seconds as seconds, minutes or hours, such as "2 min 5 s"."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _buttons(row: JobView, kind: Literal["secondary", "tertiary"]) -> None:
    job, state = row.id, row.state
    is_stopping = state == "running" and jobs.start(open_workbench()).is_stopping(job)
    if state == "running":
        draw_button(
            "Pause",
            f"job_{job}_pause",
            _act,
            job,
            "pause",
            icon="pause",
            requires="steer jobs",
            disabled=is_stopping or row.is_cancelling,
            help="Finishes the running calls. You can resume the job later.",
            type=kind,
        )
    elif state not in _OVER and state not in ("budget", "batch"):
        draw_button("Resume", f"job_{job}_resume", _act, job, "resume", icon="play_arrow", requires="steer jobs", type=kind)
    if state not in _OVER:
        draw_button(
            "Cancel",
            f"job_{job}_cancel",
            _ask,
            job,
            True,
            icon="close",
            requires="steer jobs",
            disabled=row.is_cancelling,
            help="Ends the job permanently. Stored results are kept.",
            type=kind,
        )


def _asked_once(row: JobView) -> None:
    """Show a question for confirmation after a click on Cancel, and a field for a higher budget if the job has used up its
    budget."""
    job = row.id
    if row.state not in _OVER and st.session_state.get(f"job_{job}_asks"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.write("Cancel the job permanently? Stored results are kept, but the job cannot be resumed.")
            draw_button("Yes, cancel", f"job_{job}_yes", _act, job, "cancel", is_primary=True)
            draw_button("Keep it", f"job_{job}_no", _ask, job, False)
    if row.state == "budget" and row.is_open:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            spent = row.cost_usd or 0.0
            st.number_input(
                "New budget, USD",
                min_value=0.0,
                value=max(2 * (row.budget or 0.0), 2 * spent),
                format="%.4f",
                key=f"job_{job}_budget",
                width=200,
            )
            draw_button(
                "Raise the budget and resume",
                f"job_{job}_raise",
                _act,
                job,
                "raise",
                icon="play_arrow",
                requires="steer jobs",
            )


def _end(row: JobView, compact: bool) -> None:
    state, sentence = row.state, row.end
    if state == "queued" and not row.seconds:
        sentence = "The job has not begun yet: press Resume to start it."
    elif state == "queued":
        sentence = "The job was interrupted when the app stopped. Its results so far are stored: press Resume to continue."
    if not sentence or state == "batch":
        return
    if compact:
        st.caption(escape(sentence))
    elif state in ("failed", "endpoint"):
        show_error(sentence)
    elif state == "done" and (row.total is None or row.done >= row.total):
        show_success(sentence)
    else:
        show_warning(sentence)


def _ask(job: str, asks: bool) -> None:
    st.session_state[f"job_{job}_asks"] = asks


def _act(job: str, act: str) -> None:
    """Pause, cancel or resume the job, or raise its budget, after a click on a button of the card; if that fails, store the
    error message for the card to show."""
    bench = open_workbench()
    runner = jobs.start(bench)
    _ask(job, False)
    try:
        if act == "raise":
            bench.upkeep.raise_budget(job, float(st.session_state[f"job_{job}_budget"]))
        {"pause": runner.pause, "cancel": runner.cancel, "resume": runner.resume, "raise": runner.resume}[act](job)
    except BenchError as error:
        st.session_state[f"job_{job}_trouble"] = str(error)
