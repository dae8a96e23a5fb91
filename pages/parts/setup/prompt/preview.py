"""A prompt filled from an item of this workspace: the messages that would be sent, with their length."""

import streamlit as st

from pages.parts.setup.prompt import messages as prompt_messages
from pages.parts.ui.heading import show_empty
from workbench import open_workbench
from workbench.setup.prompts import PromptFile


def show(file: PromptFile, language: str) -> None:
    """Show a select box for an item, and the prompt filled with that item."""
    choices = open_workbench().prompts.items(language)
    if not choices:
        show_empty(
            f"No item in {language} has evidence yet",
            "The filled prompt appears here when the workspace has an item to fill it from.",
            "pages/build/draft.py",
            "Draft items",
        )
        return
    item = st.selectbox(
        "Filled from",
        list(choices),
        format_func=choices.__getitem__,
        key=f"prompt_item_{language}",
        persist_state="session",
        filter_mode="contains",
    )
    shown = open_workbench().prompts.preview(file, language, item)
    st.caption(
        f"About {shown.tokens:,} tokens are sent. The sentences around the item's evidence are used as the document excerpt; "
        "the item's own answer is used as the prediction."
    )
    prompt_messages.show(shown.messages, language)
