"""Where a person is on the draft page: the window that is shown and the job that drafts it. Both stand in the address, so that
a reload brings them back, and in the session, so that another page in between does, too."""

from typing import Any

import streamlit as st

NAMES = ("window", "job")
_KEY = "draft_at"


def at() -> dict[str, str]:
    """{"window", "job"}, "" where there is none."""
    given = {name: st.query_params.get(name, "") for name in NAMES}
    if any(given.values()):
        st.session_state[_KEY] = given
    found: dict[str, Any] = st.session_state.setdefault(_KEY, given)
    go(**found)
    return {name: str(found[name]) for name in NAMES}


def go(window: str = "", job: str = "") -> None:
    """Be there from now on."""
    st.session_state[_KEY] = {"window": window, "job": job}
    for name, value in (("window", window), ("job", job)):
        if value:
            st.query_params[name] = value
        else:
            st.query_params.pop(name, None)
