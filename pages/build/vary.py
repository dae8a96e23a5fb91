"""Vary: questions put in other forms by kinds, tried on three items, made as a job, and looked at beside the originals."""

import streamlit as st

from pages.parts.allowed import why_not
from pages.parts.heading import empty, heading
from pages.parts.in_url import held, word
from pages.parts.say import note
from pages.parts.vary import made_table, make_box
from workbench import opened

VIEWS = {"make": "Make", "made": "Made"}


def main() -> None:
    """One of the two views."""
    heading("Vary", "The same question in other forms, each made of the original; people review them on the page Variants.")
    if why := why_not("make variants"):
        note(why)
        return
    if not opened().find.choices()["task"]:
        empty("No items yet", "Variants are made of items: draft some, or import a benchmark.", "pages/build/draft.py",
              "Draft items")  # fmt: skip
        return
    view = word("view", "make", list(VIEWS))
    st.segmented_control("View", list(VIEWS), key="vary_view", format_func=VIEWS.__getitem__, required=True,
                         label_visibility="collapsed", on_change=held("vary_view", "view", view, "page"))  # fmt: skip
    {"make": make_box.show, "made": made_table.show}[view]()


main()
