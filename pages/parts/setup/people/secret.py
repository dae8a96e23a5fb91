"""A new secret, such as an access token, which is shown until the person says that it was copied, and never again."""

import streamlit as st

from pages.parts.ui.buttons import draw_button


def keep_new_secret(key: str, secret: str, words: str) -> None:
    """Store the new secret for this tab until it is copied, with the text that explains it."""
    st.session_state[key] = (secret, words)


def show_new_secret(key: str) -> None:
    """Draw the new secret with a copy button; draw nothing if no secret waits to be copied."""
    if key not in st.session_state:
        return
    secret, words = st.session_state[key]
    with st.container(border=True):
        st.markdown(f"**Copy this now**: it is not shown again. {words}")
        st.code(secret, language=None, wrap_lines=True)
        draw_button("I have copied it", f"{key}_copied", st.session_state.pop, key, None, icon="check")
