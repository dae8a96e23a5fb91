"""Another draft of the same window: for a reason that goes into the prompt, or once more after a failure."""

from typing import Any

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.build.draft.at import go
from pages.parts.ui.person import ask_here
from workbench import opened

ANOTHER = ("unreadable", "none")
"""What would come again word for word, because it stands in the ledger: these are asked for with another seed."""
TROUBLE = "draft_trouble"
"""Where the page finds the sentence of a press that could not be done."""


def draft_again(seen: dict[str, Any], person: str) -> None:
    """Draw the buttons that fit what the draft came to; none for one that is saved."""
    job, item = seen["job"], seen["item"]
    if item is None:
        st.button("Generate again", key=f"anew_{job}", icon=":material/refresh:", type="primary", on_click=_anew, args=(seen,))
    if (item and item["status"] != "accepted") or seen["state"] == "none":
        with st.popover("Regenerate", icon=":material/refresh:", key=f"again_{job}", width="content"):
            _reason(job, seen["window"], person)


def _reason(job: str, window: str, person: str) -> None:
    st.caption("The reason goes into the prompt and is kept with the discarded draft. The same window is drafted again.")
    st.pills(
        "Why another draft?",
        opened().one_draft.choices()["reasons"],
        key=f"why_{job}",
        format_func=str.capitalize,
        disabled=not person,
    )
    st.text_input("Or in your words", key=f"words_{job}", max_chars=500, disabled=not person)
    st.button(
        "Discard and regenerate",
        key=f"regenerate_{job}",
        type="primary",
        disabled=not person,
        on_click=_regenerate,
        args=(job, window, person),
    )
    if not person:
        ask_here("Give your name: a draft is discarded by somebody.", f"again_{job}")


def _regenerate(job: str, window: str, person: str) -> None:
    reason = str(st.session_state.get(f"words_{job}") or st.session_state.get(f"why_{job}") or "")
    try:
        start(window, opened().one_draft.again(job, person, reason))
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)


def _anew(seen: dict[str, Any]) -> None:
    attempt = seen["attempt"] + (seen["state"] in ANOTHER)
    try:
        start(
            seen["window"],
            opened().one_draft.plan(
                seen["wish"],
                seen["agent"],
                seen["window"],
                rag_check=seen["rag_check"],
                reason=seen["reason"],
                previous=seen["previous"],
                after=seen["job"],
                attempt=attempt,
            ),
        )
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)


def start(window: str, job: str) -> None:
    """Have the job worked, unless it is over, and watch it."""
    if opened().one_draft.look(job)["state"] == "working":
        jobs.start(opened()).submit(job)
    go(window, job)
