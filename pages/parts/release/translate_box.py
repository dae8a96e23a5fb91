"""The form that lets an agent translate accepted items with their documents, as a job, with the cards of the jobs."""

from functools import partial

import streamlit as st

from core.text.language import language_name, rows
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
from workbench.release.pairs.translations import TranslationRequest


def show(key: str) -> None:
    """Show the folded form, and below it the jobs that were started here."""
    show_feedback(key)
    if not explain_refusal("draft items"):
        with st.expander("Translate accepted items into another language"):
            st.caption(
                "An agent translates items without a twin in the language, and the documents of their evidence. The drafts "
                "wait for review; each is a pair with its original."
            )
            first, second, third, fourth = st.columns([1.6, 3, 1.2, 1.6], vertical_alignment="bottom")
            language = first.selectbox("Language", list(rows()), index=None, format_func=language_name, key=f"{key}_language")
            with second:
                agent = agent_picker.show("Agent", f"{key}_agent")
            limit = third.number_input("Items at most", 1, value=20, key=f"{key}_limit")
            budget = budget_field(fourth, f"{key}_budget")
            if agent and language:
                _offer(TranslationRequest(agent=agent, language=language, limit=int(limit), budget=budget), key)
    for _ in job_card.show_listed():
        pass


def _offer(request: TranslationRequest, key: str) -> None:
    """Show the buttons that estimate and start the job, and the estimate."""
    with st.container(horizontal=True):
        draw_button("Translate", f"{key}_start", _start, request, key, icon="play_arrow", is_primary=True)
        draw_button("Estimate", f"{key}_estimate", ask_anew, f"{key}_look", icon="calculate", type="tertiary")
    if turn := find_turn(f"{key}_look", request):
        estimate = compute_once(turn, partial(open_workbench().translations.estimate, request), "Filling the prompts")
        if estimate is not None:
            counts = f"{count_things(estimate.items, 'item')}, {count_things(estimate.documents, 'document')}"
            st.markdown(f"**{counts}.** Nothing has been asked yet.")
            show_figures(estimate)
            show_notes(estimate)


def _start(request: TranslationRequest, key: str) -> None:
    with keep_errors(key):
        job_card.start_and_list(open_workbench().translations.plan(request))
