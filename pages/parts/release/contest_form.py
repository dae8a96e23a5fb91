"""The form in which a person contests an item of a release."""

from functools import partial

import streamlit as st

from core.quality.contests import KINDS, ContestKind
from pages.parts.ui.allowed import explain_refusal, find_guest_release
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.fields import select_field
from pages.parts.ui.person import ask_here, get_person
from workbench import open_workbench
from workbench.release.contests import NewContest

KEY = "contest"


def show(release: str, item: str) -> None:
    """Show the folded form for contesting an item, and a message on the contest that was sent last."""
    if find_guest_release() is None and explain_refusal("contest items"):
        return
    show_feedback(KEY)
    key = f"{KEY}_{item}"
    with st.expander("Contest this item", icon=":material/gavel:"):
        ask_here("Give your name, so that a lead can ask you; you can also contest without it.", KEY)
        with st.form(f"{key}_form", border=False, enter_to_submit=False, clear_on_submit=False):
            select_field(st, "What is wrong", KINDS, f"{key}_kind")
            st.text_area("Proposed answer, if any", key=f"{key}_answer", max_chars=5_000, height="content")
            st.text_area("Reason", key=f"{key}_reason", max_chars=5_000, height="content")
            st.form_submit_button(
                "Contest",
                key=f"{key}_send",
                icon=":material/gavel:",
                type="primary",
                shortcut="ctrl+enter",
                on_click=partial(_send, release, item, key),
            )
        st.caption("A lead decides. The release does not change; accepted contests go into its erratum, a new release.")


def _send(release: str, item: str, key: str) -> None:
    state = st.session_state
    kind: ContestKind = state[f"{key}_kind"]
    with keep_errors(KEY):
        answer, reason = (str(state[f"{key}_{name}"] or "") for name in ("answer", "reason"))
        new = NewContest(item=item, kind=kind, answer=answer, reason=reason, person=get_person())
        contest = open_workbench().contests.submit(release, new)
        state[f"{key}_answer"] = state[f"{key}_reason"] = ""
        keep_success(
            KEY,
            f"Contest {contest.id[:6]} waits for a lead." if contest.state == "open" else "This contest is decided already.",
        )
