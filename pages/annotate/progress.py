"""Progress: what became of the drafts (HawkBench's Table 1), who did what, which agent and prompt, the pace and the targets,
one's own week, agreement, and what planted items tell. Every figure is counted beside the page and kept until something
changes."""

import streamlit as st

from pages.parts.annotate.progress import (
    agreement_view,
    construction_table,
    makers_table,
    my_week,
    pace_view,
    people_table,
    trust_view,
)
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import keep_in_address, read_word

VIEWS = {
    "drafts": ("Drafts", construction_table.show),
    "people": ("People", people_table.show),
    "agents": ("Agents and prompts", makers_table.show),
    "pace": ("Pace and targets", pace_view.show),
    "week": ("My week", my_week.show),
    "agreement": ("Agreement", agreement_view.show),
    "trust": ("Qualification and checks", trust_view.show),
}

show_heading("Progress", "What became of the drafts, what it took, and how much is left.")
views = [name for name in VIEWS if name not in ("people", "trust") or not explain_refusal("see who did what")]
view = read_word("view", "drafts", list(VIEWS))
st.segmented_control(
    "View",
    views if view in views else list(VIEWS),
    key="progress_view",
    required=True,
    format_func=lambda name: VIEWS[name][0],
    label_visibility="collapsed",
    on_change=keep_in_address("progress_view", "view", view),
)
VIEWS[view][1]()
