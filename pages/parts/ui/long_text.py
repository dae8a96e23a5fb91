"""A stored text shown unchanged; if the text is very long, only its beginning is shown, with a button that downloads the whole
text."""

import streamlit as st

MAX_CHARACTERS = 20_000
"""Maximum number of characters of a text that are shown; the whole text is offered as a file."""


def show(text: str, key: str, name: str = "text.txt", most: int = MAX_CHARACTERS, is_prose: bool = False) -> None:
    """Show the text exactly as stored, without markdown: in a code block, or as prose if `is_prose` is set."""
    if not text.strip():
        st.caption(f"This text has {len(text)} characters, none of them visible." if text else "Empty.")
        return
    if is_prose:
        st.text(text[:most])
    else:
        st.code(text[:most], language=None, wrap_lines=True)
    if len(text) > most:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"The first {most:,} of {len(text):,} characters are shown.", width="content")
            st.download_button("Whole text", text, name, "text/plain", icon=":material/download:", key=key, on_click="ignore")
