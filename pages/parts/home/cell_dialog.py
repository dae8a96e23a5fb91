"""A dialog about one cell of the board, which stands for a domain, a task and a level: its items, its target, and links to
pages that review or draft its items."""

import streamlit as st

from pages.parts.home.fill_board import BoardCell
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.grid import level_name
from pages.parts.ui.say import escape
from workbench import open_workbench
from workbench.annotate.desk.guidelines import name_task
from workbench.home.board import CellCounts, Spread


def cell_dialog(place: BoardCell, cell: CellCounts) -> None:
    """Open a dialog about one cell of the board."""
    name = f"{escape(place.domain)}: {escape(name_task(place.task))}, {escape(level_name(place.level).lower())}"
    st.dialog(name)(_draw)(place, cell)


def _draw(place: BoardCell, cell: CellCounts) -> None:
    task, level, domain = place
    here, at = {"task": task, "domain": domain}, {} if level is None else {"level": str(level)}
    parts = [
        f"{count:,} {word}"
        for count, word in (
            (cell.accepted, "accepted"),
            (cell.drafted, "to review"),
            (cell.discarded, "discarded"),
            (cell.refused, "refused by a gate"),
        )
        if count
    ]
    st.write(", ".join(parts) if parts else "Nothing here yet.")
    can_set, can_draft = not explain_refusal("set targets"), not explain_refusal("draft items")
    if can_set:
        _show_target(place, cell)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            "pages/annotate/review.py",
            label="Review here",
            icon=":material/rate_review:",
            disabled=not cell.drafted,
            query_params=here | at,
        )
        if can_draft:
            st.page_link("pages/build/draft.py", label="Draft here", icon=":material/edit_note:", query_params=here)


def _show_target(place: BoardCell, cell: CellCounts) -> None:
    """Show the form that sets the target of the cell, or of every domain or task."""
    target = st.number_input(
        "Target number of accepted items", min_value=0, value=cell.target or 0, step=5, help="Enter 0 for no target."
    )
    spreads: dict[Spread, str] = {"cell": "This cell", "domains": "Every domain", "tasks": "Every task"}
    spread = st.segmented_control(
        "Set it for",
        list(spreads),
        default="cell",
        required=True,
        format_func=spreads.__getitem__,
        help="Applies the target to this cell, to every domain of the task and level, or to every task and level of the "
        "domain.",
    )
    if st.button("Save", type="primary"):
        open_workbench().board.set_target(place.task, place.level, place.domain, int(target) or None, spread)
        st.rerun()
