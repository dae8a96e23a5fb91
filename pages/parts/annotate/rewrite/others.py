"""The rewrites of a question, shown to a person who wrote one: the person can take back their own rewrite, and accept or
discard rewrites of other people that are still drafts."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.nouns import Variant
from core.person_name import is_same_person
from pages.parts.ui.say import escape

Decide = Callable[[str, str], None]
"""Callback that takes a variant's id, and "accept" or "discard"."""


def show(written: Sequence[Variant], person: str, decide: Decide) -> None:
    """Show the rewrites in `written` with their buttons, which call `decide`."""
    st.subheader("Rewrites of this question", anchor=False)
    for variant in written:
        is_own = is_same_person(variant.generator, person)
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(gap=None):
                st.text(variant.text)
                st.caption(f"{'You' if is_own else escape(variant.generator)}, {variant.status}{_describe_doubt(variant)}")
            if is_own and variant.status != "discarded":
                st.button("Take back", key=f"back_{variant.id}", on_click=decide, args=(variant.id, "discard"))
            elif variant.status == "drafted":
                st.button("Accept", key=f"accept_{variant.id}", on_click=decide, args=(variant.id, "accept"))
                st.button("Discard", key=f"discard_{variant.id}", on_click=decide, args=(variant.id, "discard"))


def _describe_doubt(variant: Variant) -> str:
    checks = variant.checks
    return escape(f"; {checks.get('near', '')} Kept because: {checks['kept_because']}") if checks.get("kept_because") else ""
