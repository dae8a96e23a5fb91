"""Labels: the label questions that reviewers answer about an item, with their kind of answer and their tasks. Existing answers
stay as they are when a question changes."""

import streamlit as st

from pages.parts.label_question import card, form
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import show_feedback
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import show_note
from workbench import open_workbench


def main() -> None:
    """Show the list of label questions, the form of the open label question, and the button that adds a label question."""
    show_heading(
        "Labels",
        "Questions that every reviewer answers about an item: they appear on the review desk, releases contain the answers, "
        "and the page Progress shows how far reviewers agree.",
    )
    why = explain_refusal("set the rules of the work")
    if why:
        show_note(why)
    elif not get_person():
        ask_here("Give your name: label questions are stored under it.", "questions")
    show_feedback(form.FEEDBACK)
    stage = open_workbench().label_questions
    rows, may = stage.list_questions(), not why and bool(get_person())
    chosen = form.find_open(rows)
    asked = [row for row in rows if not row.question.is_retired]
    retired = [row for row in rows if row.question.is_retired]
    if not rows and chosen is None:
        show_empty(
            "No label questions yet",
            "A label question asks, for example, how hard an item is, which sources it needs, or what is wrong with it; the "
            "answer is a choice, several choices, a rating or free text.",
        )
    for row in asked:
        form.show(row, stage.tasks(), may) if chosen == row.question.name else card.show(row, stage.tasks(), may)
    if chosen == form.NEW:
        form.show(None, stage.tasks(), may)
    else:
        draw_button("Ask a question", "label_new", form.open_form, form.NEW, icon="add", is_primary=True, disabled=not may)
    if retired:
        st.markdown("**Retired**")
        st.caption(
            "Reviewers are not asked these questions: somebody retired them, or they came with an imported release or imported "
            "reviews. Existing answers are kept and count in releases and in agreement."
        )
        for row in retired:
            card.show(row, stage.tasks(), may)


main()
