"""The form that adds or changes a label question."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.label_questions import KIND_LABELS, MAX_CHARACTERS, MAX_RATING, LabelQuestion
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, keep_success
from pages.parts.ui.person import get_person
from workbench import open_workbench
from workbench.annotate.desk.label_questions import CountedQuestion

NEW = "new"
"""Session value that stands in place of a question's name while the form of a new question is open."""
FEEDBACK = "label"
_FIELDS = ("name", "text", "kind", "choices", "top", "required", "tasks")
_EMPTY = LabelQuestion("", "", "one", top=5)


def find_open(rows: Sequence[CountedQuestion]) -> str | None:
    """Return the name of the label question whose form is open, NEW for a new question, or None."""
    name: str | None = st.session_state.get("label_open")
    return name if name in (NEW, *(row.question.name for row in rows if not row.question.is_retired)) else None


def open_form(name: str | None) -> None:
    """Open the form of the label question `name`, or close the form if `name` is None."""
    for field in _FIELDS:
        st.session_state.pop(f"label_{field}", None)
    st.session_state["label_open"] = name


def retire(name: str, is_retired: bool) -> None:
    """Retire the label question, so that reviewers are no longer asked it, or make it active again."""
    _change(name, "is retired: nobody is asked it any more." if is_retired else "is asked again.", retired=is_retired)


def show(row: CountedQuestion | None, tasks: Mapping[str, str], may: bool) -> None:
    """Show the form of the label question in `row`, or an empty form if `row` is None."""
    question, has_answers = (row.question, row.answers > 0) if row else (_EMPTY, False)
    with st.container(border=True, key="label_form"):
        if row is None:
            st.text_input(
                "Name",
                key="label_name",
                max_chars=MAX_CHARACTERS["name"],
                placeholder="difficulty",
                width=320,
                help="A short name used in files and tables: lower-case letters, digits and underscores.",
            )
        else:
            st.badge(question.name, color="gray")
        st.text_input("What reviewers are asked", question.text, key="label_text", max_chars=MAX_CHARACTERS["text"])
        kind = st.segmented_control(
            "Answered by",
            list(KIND_LABELS),
            default=question.kind,
            key="label_kind",
            required=True,
            format_func=lambda kind: KIND_LABELS[kind].capitalize(),
            disabled=has_answers,
        )
        if has_answers:
            st.caption("This question has answers, so its kind and the choices in use cannot change; you can add choices.")
        if kind in ("one", "several"):
            st.text_area("Choices, one per line", "\n".join(question.choices), key="label_choices", height=140)
        elif kind == "rating":
            st.number_input("From 1 to", 2, MAX_RATING, question.top or 5, key="label_top", width=160)
        st.multiselect(
            "Asked of these tasks",
            list(tasks),
            question.tasks,
            key="label_tasks",
            placeholder="all tasks",
            format_func=lambda task: tasks.get(task, task),
        )
        st.toggle("Required: an item can be accepted only with an answer", question.is_required, key="label_required")
        with st.container(horizontal=True):
            draw_button("Save", "label_save", save, row and question.name, is_primary=True, disabled=not may)
            draw_button("Cancel", "label_cancel", open_form, None)


def save(name: str | None) -> None:
    """Store the label question in the form; the form stays open if a value is wrong. `name` is None for a new question."""
    typed = st.session_state
    kind = typed["label_kind"]
    lines = [line.strip() for line in typed.get("label_choices", "").splitlines() if line.strip()]
    fields: dict[str, Any] = {"choice": lines} if kind in ("one", "several") else {}
    fields |= {"top": typed["label_top"]} if kind == "rating" else {}
    new_name = name or typed["label_name"].strip()
    if name is None and any(row.question.name == new_name for row in open_workbench().label_questions.list_questions()):
        sentence = f"A label question {new_name} exists already: change it, or choose another name."
        typed[f"{FEEDBACK}_trouble"] = sentence
        return
    _change(
        new_name,
        "is asked from now on." if name is None else "is changed.",
        text=typed["label_text"],
        kind=kind,
        required=typed["label_required"],
        task=typed["label_tasks"] or ["all"],
        **fields,
    )


def _change(name: str, outcome: str, **fields: Any) -> None:
    with keep_errors(FEEDBACK):
        open_workbench().label_questions.change(name, get_person(), **fields)
        open_form(None)
        keep_success(FEEDBACK, f"The label question {name} {outcome}")
