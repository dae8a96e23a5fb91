"""A press leads on once: told again under the old address it leads to where it led, and nowhere once that is reached."""

from typing import Any

from streamlit.testing.v1 import AppTest


def script() -> None:
    import streamlit as st

    from pages.parts.ui import presses

    found = presses.read_request(st.session_state.get("went"), st.session_state["at"], "sheet")
    st.session_state["found"] = found
    if found:
        presses.mark_answered(found, st.session_state["leads_to"])


def test_a_press_is_answered_once_and_leads_again_where_it_led() -> None:
    at = AppTest.from_function(script)

    def found(n: int, item: str, leads_to: str | None, to: str = "saved") -> Any:
        state: Any = at.session_state
        state["went"], state["at"], state["leads_to"] = {"n": n, "to": to, "item": item}, item, leads_to
        at.run()
        assert not at.exception
        return state["found"]

    first = found(5, "a", "b")
    assert (first.to, first.item, first.n) == ("saved", "a", 5)
    again = found(5, "a", "b")
    assert (again.to, again.item) == ("open", "b"), "the rerun that led there was ended on its way"
    assert found(5, "b", "b") is None, "it is there"
    assert found(4, "b", "b") is None, "an older one"
    assert found(6, "b", None, "next").to == "next"
    assert (found(6, "b", None).to, found(6, "c", None)) == ("next", None), "where it led to none, the next is looked for"
