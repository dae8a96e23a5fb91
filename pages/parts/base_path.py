"""The base path of all addresses of the app."""

import streamlit as st


def find_base() -> str:
    """Return Streamlit's setting server.baseUrlPath, as "/team/bench"; "" = none."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""
