"""A label question as it stands: what is asked, how it is answered, of which tasks, and how often it was."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.label_questions import KIND_LABELS
from pages.parts.label_question import form
from pages.parts.ui.say import counted, plain


def show(question: Mapping[str, Any], tasks: Mapping[str, str], may: bool) -> None:
    """Draw it with its buttons; `may` = whoever looks may change it."""
    name = question["name"]
    with st.container(border=True, key=f"label_card_{name}", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{plain(question['text'])}**", width="content")
            st.space("stretch")
            if question["retired"]:
                st.button(
                    "Ask it again",
                    key=f"label_restore_{name}",
                    icon=":material/undo:",
                    disabled=not may,
                    on_click=form.retire,
                    args=(name, False),
                )
            else:
                st.button(
                    "Change",
                    key=f"label_change_{name}",
                    icon=":material/edit:",
                    disabled=not may,
                    on_click=form.choose,
                    args=(name,),
                )
                st.button(
                    "Retire",
                    key=f"label_retire_{name}",
                    icon=":material/archive:",
                    disabled=not may,
                    help="It is asked no more; its answers stay.",
                    on_click=form.retire,
                    args=(name, True),
                )
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(plain(name), color="gray")
            st.badge(kind(question), color="blue")
            if question["required"]:
                st.badge("required", color="orange")
            of = ", ".join(tasks.get(task, task) for task in question["tasks"]) or "all tasks"
            st.caption(plain(f"Of {of}. {counted(question['answers'], 'answer')}."), width="content")
        if question["choices"]:
            st.text(" · ".join(question["choices"]))


def kind(question: Mapping[str, Any]) -> str:
    """What an answer to it is, as it is called."""
    named = KIND_LABELS[question["kind"]]
    return f"{named} 1 to {question['top']}" if question["kind"] == "rating" else named
