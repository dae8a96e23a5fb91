"""Facts about a prompt: its placeholders, the format of the reply that it requires, known ways in which replies fail, and its
text before the placeholders are filled."""

import streamlit as st

from pages.parts.setup.prompt import messages as prompt_messages
from workbench.setup.prompts import PromptCard


def show(card: PromptCard, language: str) -> None:
    """Show the facts about the prompt, with its text in `language`."""
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Given**")
        st.dataframe([{"Input": name, "What it is": about} for name, about in card.file.inputs.items()], hide_index=True)
        st.markdown("**Used by**")
        st.text(", ".join(card.users) or "nothing")
    with right:
        st.markdown("**Replies**")
        if card.file.schema is None:
            st.text("Plain text.")
        else:
            st.dataframe(_fields(card), hide_index=True)
        st.markdown("**Known failures**")
        for mode in card.file.failure_modes:
            st.text(f"• {mode}")
    st.markdown("**Text of the prompt with its examples, before the placeholders are filled**")
    prompt_messages.show(card.file.prompts[language].messages, language)
    for example in card.file.examples:
        if example.language == language:
            with st.expander("Example" if example.kind == "example" else "Example of a reply when the task cannot be done"):
                for name, text in example.inputs.items():
                    st.caption(name)
                    st.code(text, language=None, wrap_lines=True)
                st.caption("reply")
                st.code(example.reply, language=None, wrap_lines=True)


def _fields(card: PromptCard) -> list[dict[str, str]]:
    """Return the fields that a reply must have, each with its type and meaning."""
    schema = card.file.schema or {}
    wanted = schema.get("required", ())
    return [
        {
            "Field": name + ("" if name in wanted else " (may be left out)"),
            "Type": _type(field),
            "What the field contains": str(field.get("description", "")),
        }
        for name, field in schema.get("properties", {}).items()
    ]


def _type(field: dict[str, object]) -> str:
    kind = field.get("type", "object")
    words = kind if isinstance(kind, str) else ", ".join(str(part) for part in kind if part != "null")  # type: ignore[attr-defined]
    inner = field.get("items")
    return f"{words} of {_type(inner)}" if isinstance(inner, dict) else str(words)
