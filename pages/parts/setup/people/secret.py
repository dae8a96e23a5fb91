"""A new secret, such as an access token, which is shown until the person confirms that they have copied it, and never again."""

import streamlit as st

from pages.parts.ui.buttons import draw_button


def keep_new_secret(key: str, secret: str, words: str) -> None:
    """Store the new secret, with a text that explains its use, in the session until the person has copied the secret."""
    st.session_state[key] = (secret, words)


def show_new_secret(key: str) -> None:
    """Show the new secret with a copy button; show nothing if there is no secret to copy."""
    if key not in st.session_state:
        return
    secret, words = st.session_state[key]
    with st.container(border=True):
        st.markdown(f"**Copy this now**: it is not shown again. {words}")
        st.code(secret, language=None, wrap_lines=True)
        draw_button("I have copied it", f"{key}_copied", st.session_state.pop, key, None, icon="check")
