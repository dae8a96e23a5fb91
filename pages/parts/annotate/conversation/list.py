"""The list of conversations, fifty at a time; a click opens a conversation."""

from typing import Any

import streamlit as st

from pages.parts.annotate.gold_set.list import build_link, show_table
from pages.parts.ui.feedback import show_feedback
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import choose, read_number, read_word
from workbench import open_workbench
from workbench.annotate.reviewing.conversations import PAGE_SIZE, ConversationLine, ConversationState

STATES: dict[ConversationState, str] = {
    "waiting": "Waiting",
    "accepted": "Accepted",
    "discarded": "Discarded",
    "mixed": "Some turns accepted",
}
COLUMNS = [
    {"label": "First question", "align": "left", "width": "24rem"},
    {"label": "Goal", "align": "left", "width": "20rem"},
    {"label": "Turns", "width": "4rem"},
    {"label": "State", "align": "left", "width": "9rem"},
]


def show(key: str) -> None:
    """Show the filter and the list of conversations."""
    show_feedback(key)
    state = next((name for name in STATES if name == read_word("state")), None)
    page = open_workbench().conversation_reviews.page(state, read_number("page"))
    if not page.counts:
        show_empty(
            "No conversation yet",
            "An agent drafts conversations (task conversation), or you import them (format conversations).",
            "pages/build/draft.py",
            "Go to Draft",
            "draft items",
        )
        return
    options = {"": "All", **{str(name): label for name, label in STATES.items()}}
    choose(st, "State", "state", options, f"{key}_state", forgets=("page",), width=220)
    st.caption(", ".join(f"{page.counts[name]:,} {label.lower()}" for name, label in STATES.items() if name in page.counts))
    show_table(COLUMNS, [_build_cells(line) for line in page.lines], page.total, PAGE_SIZE, "conversation", key)


def _build_cells(line: ConversationLine) -> list[dict[str, Any]]:
    return [
        build_link(line.first_question, "conversations", "conversation", conversation=line.id),
        {"text": line.goal[:400] or "–", "clamp": True, "muted": not line.goal},
        {"text": str(line.turns)},
        {"text": STATES[line.state], "muted": line.state != "waiting"},
    ]
