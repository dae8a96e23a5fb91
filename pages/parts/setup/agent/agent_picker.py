"""A select box for an agent, either built in or saved on the page Agents, with prices; below the box, a hint says what is
missing before the agent can be used. The session keeps the choice, and the page's URL keeps the choice when the page is
reloaded."""

import streamlit as st

from pages.parts.ui.say import escape
from workbench import open_workbench


def show(label: str, key: str, *, optional: bool = False) -> str | None:
    """Show a select box for an agent, and return the agent's name, or None if no agent is chosen, which is possible only if
    `optional` is set."""
    cards = {card.name: card for card in open_workbench().agent_list.list_agents()}
    if st.session_state.get(key) not in cards:
        st.session_state.pop(key, None)  # the agent was deleted
    if key not in st.session_state and st.query_params.get(key) in cards:
        # a link contains the agent's name, but the box writes the agent's label into the URL
        st.session_state[key] = st.query_params.pop(key)
    chosen = st.selectbox(
        label,
        list(cards),
        index=None if optional else 0,
        key=key,
        format_func=lambda name: cards[name].label,
        placeholder="none",
        filter_mode="contains",
        bind="query-params",
        persist_state="session",
    )
    if chosen and (hint := cards[chosen].hint):
        st.caption(f":material/key_off: {escape(hint)}")
    return chosen
