"""The form in which a label question is asked or changed."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.label_questions import KIND_LABELS, MAX_CHARACTERS, MAX_RATING
from pages.parts.ui.person import person
from workbench import opened

NEW = "new"
"""In the place of a name in the address: a question that is not there yet. No question is called so where this form is open."""
DONE, TROUBLE = "label_done", "label_trouble"
_FIELDS = ("name", "text", "kind", "choices", "top", "required", "tasks")
_EVERY: Mapping[str, Any] = {"name": "", "text": "", "kind": "one", "choices": [], "top": 5, "required": False, "tasks": []}


def chosen(found: Sequence[Mapping[str, Any]]) -> str | None:
    """The question whose form is open, NEW, or None."""
    name = st.session_state.get("label_open")
    return name if name in (NEW, *(one["name"] for one in found if not one["retired"])) else None


def choose(name: str | None) -> None:
    """Open the form of that question, or close it."""
    for field in _FIELDS:
        st.session_state.pop(f"label_{field}", None)
    st.session_state["label_open"] = name


def retire(name: str, is_retired: bool) -> None:
    _change(name, "is retired: it is asked no more." if is_retired else "is asked again.", retired=is_retired)


def show(question: Mapping[str, Any] | None, tasks: Mapping[str, str], may: bool) -> None:
    """Draw the form; None = of a new question."""
    now = question or _EVERY
    has_answers = bool(question and question["answers"])
    with st.container(border=True, key="label_form"):
        if question is None:
            st.text_input(
                "Name",
                key="label_name",
                max_chars=MAX_CHARACTERS["name"],
                placeholder="difficulty",
                width=320,
                help="A short id for files and tables: small letters, digits and underscores.",
            )
        else:
            st.badge(question["name"], color="gray")
        st.text_input("What reviewers are asked", now["text"], key="label_text", max_chars=MAX_CHARACTERS["text"])
        kind = st.segmented_control(
            "Answered by",
            list(KIND_LABELS),
            default=now["kind"],
            key="label_kind",
            required=True,
            format_func=lambda one: KIND_LABELS[one].capitalize(),
            disabled=has_answers,
        )
        if has_answers:
            st.caption("It has answers, so its kind stays, and so do the choices that were chosen; others may be added.")
        if kind in ("one", "several"):
            st.text_area("Choices, one a line", "\n".join(now["choices"]), key="label_choices", height=140)
        elif kind == "rating":
            st.number_input("From 1 to", 2, MAX_RATING, now["top"] or 5, key="label_top", width=160)
        st.multiselect(
            "Asked of these tasks",
            list(tasks),
            now["tasks"],
            key="label_tasks",
            placeholder="all tasks",
            format_func=lambda task: tasks.get(task, task),
        )
        st.toggle("Required: nothing is accepted without an answer", now["required"], key="label_required")
        with st.container(horizontal=True):
            st.button(
                "Save",
                key="label_save",
                type="primary",
                disabled=not may,
                on_click=save,
                args=(question["name"] if question else None,),
            )
            st.button("Cancel", key="label_cancel", on_click=choose, args=(None,))


def save(name: str | None) -> None:
    """Store what the form holds; with what is wrong it stays open."""
    typed = st.session_state
    kind = typed["label_kind"]
    lines = [line.strip() for line in typed.get("label_choices", "").splitlines() if line.strip()]
    fields: dict[str, Any] = {"choice": lines} if kind in ("one", "several") else {}
    fields |= {"top": typed["label_top"]} if kind == "rating" else {}
    named = name or typed["label_name"].strip()
    if name is None and any(one["name"] == named for one in opened().label_questions.list_questions()):
        typed[TROUBLE] = f"There is a label question {named} already: change that one, or give this another name."
        return
    _change(
        named,
        "is asked from now on." if name is None else "is changed.",
        text=typed["label_text"],
        kind=kind,
        required=typed["label_required"],
        task=typed["label_tasks"] or ["all"],
        **fields,
    )


def _change(name: str, what: str, **fields: Any) -> None:
    try:
        opened().label_questions.change(name, person(), **fields)
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)
    else:
        choose(None)
        st.session_state[DONE] = f"The label question {name} {what}"
