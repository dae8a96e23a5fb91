"""Labels: the label questions for reviewers, their kinds of answer, and their tasks. What is answered stays as it is, whatever
becomes of its question."""

import streamlit as st

from pages.parts.label_question import card, form
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import show_error, show_note, show_success
from workbench import open_workbench


def main() -> None:
    """The questions, one of them open where it is changed, and the way to a new one."""
    show_heading(
        "Labels",
        "Questions that every reviewer answers about an item: they appear on the desk, their answers go into releases, "
        "and their agreement is on Progress.",
    )
    why = explain_refusal("set the rules of the work")
    if why:
        show_note(why)
    elif not get_person():
        ask_here("Give your name: questions are asked under it.", "questions")
    for key, say in ((form.DONE, show_success), (form.TROUBLE, show_error)):
        if sentence := st.session_state.pop(key, ""):
            say(sentence)
    stage = open_workbench().label_questions
    found, may = stage.every(), not why and bool(get_person())
    chosen = form.find_open(found)
    asked = [one for one in found if not one["retired"]]
    retired = [one for one in found if one["retired"]]
    if not found and chosen is None:
        show_empty(
            "Nothing is asked yet",
            "A label question is answered by a choice, several choices, a rating or free text: how "
            "hard an item is, which sources it needs, what is wrong with it.",
        )
    for question in asked:
        form.show(question, stage.tasks(), may) if chosen == question["name"] else card.show(question, stage.tasks(), may)
    if chosen == form.NEW:
        form.show(None, stage.tasks(), may)
    else:
        draw_button("Ask a question", "label_new", form.choose, form.NEW, icon="add", is_primary=True, disabled=not may)
    if retired:
        st.markdown("**Retired**")
        st.caption(
            "Retired, or imported with a release or reviews and not asked here yet. Their answers are kept, also in "
            "releases and in agreement."
        )
        for question in retired:
            card.show(question, stage.tasks(), may)


main()
