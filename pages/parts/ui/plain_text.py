"""Text shown exactly as it is stored: as plain text, never as markup, in lines of a readable length."""

import streamlit as st

_TEXT = st.components.v2.component(
    "benchwright_plain_text",
    html="<div class='text' dir='auto'></div>",
    css="""
.text {
  max-width: 76ch; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; line-height: 1.6;
  font-family: var(--st-font); font-size: 1rem; color: var(--st-text-color);
}
.text.small { font-size: .875rem; line-height: 1.5; color: color-mix(in srgb, var(--st-text-color) 65%, transparent); }
""",
    js="""
export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".text")
  place.textContent = data.text
  place.classList.toggle("small", data.small)
}
""",
)


def show(text: str, key: str) -> None:
    """Show the text exactly as stored: markdown and HTML in it have no effect."""
    _TEXT(data={"text": text, "small": False}, key=key)


def show_caption(text: str, key: str) -> None:
    """Show the text as a caption exactly as stored; URLs in it do not become links."""
    _TEXT(data={"text": text, "small": True}, key=key)
