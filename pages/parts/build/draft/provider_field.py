"""Where a task searches for documents while it is drafted: the workspace's corpus, or a service that was set up."""

from typing import Any

import streamlit as st

from pages.parts.ui.say import plain
from workbench import open_workbench
from workbench.build.corpus.search import DEFAULT_PROVIDER, ProviderCard


def provider_field(key: str, is_needed: bool, **options: Any) -> str | None:
    """Draw it where a chosen task searches; the provider's name, None for the usual one and where nothing searches."""
    if not is_needed:
        return None
    cards = {card.name: card for card in open_workbench().search.list_providers()}
    chosen = st.selectbox(
        "Search in",
        list(cards),
        index=list(cards).index(DEFAULT_PROVIDER),
        key=key,
        width=300,
        format_func=lambda name: cards[name].label,
        help="Where the task looks for other documents on the same event. Services are set up on the page Agents.",
        **options,
    )
    if missing := _explain_missing(cards[chosen]):
        st.caption(f":material/key_off: {plain(missing)}")
    return None if chosen == DEFAULT_PROVIDER else chosen


def _explain_missing(card: ProviderCard) -> str:
    """What is missing before it can be searched, in a sentence."""
    if card.needs:
        return f"Not set up yet: give its {', '.join(card.needs)} on the page Agents."
    return f"Its key is not set: set {card.settings['key_env']}." if card.key_is_set is False else ""
