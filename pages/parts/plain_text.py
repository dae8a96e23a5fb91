"""Text to be read, letter by letter as it is stored: it is set as text, never as markup, in a measure that the eye can
follow."""

import streamlit as st

_TEXT = st.components.v2.component(
    "benchwright_plain_text",
    html="<div class='text' dir='auto'></div>",
    css="""
.text {
  max-width: 76ch; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; line-height: 1.6;
  font-family: var(--st-font); font-size: 1rem; color: var(--st-text-color);
}
""",
    js="""
export default function ({ data, parentElement }) {
  parentElement.querySelector(".text").textContent = data.text
}
""",
)


def show(text: str, key: str) -> None:
    """Draw it."""
    _TEXT(data={"text": text}, key=key)
