"""The coverage map: documents, sections, tasks and levels, what is thin, and a way to draft there; whether items are of the
level that they were declared to be, and how hard they are."""

import streamlit as st

from pages.parts.build.coverage import difficulty, levels, map_view
from pages.parts.ui.heading import heading
from pages.parts.ui.in_url import held, word

VIEWS = {"map": ("Map", map_view.show), "levels": ("Levels", levels.show), "difficulty": ("Difficulty", difficulty.show)}

heading(
    "Coverage",
    "How many items lie on each document, how much of the text no item uses, and what level and difficulty items measure as.",
)
view = word("view", "map", list(VIEWS))
st.segmented_control(
    "View",
    list(VIEWS),
    key="coverage_view",
    required=True,
    format_func=lambda name: VIEWS[name][0],
    label_visibility="collapsed",
    on_change=held("coverage_view", "view", view),
)
VIEWS[view][1]()
