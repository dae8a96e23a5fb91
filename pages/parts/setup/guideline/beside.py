"""The guideline of a task beside the work on its items, as the Markdown that a lead wrote."""

import streamlit as st

from workbench import opened


def show(task: str) -> None:
    """Folded; nothing where none is written."""
    found = opened().guidelines.beside(task)
    if found is not None:
        with st.expander(f"Guideline, version {found['version']}", icon=":material/menu_book:"):
            st.html(found["html"])  # made by core/text/markdown.py, which lets no HTML of the text through
