"""Templates: questions over tables, written once and asked of many rows. Words with places are written and tried, or proposed
by an agent and approved, kept in versions, made into items as a season, and a season is refreshed. Address: view, template,
draft, season, job."""

import streamlit as st

from core.errors import BenchError
from pages.parts.build.templates import listing, make_box, proposals, season_list, writing
from pages.parts.ui.allowed import kept, why_not
from pages.parts.ui.heading import empty, heading
from pages.parts.ui.in_url import held, word
from pages.parts.ui.say import done, note, trouble
from pages.parts.ui.until_ready import until_ready
from workbench import opened

VIEWS = {
    "list": ("Templates", listing.show),
    "write": ("Write", writing.show),
    "make": ("Make", make_box.show),
    "seasons": ("Seasons", season_list.show),
    "proposed": ("Proposed", proposals.show),
}


def main() -> None:
    """One of the views."""
    heading("Templates", "A question with places, asked of row after row of a table; each answer is reckoned from the rows.")
    if why := why_not("draft items"):
        note(why)
        return
    if sentence := st.session_state.pop("templates_said", ""):
        done(sentence)
    if sentence := st.session_state.pop("templates_trouble", ""):
        trouble(sentence)
    if opened().tables.is_empty():
        empty(
            "No tables yet",
            "Templates stand over tables: add yours on the page Tables, or look around in the samples.",
            "pages/build/tables.py",
            "Add tables",
        )
        st.button(
            "Load the sample tables and templates", on_click=_samples, icon=":material/table_view:", **kept("change the corpus")
        )
        return
    view = word("view", "list", list(VIEWS))
    st.segmented_control(
        "View",
        list(VIEWS),
        key="templates_view",
        required=True,
        format_func=lambda one: VIEWS[one][0],
        label_visibility="collapsed",
        on_change=held("templates_view", "view", view, "template", "season", "job"),
    )
    world = until_ready(opened().tables.world, "Reading the tables")
    if world is not None:
        VIEWS[view][1](world)


def _samples() -> None:
    try:
        opened().templates.load_samples()
    except BenchError as error:
        st.session_state["templates_trouble"] = str(error)


main()
