"""The card of a label question: its text, kind of answer, tasks, and number of answers."""

from collections.abc import Mapping

import streamlit as st

from core.label_questions import KIND_LABELS, LabelQuestion
from pages.parts.label_question import form
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.say import count_things, escape
from workbench.annotate.desk.label_questions import CountedQuestion


def show(row: CountedQuestion, tasks: Mapping[str, str], may: bool) -> None:
    """Show the card of a label question with its buttons, which are disabled unless `may` is true."""
    question = row.question
    name = question.name
    with st.container(border=True, key=f"label_card_{name}", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{escape(question.text)}**", width="content")
            st.space("stretch")
            if question.is_retired:
                draw_button("Ask it again", f"label_restore_{name}", form.retire, name, False, icon="undo", disabled=not may)
            else:
                draw_button("Change", f"label_change_{name}", form.open_form, name, icon="edit", disabled=not may)
                draw_button(
                    "Retire",
                    f"label_retire_{name}",
                    form.retire,
                    name,
                    True,
                    icon="archive",
                    disabled=not may,
                    help="This question is retired; its answers are kept.",
                )
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(escape(name), color="gray")
            st.badge(describe_kind(question), color="blue")
            if question.is_required:
                st.badge("required", color="orange")
            of = ", ".join(tasks.get(task, task) for task in question.tasks) or "all tasks"
            st.caption(escape(f"Asked about {of}. {count_things(row.answers, 'answer')}."), width="content")
        if question.choices:
            st.text(" · ".join(question.choices))


def describe_kind(question: LabelQuestion) -> str:
    """Describe in words how a label question is answered, such as a rating from 1 to 5."""
    kind = KIND_LABELS[question.kind]
    return f"{kind} 1 to {question.top}" if question.kind == "rating" else kind
