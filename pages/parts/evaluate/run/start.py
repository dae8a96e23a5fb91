"""From a press on Start to jobs at work: what is asked is checked at once, the release is read in the background, and then the
page goes to where the work can be watched."""

from collections.abc import Sequence
from uuid import uuid4

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.say import trouble
from workbench import opened
from workbench.evaluate.running.run_request import RunRequest

_PENDING, _TROUBLE = "run_pending", "run_trouble"


def begin(asked: Sequence[RunRequest], to: str) -> None:
    """A button's work: `to` is the part of the address that then holds the jobs, "job" or "check"."""
    st.session_state.pop(_TROUBLE, None)
    try:
        for one in asked:
            opened().runs.check(one)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
        return
    st.session_state[_PENDING] = (uuid4().hex, tuple(asked), to)


def show() -> None:
    """What became of the last press: nothing to see, a sentence why it cannot be, or a line while it is made ready."""
    if _PENDING in st.session_state:
        if _planned(0.5):
            st.rerun()
        draw_in_place(_waiting, every=0.5)()
    if message := st.session_state.pop(_TROUBLE, ""):
        trouble(message)


def _waiting() -> None:
    if _PENDING not in st.session_state or _planned(0.0):
        st.rerun()
    st.caption(":material/hourglass_top: The release is being read. The run starts by itself.")


def _planned(wait: float) -> bool:
    """Whether the waiting is over: every job is planned and at work, or it cannot be."""
    ticket, asked, to = st.session_state[_PENDING]
    found = []
    try:
        for n, one in enumerate(asked):
            job = opened().runs.planned(one, f"{ticket} {n}", wait)
            if job is None:
                return False
            found.append(job)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
    else:
        for job in found:
            jobs.start(opened()).submit(job)
        st.query_params.from_dict({to: found})
    del st.session_state[_PENDING]
    return True
