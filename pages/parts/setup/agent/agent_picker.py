"""The choice of an agent: the built-in ones and those saved on the agents page, with their prices; says what is missing before
one can be asked. The choice stays with the session, and in the address for a reload."""

import streamlit as st

from pages.parts.ui.say import escape
from workbench import open_workbench


def show(label: str, key: str, *, optional: bool = False) -> str | None:
    """Draw the choice; returns the name of the chosen agent, or None where an agent is optional and none was chosen."""
    cards = {card.name: card for card in open_workbench().agent_list.list_agents()}
    if st.session_state.get(key) not in cards:
        st.session_state.pop(key, None)  # the agent was deleted
    if key not in st.session_state and st.query_params.get(key) in cards:
        st.session_state[key] = st.query_params.pop(key)  # a link has the agent's name, the box writes its label
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
