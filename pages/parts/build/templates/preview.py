"""A template tried on real rows: questions with their answers and the calls that lead to them, and why rows give none."""

from collections.abc import Mapping
from typing import Any, Literal

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.say import caution, note, plain
from pages.parts.ui.until_ready import until_ready
from workbench import opened

SIZES = (6, 15, 60)
_BUCKETS: Mapping[str, Literal["blue", "violet", "gray"]] = {"head": "blue", "torso": "violet", "tail": "gray"}
_KEPT = ("version", "versions", "saved_at", "saved_by", "about")
"""What a card says besides the template."""


def show(record: Mapping[str, Any], key: str) -> None:
    """Draw it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**What it asks**", width="content")
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
    wanted = {name: value for name, value in record.items() if name not in _KEPT}
    try:
        found = until_ready(lambda: opened().templates.preview(wanted, int(n or SIZES[0])), "Asking the rows", height=200)
    except BenchError as error:
        note(str(error))
        return
    if found is None:
        return
    if not found["items"]:
        empty = [bucket for bucket, count in found["candidates"].items() if bucket and not count]
        where = f" Nothing can be asked about any {' or '.join(empty)} entity, and buckets are balanced." if empty else ""
        caution(f"No row gives a question.{where}")
    for item in found["items"]:
        _question(item)
    _refused(found)


def _question(item: Mapping[str, Any]) -> None:
    with st.container(border=True, gap="xxsmall"):
        st.text(item["question"])
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(item['answer'])}**", width="content")
            if item["popularity"]:
                st.badge(item["popularity"], color=_BUCKETS[item["popularity"]])
            st.badge(item["difficulty"], color="gray")
        for line in item["chain"]:
            st.caption(plain(line))


def _refused(found: Mapping[str, Any]) -> None:
    if not found["refused"]:
        st.caption("Every row that was looked at gave a question.")
        return
    why = ", ".join(f"{n:,} {reason}" for reason, n in found["refused"].items())
    with st.expander(f"Rows that were looked at and give none: {plain(why)}", icon=":material/block:"):
        st.dataframe(
            [{"Key": str(one["key"]), "Why": one["why"], "Question": one["question"] or None} for one in found["examples"]],
            hide_index=True,
            placeholder="–",
        )
