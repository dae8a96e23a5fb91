"""The form that lets an agent draft the nuggets of items that have none, as a job, with the cards of the jobs."""

from functools import partial

import streamlit as st

from pages.parts.build.draft.estimate import show_figures, show_notes
from pages.parts.setup.agent import agent_picker
from pages.parts.ui import job_card
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.fields import budget_field
from pages.parts.ui.say import count_things
from pages.parts.ui.waiting import ask_anew, compute_once, find_turn
from workbench import open_workbench
from workbench.evaluate.scoring.nuggets import DraftRequest, NuggetFilter


def show(key: str, only: NuggetFilter, missing: int, item: str = "") -> None:
    """Show the form that drafts nuggets for one item, or for the `missing` items that the filter chooses and that have no
    nuggets. Below the form, show the jobs that were started here."""
    show_feedback(key)
    if missing and not explain_refusal("draft nuggets"):
        what = "the nuggets of this item" if item else f"the nuggets of {count_things(missing, 'item')}"
        with st.expander(f"Draft {what}", expanded=bool(item), icon=":material/edit_note:"):
            left, middle, right = st.columns([3, 1.6, 1.4], vertical_alignment="bottom")
            with left:
                agent = agent_picker.show("Agent", f"{key}_agent")
            budget = budget_field(middle, f"{key}_budget")
            st.caption(
                "One call per item lists the facts in the gold answer, with the sentences of the evidence that state them. "
                "Items that have nuggets are left out."
            )
            if agent:
                request = DraftRequest(agent=agent, only=only, items=(item,) if item else (), budget=budget)
                with right:
                    draw_button("Draft", f"{key}_start", _start, request, key, icon="play_arrow", is_primary=True)
                if turn := find_turn(f"{key}_look", request):
                    estimate = compute_once(turn, partial(open_workbench().nuggets.estimate, request), "Filling the prompts")
                    if estimate is not None:
                        st.markdown(f"**{count_things(estimate.items, 'item')}.** Nothing has been asked yet.")
                        show_figures(estimate)
                        show_notes(estimate)
                else:
                    draw_button("Estimate", f"{key}_estimate", ask_anew, f"{key}_look", icon="calculate", type="tertiary")
    for _ in job_card.show_listed():
        pass


def _start(request: DraftRequest, key: str) -> None:
    with keep_errors(key):
        job_card.start_and_list(open_workbench().nuggets.plan(request))
