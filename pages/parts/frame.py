"""What stands around every page: the name of the workspace and of the person, and the help on `?`."""

import streamlit as st

from pages.parts.person import ask_for_person
from workbench import opened


def frame() -> None:
    """Draw it. Raises BenchError when the workspace cannot be opened: there is nothing to show then."""
    path = opened().database.path
    with st.sidebar:
        st.caption(f"Workspace **{path.stem if path else 'in memory'}**")
        ask_for_person()
