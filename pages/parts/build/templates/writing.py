"""The templates that this person is writing, and one of them: its form, and beside it what it asks as it stands."""

from typing import Any

import streamlit as st

from core.errors import BenchError
from core.tables.world import Tables
from pages.parts.build.templates import form, preview
from pages.parts.ui.allowed import kept
from pages.parts.ui.heading import empty
from pages.parts.ui.in_url import held, put, word
from pages.parts.ui.person import ask_here, person
from pages.parts.ui.say import plain
from workbench import opened
from workbench.build.templates.templates import TemplateDraft


def show(world: Tables) -> None:
    """Draw the choice of a draft, and the draft."""
    who, stage = person(), opened().templates
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
                key="templates_draft",
                width=520,
                on_change=held("templates_draft", "draft", chosen),
                format_func=lambda id_: _named(drafts[id_]),
            )
        st.button(
            "New template", icon=":material/add:", key="templates_begin", on_click=_begin, args=(who,), **kept("draft items")
        )
    if not drafts:
        empty("No template under way", "Begin one, or edit one of the list; a reload loses nothing of it.")
        return
    draft = drafts[chosen]
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        written = form.show(who, draft, world)
    with right:
        preview.show(written, draft.id)


def _named(draft: TemplateDraft) -> str:
    content: Any = draft.content
    name, text = content["id"] or "new", content["text"] or "no words yet"
    return f"{name}: {text}"[:90]


def _begin(who: str) -> None:
    try:
        put(draft=opened().templates.begin(who))
        st.session_state.pop("templates_draft", None)
    except BenchError as error:
        st.session_state["templates_trouble"] = plain(str(error))
