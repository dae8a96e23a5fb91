"""A list of questions whose gold answer may be wrong, because the gold answer is empty or because a system's answer was scored
as wrong against it; each question has a link to the review desk."""

import streamlit as st

from pages.parts.ui import listing
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.say import show_note
from workbench import open_workbench

COLUMNS = {
    "question": st.column_config.TextColumn("Question", width=270),
    "gold": st.column_config.TextColumn("Gold", width=150),
    "answer": st.column_config.TextColumn("The system's answer", width=180),
    "why": st.column_config.TextColumn("Why the gold answer may be wrong", width=340),
}


def show() -> None:
    """Show a select box for a run whose answers are compared with the gold answers, and the list of questions whose gold answer
    is in doubt."""
    with show_errors():
        names = {line.run.id: f"{line.name} · {line.run.release}" for line in open_workbench().reports.runs()}
        run = st.selectbox(
            "Run of a simple system to compare with",
            list(names),
            index=None,
            key="doubts_run",
            width=480,
            format_func=names.__getitem__,
            placeholder="none: check the gold answers alone",
        )
        doubts = open_workbench().phases.list_doubts(run)
        if not doubts:
            show_note("No gold answer is in doubt: none is empty" + (", and no answer of the system is wrong." if run else "."))
            return
        st.caption(f"{len(doubts):,} to check.")
        columns = {name: column for name, column in COLUMNS.items() if run is not None or name != "answer"}
        rows = [{name: getattr(doubt, name) for name in columns} for doubt in doubts]
        place = listing.show(rows, "doubts_list", columns)
        if place is not None:
            st.page_link(
                "pages/annotate/review.py",
                label="Open on the review desk",
                icon=":material/rate_review:",
                query_params={"item": doubts[place].item},
            )
