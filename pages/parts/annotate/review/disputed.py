"""How many items wait to be decided between opinions, for those who decide between people: the way there."""

import streamlit as st

from pages.parts.ui.allowed import explain_refusal
from workbench import open_workbench


def show(who: str) -> None:
    """Draw it; nothing when there is nothing for this person."""
    if not who or explain_refusal("decide between people"):
        return
    left = open_workbench().adjudication.waiting(who).left
    if left:
        st.page_link(
            "pages/annotate/adjudicate.py", label=f"{left:,} to decide between", icon=":material/balance:", width="content"
        )
