"""Documents of the corpus that are near copies of each other: after a click on a button, the workbench searches for near copies
and lists them as pairs with links to the documents."""

import streamlit as st

from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.in_url import link
from pages.parts.ui.say import count_things, show_note
from pages.parts.ui.waiting import when_ready
from workbench import open_workbench

MAX_PAIRS = 200
"""Maximum number of pairs that are listed; any more are only counted."""


def show() -> None:
    """Show the button that looks for near copies and, after a click, the pairs found."""
    if why := explain_refusal("change the corpus"):
        show_note(why)
        return
    st.caption(
        "Equal texts are stored once. A longer document that copies at least half of a shorter document word for word may "
        "contain the evidence for questions about the shorter document. A system then finds this evidence even in a "
        "release without the shorter document."
    )
    if not st.session_state.get("near_copies_wanted") and not st.button("Find near copies", key="near_copies_look"):
        return
    st.session_state["near_copies_wanted"] = True
    pairs = when_ready(open_workbench().near_copies.pairs, "Comparing all documents, which takes a while ...")
    if pairs is None:
        return
    if not pairs:
        st.caption("No document contains half of another document.")
        return
    st.caption(count_things(len(pairs), "pair") + (f"; the nearest {MAX_PAIRS} are listed." if len(pairs) > MAX_PAIRS else "."))
    number = st.column_config.NumberColumn(format="localized", width="small")
    table = st.dataframe(
        [
            {
                "Share": 100 * pair.share,
                "Shorter": pair.shorter.title,
                "stands in": pair.longer.title,
                "Characters": pair.shorter.characters,
                "of": pair.longer.characters,
            }
            for pair in pairs[:MAX_PAIRS]
        ],
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="near_copies_table",
        column_config={
            "Share": st.column_config.NumberColumn(format="%.0f %%", width="small"),
            "Characters": number,
            "of": number,
        },
    )
    for place in table.selection.rows:
        with st.container(horizontal=True):
            link("Read the shorter", ":material/menu_book:", "near_copies_read_shorter", document=pairs[place].shorter.id)
            link("Read the longer", ":material/menu_book:", "near_copies_read_longer", document=pairs[place].longer.id)
