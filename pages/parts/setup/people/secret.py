"""A new secret, which is shown until its creator says that it was copied, and never again."""

import streamlit as st

from pages.parts.ui.buttons import draw_button


def keep_new_secret(key: str, secret: str, words: str) -> None:
    """Keep a new secret for this tab, with the text that explains it."""
    st.session_state[key] = (secret, words)


def show_new_secret(key: str) -> None:
    """Draw the new secret with its copy button; draw nothing without a new secret."""
    if key not in st.session_state:
        return
    secret, words = st.session_state[key]
    with st.container(border=True):
        st.markdown(f"**Copy this now**: it is not shown again. {words}")
        st.code(secret, language=None, wrap_lines=True)
        draw_button("I have copied it", f"{key}_copied", st.session_state.pop, key, None, icon="check")
