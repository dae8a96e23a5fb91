"""The templates that this person is writing, and the open template: its form, and beside the form the questions that the
template would make from the current rows."""

import streamlit as st

from core.tables.world import Tables
from pages.parts.build.templates import form, preview
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import choose, write_address
from pages.parts.ui.person import ask_here, get_person
from workbench import open_workbench
from workbench.build.templates.templates import TemplateDraft


def show(world: Tables) -> None:
    """Show a select box for the person's drafts, and the form and preview of the open draft."""
    who = get_person()
    if not who:
        ask_here("Give your name: drafts are stored under it.", "writes")
        return
    drafts = {draft.id: draft for draft in open_workbench().templates.drafts(who)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if drafts:
            labels = {id_: _label_draft(draft) for id_, draft in drafts.items()}
            chosen = choose(st, "Your drafts", "draft", labels, "templates_draft", width=520)
        draw_button("New template", "templates_begin", _begin, who, icon="add", requires="draft items")
    if not drafts:
        show_empty(
            "No template in progress", "Begin a template, or edit one from the list; nothing is lost when you reload the page."
        )
        return
    draft = drafts[chosen]
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        record = form.show(who, draft, world)
    with right:
        preview.show(record, draft.id)


def _label_draft(draft: TemplateDraft) -> str:
    return f"{draft.content['id'] or 'new'}: {draft.content['text'] or 'no text yet'}"[:90]


def _begin(who: str) -> None:
    with keep_errors("templates"):
        write_address(draft=open_workbench().templates.begin(who))
        st.session_state.pop("templates_draft", None)
