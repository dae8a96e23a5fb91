"""Web question: a person writes a question, adds the web pages that a search finds for it, and gives the answer that is right
at a stated time. The page stores text as soon as a person has typed it. Two people then review a submitted question in two
phases. URL parameter: draft=ID."""

import streamlit as st

from pages.parts.annotate.crag import labels, web_form, web_page_list
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import choose, write_address
from pages.parts.ui.person import ask_here, get_person
from workbench import open_workbench


def main() -> None:
    """Show the list of this person's drafts of web questions, and the draft that is open."""
    show_heading(
        "Web question",
        "A question as people ask it, the web pages that a search finds for it, and its correct answer at the time of asking.",
    )
    who = get_person()
    show_feedback("web")
    labels.show_meanings()
    if not who:
        ask_here("Give your name: drafts are stored under it.", "writes")
        return
    drafts = {draft.id: draft for draft in open_workbench().web_questions.drafts(who)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if drafts:
            questions = {id_: str(draft.content["question"])[:90] or "no question yet" for id_, draft in drafts.items()}
            chosen = choose(st, "Your drafts", "draft", questions, "web_draft", width=480)
        draw_button("New question", "web_new", _begin, who, icon="add", requires="write questions")
    if not drafts:
        show_empty("No question in progress", "Begin a question; nothing is lost when you reload the page.")
        return
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        web_form.show(who, drafts[chosen])
    with right:
        web_page_list.show(who, drafts[chosen])


def _begin(who: str) -> None:
    with keep_errors("web"):
        write_address(draft=open_workbench().web_questions.begin(who))
        st.session_state.pop("web_draft", None)


main()
