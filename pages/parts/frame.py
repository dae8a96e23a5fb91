"""What stands around every page: the wordmark, the name of the workspace, and the name of the person."""

from pathlib import Path

import streamlit as st

from pages.parts.person import ask_for_person
from pages.parts.say import plain
from workbench import opened

WORDMARK = Path(__file__).with_name("wordmark.svg")
_STYLE = """
<style>
[data-testid="stMainBlockContainer"] { padding-left: 2.4rem; padding-right: 2.4rem; }
[data-testid="stSidebarNav"] li { margin-bottom: 0; }
[data-testid="stSidebarNav"] a { margin-top: 0; margin-bottom: 0; padding-top: 0; padding-bottom: 0; }
</style>
"""
"""What the theme's settings do not reach: the main column's sides, and a menu so close that the name below it is in sight."""


def frame() -> None:
    """Draw it. Raises BenchError when the workspace cannot be opened: there is nothing to show then."""
    st.html(_STYLE)
    st.logo(str(WORDMARK), size="large")
    path = opened().database.path
    with st.sidebar:
        st.caption(f"Workspace **{plain(path.stem) if path else 'in memory'}**")
        ask_for_person()
