"""One cell of the board, laid open: what is in it, how many are wanted, and the ways to work there."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.say import plain
from workbench import opened


def cell_dialog(task: str, domain: str, cell: Mapping[str, Any]) -> None:
    """Open it over the page."""
    st.dialog(f"{plain(domain)}: {plain(task.replace('_', ' '))}")(_draw)(task, domain, cell)


def _draw(task: str, domain: str, cell: Mapping[str, Any]) -> None:
    parts = [f"{cell.get(status, 0):,} {word}" for status, word in (("accepted", "accepted"), ("drafted", "to review"),
             ("discarded", "discarded"), ("refused", "refused by a gate")) if cell.get(status)]  # fmt: skip
    st.write(", ".join(parts) if parts else "Nothing here yet.")
    target = st.number_input("Accepted items wanted", min_value=0, value=cell.get("target") or 0, step=5,
                             help="0 = no number.")  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Save", type="primary"):
            opened().board.set_target(task, domain, int(target) or None)
            st.rerun()
        st.space("stretch")
        st.page_link("pages/annotate/review.py", label="Review here", icon=":material/rate_review:",
                     disabled=not cell.get("drafted"), query_params={"task": task, "domain": domain})  # fmt: skip
        st.page_link("pages/build/draft.py", label="Draft here", icon=":material/edit_note:",
                     query_params={"task": task, "domain": domain})  # fmt: skip
