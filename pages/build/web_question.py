"""Web question: a person writes a question, adds the pages that a search found for it, and tells the answer as of a time. What
is typed is kept at once; handed in, it waits for its review in two phases. Address: draft=ID."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.crag import labels, web_form, web_page_list
from pages.parts.ui.allowed import kept
from pages.parts.ui.heading import empty, heading
from pages.parts.ui.in_url import held, put, word
from pages.parts.ui.person import ask_here, person
from pages.parts.ui.say import done, trouble
from workbench import opened


def main() -> None:
    """The drafts of this person, and one of them."""
    heading(
        "Web question", "A question as people ask it, the pages that a search finds for it, and what is true when it is asked."
    )
    stage, who = opened().web_questions, person()
    if sentence := st.session_state.pop("web_said", ""):
        done(sentence)
    if sentence := st.session_state.pop("web_trouble", ""):
        trouble(sentence)
    labels.meanings()
    if not who:
        ask_here("Give your name: a draft stands under it.", "writes")
        return
    drafts = {draft.id: draft for draft in stage.drafts(who)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if drafts:
            chosen = word("draft", next(iter(drafts)), list(drafts))
            st.selectbox(
                "Your drafts",
                list(drafts),
                key="web_draft",
                width=480,
                on_change=held("web_draft", "draft", chosen),
                format_func=lambda id_: str(drafts[id_].content["question"])[:90] or "no question yet",
            )
        st.button("New question", icon=":material/add:", on_click=_begin, args=(who,), **kept("write questions"))
    if not drafts:
        empty("No question under way", "Begin one; a reload loses nothing of it.")
        return
    draft = drafts[chosen]
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        web_form.show(who, draft)
    with right:
        web_page_list.show(who, draft)


def _begin(who: str) -> None:
    try:
        put(draft=opened().web_questions.begin(who))
        st.session_state.pop("web_draft", None)
    except BenchError as error:
        st.session_state["web_trouble"] = str(error)


main()
