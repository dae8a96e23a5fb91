"""The base path, below which every address of the app stands."""

import streamlit as st


def find_base() -> str:
    """Streamlit's setting server.baseUrlPath, as "/team/bench"; "" = none."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""
