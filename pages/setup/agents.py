"""Agents: the built-in and the saved agents, each with a test call, and how much each agent has been used."""

import streamlit as st

from pages.parts.setup.agent import card as agent_card
from pages.parts.setup.agent import checker as grammar_checker
from pages.parts.setup.agent import form as agent_form
from pages.parts.setup.agent import search as agent_search
from pages.parts.setup.agent import usage as agent_usage
from pages.parts.ui.allowed import guard
from pages.parts.ui.heading import show_heading
from pages.parts.ui.say import show_success
from workbench import open_workbench

show_heading(
    "Agents",
    "Language models, and offline agents that replace them. Use these names to choose an agent, and as `--agent` and "
    "`--judge` on the command line.",
)
if saved := st.session_state.pop("agent_saved", ""):
    show_success(f"{saved} is saved.")
if agent_form.is_open():
    agent_form.show()
else:
    st.button(
        "Add an agent", icon=":material/add:", type="primary", on_click=agent_form.begin, args=(None,), **guard("change agents")
    )

cards = open_workbench().agent_list.list_agents()
own = [card for card in cards if card.saved]
if own:
    st.subheader("Yours", anchor=False)
for card in own:
    agent_card.show(card)
st.subheader("Built in", anchor=False)
for card in cards:
    if card.saved is None:
        agent_card.show(card)
st.subheader("Search providers", anchor=False)
agent_search.show()
st.subheader("Grammar checker", anchor=False)
grammar_checker.show()
st.subheader("Usage so far", anchor=False)
agent_usage.show()
