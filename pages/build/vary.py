"""Vary: questions put in other forms by kinds, tried on three items, made as a job, and looked at beside the originals."""

import streamlit as st

from pages.parts.build.vary import made_table, make_box
from pages.parts.ui.allowed import why_not
from pages.parts.ui.heading import empty, heading
from pages.parts.ui.in_url import held, word
from pages.parts.ui.say import note
from workbench import opened

VIEWS = {"make": "Make", "made": "Made"}


def main() -> None:
    """One of the two views."""
    heading("Vary", "The same question in other forms, each made of the original; people review them on the page Variants.")
    if why := why_not("make variants"):
        note(why)
        return
    if not opened().find.choices()["task"]:
        empty(
            "No items yet",
            "Variants are made of items: draft some, or import a benchmark.",
            "pages/build/draft.py",
            "Draft items",
        )
        return
    view = word("view", "make", list(VIEWS))
    st.segmented_control(
        "View",
        list(VIEWS),
        key="vary_view",
        format_func=VIEWS.__getitem__,
        required=True,
        label_visibility="collapsed",
        on_change=held("vary_view", "view", view, "page"),
    )
    {"make": make_box.show, "made": made_table.show}[view]()


main()
