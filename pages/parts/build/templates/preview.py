"""A preview of a template on the current rows: questions with their answers and the function calls that lead to them, and why
other rows give no question."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import streamlit as st

from core.errors import BenchError
from core.nouns import Item
from pages.parts.ui.say import escape, show_note, show_warning
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.build.templates.templates import TemplatePreview

SIZES = (6, 15, 60)
BUCKET_COLORS: Mapping[str, Literal["blue", "violet", "gray"]] = {"head": "blue", "torso": "violet", "tail": "gray"}


def show(record: Mapping[str, Any], key: str) -> None:
    """Show the questions that a template, given as a dict, makes from the current rows."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**What the template asks**", width="content")
        st.space("stretch")
        n = st.segmented_control(
            "Questions",
            SIZES,
            default=SIZES[0],
            required=True,
            key=f"template_tried_{key}",
            label_visibility="collapsed",
            format_func=lambda n: f"{n} questions",
        )
    try:
        preview = until_ready(
            lambda: open_workbench().templates.preview(record, int(n or SIZES[0])),
            "Filling the template from the rows",
            height=200,
        )
    except BenchError as error:
        show_note(str(error))
        return
    if preview is None:
        return
    if not preview.drafted.items:
        empty = [bucket for bucket, count in preview.drafted.candidates.items() if bucket and not count]
        where = (
            f" No question can be made about {' or '.join(empty)} entities, and the numbers of head, torso and tail questions "
            "must be equal."
            if empty
            else ""
        )
        show_warning(f"No row gives a question.{where}")
    for item, chain in zip(preview.drafted.items, preview.chains, strict=True):
        _draw_question(item, chain)
    _draw_refused(preview)


def _draw_question(item: Item, chain: Sequence[str]) -> None:
    with st.container(border=True, gap="xxsmall"):
        st.text(item.question)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape(item.answers[0])}**", width="content")
            if bucket := item.labels.get("popularity"):
                st.badge(bucket, color=BUCKET_COLORS[bucket])
            st.badge(item.labels["difficulty"], color="gray")
        for line in chain:
            st.caption(escape(line))


def _draw_refused(preview: TemplatePreview) -> None:
    refused, examples = preview.drafted.refused, preview.drafted.examples
    if not refused:
        st.caption("Every row that was read gave a question.")
        return
    why = ", ".join(f"{n:,} {reason}" for reason, n in refused.items())
    with st.expander(f"Rows that were read and give no question: {escape(why)}", icon=":material/block:"):
        rows = [{"Key": str(question.key), "Why": question.why, "Question": question.question or None} for question in examples]
        st.dataframe(rows, hide_index=True, placeholder="–")
