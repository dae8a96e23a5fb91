"""The rewrites of a question, shown to whoever wrote one: one's own can be taken back, what others left as a draft is
accepted or discarded."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.person_name import is_same_person
from pages.parts.ui.say import escape

Decide = Callable[[str, str], None]
"""(variant, "accept" or "discard")."""


def show(written: Sequence[Mapping[str, Any]], person: str, decide: Decide) -> None:
    """Draw them; `decide` is called from the buttons."""
    st.subheader("Rewrites of this question", anchor=False)
    for one in written:
        is_own = is_same_person(one["generator"], person)
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(gap=None):
                st.text(one["text"])
                st.caption(f"{'You' if is_own else escape(one['generator'])}, {one['status']}{_why(one['checks'])}")
            if is_own and one["status"] != "discarded":
                st.button("Take back", key=f"back_{one['id']}", on_click=decide, args=(one["id"], "discard"))
            elif one["status"] == "drafted":
                st.button("Accept", key=f"accept_{one['id']}", on_click=decide, args=(one["id"], "accept"))
                st.button("Discard", key=f"discard_{one['id']}", on_click=decide, args=(one["id"], "discard"))


def _why(checks: Mapping[str, Any]) -> str:
    if not checks.get("kept_because"):
        return ""
    return escape(f"; {checks.get('near', '')} Kept because: {checks['kept_because']}")
