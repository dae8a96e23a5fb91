"""Where a task searches for documents while it is drafted: the workspace's corpus, or a service that was set up."""

from typing import Any

import streamlit as st

from pages.parts.ui.say import plain
from workbench import opened
from workbench.build.corpus.search import DEFAULT


def searching(key: str, is_asked: bool, **kept: Any) -> str | None:
    """Draw it where a chosen task searches; the provider's name, None for the usual one and where nothing searches."""
    if not is_asked:
        return None
    cards = {card["name"]: card for card in opened().search.every()}
    chosen = st.selectbox(
        "Search in",
        list(cards),
        index=list(cards).index(DEFAULT),
        key=key,
        width=300,
        **kept,
        format_func=lambda name: str(cards[name]["label"]),
        help="Where the task looks for other documents on the same event. Services are set up on the page Agents.",
    )
    if lack := _lack(cards[chosen]):
        st.caption(f":material/key_off: {plain(lack)}")
    return None if chosen == DEFAULT else str(chosen)


def _lack(card: dict[str, Any]) -> str:
    """What is missing before it can be searched, in a sentence."""
    if card["needs"]:
        return f"Not set up yet: give its {', '.join(card['needs'])} on the page Agents."
    return f"Its key is not set: set {card['settings']['key_env']}." if card["key_is_set"] is False else ""
