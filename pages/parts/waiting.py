"""What stands on a page while the workbench looks something up beside it."""

import streamlit as st

from workbench import opened


def waiting(key: str, words: str) -> None:
    """Say so, and draw the page again as soon as the thing asked aside under that key is there."""
    st.fragment(_look, run_every=0.4)(key, words)


def _look(key: str, words: str) -> None:
    if opened().one_draft.aside.is_ready(key):
        st.rerun()
    st.caption(f":material/hourglass_top: {words}")
