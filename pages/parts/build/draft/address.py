"""The window on the draft page and the job that drafts it. Both stand in the address, so that a reload brings them back, and in
the session, so that a visit to another page does, too."""

import streamlit as st

NAMES = ("window", "job")
_KEY = "draft_at"


def load_address() -> dict[str, str]:
    """{"window", "job"}, "" where there is none."""
    address = {name: st.query_params.get(name, "") for name in NAMES}
    if any(address.values()):
        st.session_state[_KEY] = address
    stored: dict[str, str] = st.session_state.setdefault(_KEY, address)
    open_window(**stored)
    return dict(stored)


def open_window(window: str = "", job: str = "") -> None:
    """Show that window and job from now on; nothing without arguments."""
    st.session_state[_KEY] = {"window": window, "job": job}
    for name, value in st.session_state[_KEY].items():
        if value:
            st.query_params[name] = value
        else:
            st.query_params.pop(name, None)
