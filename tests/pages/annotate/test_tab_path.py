"""A run that another run ends early loses nothing of the way that a component went by itself."""

from typing import Any

from streamlit.testing.v1 import AppTest

from workbench.annotate.queue.tab_visits import TabVisits


def script() -> None:
    import streamlit as st

    from pages.parts.annotate.tab_path import TabPath
    from pages.parts.ui.frame import note_page

    note_page("queue")
    path = TabPath("queue")
    st.session_state["tab"] = path.get_tab()
    visit = path.find_visit(st.session_state["visits"])
    st.session_state["found"] = visit and visit.item
    if not st.session_state["is_ended"]:
        path.write(visit.item if visit else "a")


def test_the_run_after_one_that_was_ended_early_finds_the_entry_of_the_tab() -> None:
    at = AppTest.from_function(script)
    state: Any = at.session_state
    visits = state["visits"] = TabVisits()
    state["is_ended"] = False
    at.run()
    assert state["found"] is None and at.query_params["item"] == "a"
    visits.put("Ada", state["tab"], "b")
    state["is_ended"] = True
    at.run()
    assert state["found"] == "b"
    state["is_ended"] = False
    at.run()
    assert state["found"] == "b" and at.query_params["item"] == "b"
    at.query_params["item"] = "c"
    at.run()
    assert state["found"] is None, "an address that a person opens leads away"
