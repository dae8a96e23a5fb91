"""Questions whose gold may be wrong: it answers nothing, or a system was judged wrong by it. From here they go to the desk."""

import streamlit as st

from core.errors import BenchError
from pages.parts.ui import listing
from pages.parts.ui.say import note, trouble
from workbench import opened

COLUMNS = {
    "question": st.column_config.TextColumn("Question", width=270),
    "gold": st.column_config.TextColumn("Gold", width=150),
    "answer": st.column_config.TextColumn("The system's answer", width=180),
    "why": st.column_config.TextColumn("Why it is here", width=340),
}


def show() -> None:
    """A run to hold the golds against, and the list."""
    try:
        found = opened().reports.runs()
    except BenchError as error:
        trouble(str(error))
        return
    named = {line.run: f"{line.name} · {line.release}" for line in found}
    run = st.selectbox(
        "A simple system's run",
        list(named),
        index=None,
        key="doubts_run",
        width=480,
        format_func=lambda id_: named[id_],
        placeholder="none: golds alone",
    )
    doubts = opened().phases.list_doubts(run)
    if not doubts:
        note("No gold is in doubt: none answers nothing" + (", and the system was judged wrong on none." if run else "."))
        return
    st.caption(f"{len(doubts):,} to look at again.")
    shown = [name for name in COLUMNS if run is not None or name != "answer"]
    rows = [{name: getattr(one, name) for name in shown} for one in doubts]
    place = listing.show(rows, "doubts_list", {name: COLUMNS[name] for name in shown})
    if place is not None:
        st.page_link(
            "pages/annotate/review.py",
            label="Open on the review desk",
            icon=":material/rate_review:",
            query_params={"item": doubts[place].item},
        )
