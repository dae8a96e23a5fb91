"""People: who has worked here, who may do what, and what was done and refused."""

import streamlit as st

from pages.parts.setup.people import log, may_do, team
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import keep_in_address, read_word
from workbench import open_workbench

VIEWS = {"people": ("People", team.show), "roles": ("Who may what", may_do.show), "log": ("Log", log.show)}

show_heading("People", "Names on a trusted network: there is no sign-in, so whoever types a name acts under it.")
if not open_workbench().people.explain_refusal("see who did what"):
    view = read_word("view", "people", list(VIEWS))
    st.segmented_control(
        "View",
        list(VIEWS),
        key="people_view",
        required=True,
        format_func=lambda name: VIEWS[name][0],
        label_visibility="collapsed",
        on_change=keep_in_address("people_view", "view", view),
    )
    VIEWS[view][1]()
else:
    may_do.show()
