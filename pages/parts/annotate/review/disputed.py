"""How many items wait to be decided between opinions, for those who decide between people: the way there."""

import streamlit as st

from pages.parts.ui.allowed import why_not
from workbench import opened


def show(who: str) -> None:
    """Draw it; nothing when there is nothing for this person."""
    if not who or why_not("decide between people"):
        return
    left = opened().adjudication.count_disputed(who).left
    if left:
        st.page_link(
            "pages/annotate/adjudicate.py", label=f"{left:,} to decide between", icon=":material/balance:", width="content"
        )
