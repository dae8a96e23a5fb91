"""Near copies among the documents: looked for on request, listed as pairs, and opened from there."""

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.allowed import why_not
from pages.parts.ui.in_url import link
from pages.parts.ui.say import note, trouble
from pages.parts.ui.waiting import waiting
from workbench import opened

MOST = 200
"""Pairs on the page; the rest is counted."""


def show() -> None:
    """A button, then the pairs."""
    if why := why_not("change the corpus"):
        note(why)
        return
    st.caption(
        "Equal texts come in once. Texts of which the shorter stands in the other by half or more, word for word, make "
        "questions with two right places, and let a system copy what a release leaves out."
    )
    if not st.session_state.get("near_copies_wanted") and not st.button("Look for near copies", key="near_copies_look"):
        return
    st.session_state["near_copies_wanted"] = True
    stage = opened().near_copies
    try:
        found = stage.pairs()
    except BenchError as error:
        trouble(str(error))
        return
    if found.value is None:
        waiting(lambda: stage.pairs().is_ready, "Looking through the corpus, which takes a while ...")
        return
    pairs = found.value
    if not pairs:
        st.caption("None: no document holds half of another.")
        return
    st.caption(f"{len(pairs):,} pairs" + (f", the nearest {MOST} of them here." if len(pairs) > MOST else "."))
    rows = pairs[:MOST]
    table = st.dataframe(
        [
            {
                "Share": 100 * row["share"],
                "Shorter": row["shorter"]["title"],
                "stands in": row["longer"]["title"],
                "Characters": row["shorter"]["characters"],
                "of": row["longer"]["characters"],
            }
            for row in rows
        ],
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="near_copies_table",
        column_config={
            "Share": st.column_config.NumberColumn(format="%.0f %%", width="small"),
            "Characters": st.column_config.NumberColumn(format="localized", width="small"),
            "of": st.column_config.NumberColumn(format="localized", width="small"),
        },
    )
    for place in table.selection.rows:
        with st.container(horizontal=True):
            for name, words in (("shorter", "Read the shorter"), ("longer", "Read the longer")):
                link(words, ":material/menu_book:", f"near_copies_read_{name}", document=rows[place][name]["id"])
