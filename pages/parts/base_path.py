"""The base path: the prefix of the path of every URL of the app."""

import streamlit as st


def find_base() -> str:
    """Return the base path from Streamlit's setting server.baseUrlPath, such as "/team/bench"; "" if none is set."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""
