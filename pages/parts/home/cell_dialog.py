"""One cell of the board, laid open: what is in it, how many are wanted, and the ways to work there."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.allowed import kept
from pages.parts.grid import level_name
from pages.parts.home.fill_board import Cell
from pages.parts.say import plain
from workbench import opened


def cell_dialog(place: Cell, cell: Mapping[str, Any]) -> None:
    """Open it over the page."""
    name = f"{plain(place.domain)}: {plain(place.task.replace('_', ' '))}, {plain(level_name(place.level).lower())}"
    st.dialog(name)(_draw)(place, cell)


def _draw(place: Cell, cell: Mapping[str, Any]) -> None:
    task, level, domain = place
    here, at = {"task": task, "domain": domain}, {} if level is None else {"level": str(level)}
    parts = [f"{cell.get(status, 0):,} {word}" for status, word in (("accepted", "accepted"), ("drafted", "to review"),
             ("discarded", "discarded"), ("refused", "refused by a gate")) if cell.get(status)]  # fmt: skip
    st.write(", ".join(parts) if parts else "Nothing here yet.")
    target = st.number_input("Accepted items wanted", min_value=0, value=cell.get("target") or 0, step=5,
                             help="0 = no number.")  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Save", type="primary", **kept("set targets")):
            opened().board.set_target(task, level, domain, int(target) or None)
            st.rerun()
        st.space("stretch")
        st.page_link("pages/annotate/review.py", label="Review here", icon=":material/rate_review:",
                     disabled=not cell.get("drafted"), query_params=here | at)  # fmt: skip
        st.page_link("pages/build/draft.py", label="Draft here", icon=":material/edit_note:",
                     query_params=here)  # fmt: skip
