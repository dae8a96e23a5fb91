"""The messages of a prompt as plain text: either the templates with placeholders, or the filled messages that would be sent."""

from collections.abc import Sequence

import streamlit as st

from core.nouns import Message
from core.text.text import count_tokens


def show(messages: Sequence[Message], language: str) -> None:
    """Show each message of a prompt with its role and length."""
    for message in messages:
        tokens = count_tokens(message.content, language)
        st.caption(f"{message.role.capitalize()} · about {tokens:,} tokens · {len(message.content):,} characters")
        st.code(message.content, language=None, wrap_lines=True, height=420 if len(message.content) > 1800 else "content")
