"""Two phases: questions on web pages are reviewed twice each, first their labels, then their answers; two people say theirs
blind to each other, a third resolves. And how much they agreed, what was put right, and which golds a system makes doubtful."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.crag import doubts, phase_form, phase_rates
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import keep_in_address, read_word
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import show_error, show_note, show_success
from workbench import open_workbench

VIEWS = {"mine": "My opinion", "conflicts": "Conflicts", "rates": "How it goes", "doubts": "Doubtful golds"}


def main() -> None:
    """One of four views."""
    show_heading(
        "Two phases", "Labels first, then answers: two people each, blind to each other, and a third where they differ."
    )
    if sentence := st.session_state.pop("phase_said", ""):
        show_success(sentence)
    if sentence := st.session_state.pop("phase_trouble", ""):
        show_error(sentence)
    view = read_word("view", "mine", list(VIEWS))
    st.segmented_control(
        "View",
        list(VIEWS),
        key="phases_view",
        required=True,
        format_func=lambda name: VIEWS[name],
        label_visibility="collapsed",
        on_change=keep_in_address("phases_view", "view", view),
    )
    if view == "rates":
        phase_rates.show(open_workbench().phases.rates())
    elif view == "doubts":
        doubts.show()
    else:
        _questions(view == "conflicts")


def _questions(resolves: bool) -> None:
    who = get_person()
    if not who:
        ask_here("Give your name: an opinion is stored under it, and none can be given without.")
    if resolves and (why := explain_refusal("decide between people")):
        show_note(why)
        return
    try:
        sheet = open_workbench().phases.find_next(who, resolves=resolves, after=st.session_state.get("phase_after"))
    except BenchError as error:
        show_error(str(error))
        return
    if sheet is None:
        show_empty(
            "Nothing waits for you" if not resolves else "No opinions differ",
            "Questions come from the page Web question; nobody reviews their own.",
            "pages/build/web_question.py",
            "Write one",
        )
        return
    phase_form.show(sheet, who)
    keys_help(phase_form.KEYS)


main()
