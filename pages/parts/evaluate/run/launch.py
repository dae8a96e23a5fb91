"""Starts jobs after a click on Start: the release is read in the background, then the jobs start and the page shows them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from uuid import uuid4

import streamlit as st

import jobs
from pages.parts.setup.agent import batch_files
from pages.parts.ui.allowed import guard
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.in_place import draw_in_place, redraw_page
from pages.parts.ui.in_url import replace_address
from workbench import open_workbench
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.sweeps.sweep_plan import SweepPlan

PENDING = "launch_pending"
PlanJob = Callable[[str, float], str | None]
"""Callback that takes a ticket and the seconds to wait, plans a job, and returns the job's id, or None while planning has not
finished."""


def begin_runs(requests: Sequence[RunRequest], to: str, is_batched: bool = False) -> None:
    """Start a job for each of the run requests; call this function in a button's callback. After the click, the page's URL
    contains the jobs' ids in the parameter that `to` names, "job" or "check". With `is_batched`, the requests to the agent are
    written into batch files."""
    with keep_errors("launch"):
        for request in requests:
            open_workbench().runs.check(request)
        _begin([partial(_plan_run, request, is_batched) for request in requests], to)


def begin_retry(run: str, job: str) -> None:
    """Start a job that asks the failed questions of the run again, with the budget of the run's earlier `job`; call this
    function in a button's callback."""
    with keep_errors("launch"):
        budget = open_workbench().upkeep.job(job).budget
        request = replace(open_workbench().runs.rebuild_request(run), budget=budget)
        _begin([partial(open_workbench().runs.plan_in_background, request, retry_failed=True)], "job")


def begin_sweep(plan: SweepPlan) -> None:
    """Start the job of a sweep; call this function in a button's callback."""
    _begin([partial(open_workbench().sweeps.plan_in_background, plan)], "job")


def start_button(label: str, key: str, begin: Callable[..., None], *args: object) -> None:
    """Show the button that starts runs or a sweep by calling `begin` with these arguments."""
    permission = guard("run systems")
    st.button(label, key, type="primary", icon=":material/play_arrow:", on_click=begin, args=args, **permission)


def show() -> None:
    """Show the state of the last click on Start: a waiting message while the job is planned, the reason if it cannot start, or
    nothing."""
    if PENDING in st.session_state:
        if _is_planned(0.5):
            redraw_page()
        draw_in_place(_wait, every=0.5)()
    show_feedback("launch")


def _plan_run(request: RunRequest, is_batched: bool, ticket: str, wait: float) -> str | None:
    job = open_workbench().runs.plan_in_background(request, ticket, wait)
    if job is not None:
        batch_files.assign(job, is_batched)
    return job


def _begin(planners: Sequence[PlanJob], to: str) -> None:
    st.session_state[PENDING] = (uuid4().hex, tuple(planners), to)


def _wait() -> None:
    if PENDING not in st.session_state or _is_planned(0.0):
        redraw_page()
    st.caption(":material/hourglass_top: Reading the release. The run starts automatically.")


def _is_planned(wait: float) -> bool:
    """Start the jobs once all of them are planned. Return True if planning has ended, with jobs or with an error."""
    ticket, planners, to = st.session_state[PENDING]
    planned: list[str] = []
    with keep_errors("launch"):
        for n, plan in enumerate(planners):
            job = plan(f"{ticket} {n}", wait)
            if job is None:
                return False
            planned.append(job)
        for job in planned:
            jobs.start(open_workbench()).submit(job)
        replace_address(**{to: planned})
    del st.session_state[PENDING]
    return True
