"""Another draft of the same window: for a reason that goes into the prompt, or once more after a failure."""

import streamlit as st

import jobs
from pages.parts.build.draft.address import open_window
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors
from pages.parts.ui.person import ask_here
from workbench import opened
from workbench.build.trials.one_draft import DraftState


def show_buttons(draft: DraftState, person: str) -> None:
    """Draw the buttons that fit what the draft came to; none for one that is saved."""
    if draft.item is None:
        draw_button("Generate again", f"anew_{draft.job}", _plan_again, draft, icon="refresh", is_primary=True)
    if (draft.item and draft.item.status != "accepted") or draft.state == "none":
        with st.popover("Regenerate", icon=":material/refresh:", key=f"again_{draft.job}", width="content"):
            _draw_reason(draft, person)


def _draw_reason(draft: DraftState, person: str) -> None:
    job = draft.job
    st.caption("The reason goes into the prompt and is kept with the discarded draft. The same window is drafted again.")
    reasons = opened().one_draft.choices().reasons
    st.pills("Why another draft?", reasons, key=f"why_{job}", format_func=str.capitalize, disabled=not person)
    st.text_input("Or in your words", key=f"words_{job}", max_chars=500, disabled=not person)
    draw_button("Discard and regenerate", f"regenerate_{job}", _regenerate, draft, person, is_primary=True, disabled=not person)
    if not person:
        ask_here("Give your name: it is stored with the discarded draft.", f"again_{job}")


def _regenerate(draft: DraftState, person: str) -> None:
    typed, chosen = st.session_state.get(f"words_{draft.job}"), st.session_state.get(f"why_{draft.job}")
    with keep_errors("draft"):
        start(draft.window, opened().one_draft.regenerate(draft.job, person, str(typed or chosen or "")))


def _plan_again(draft: DraftState) -> None:
    with keep_errors("draft"):
        start(draft.window, opened().one_draft.plan_again(draft.job))


def start(window: str, job: str) -> None:
    """Start the job, unless it is over, and watch it."""
    if opened().one_draft.look(job).state == "working":
        jobs.start(opened()).submit(job)
    open_window(window, job)
