"""A prompt filled from an item of this workspace: the messages as they would be sent, with their length."""

import streamlit as st

from pages.parts.setup.prompt import messages as prompt_messages
from pages.parts.ui.heading import show_empty
from workbench import open_workbench
from workbench.setup.prompts import PromptFile


def show(file: PromptFile, language: str) -> None:
    """Draw it, with the choice of an item."""
    found = open_workbench().prompts.items(language)
    if not found:
        show_empty(
            f"No item in {language} with evidence yet",
            "A prompt is shown filled once there is an item to fill it from.",
            "pages/build/draft.py",
            "Draft items",
        )
        return
    item = st.selectbox(
        "Filled from",
        list(found),
        format_func=found.__getitem__,
        key=f"prompt_item_{language}",
        persist_state="session",
        filter_mode="contains",
    )
    shown = open_workbench().prompts.preview(file, language, item)
    st.caption(
        f"About {shown.tokens:,} tokens are sent. Sentences around the item's evidence stand for a window; its own "
        f"answer stands for a prediction."
    )
    prompt_messages.show(shown.messages, language)
