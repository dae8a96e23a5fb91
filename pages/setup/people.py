"""People: everybody who has worked here, what each role may do, and the log of changes and refused actions."""

from collections.abc import Callable

import streamlit as st

from pages.parts.setup.people import access, invites, log, may_do, team
from pages.parts.ui.allowed import find_guest_release
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import keep_in_address, read_word
from workbench import open_workbench
from workbench.setup.sign_in_settings import is_sign_in_on, load_sign_in_sources

VIEWS: dict[str, tuple[str, Callable[[], None], str]] = {
    "people": ("People", team.show, "see who did what"),
    "roles": ("Who may what", may_do.show, ""),
    "invites": ("Invites", invites.show, "invite people"),
    "access": ("Your access", access.show, ""),
    "log": ("Log", log.show, "see who did what"),
}
"""Dict from view to its (title, function that shows the view, permission that it requires)."""

is_guest = find_guest_release() is not None
if is_guest:
    show_heading("Your access", "Your sessions, and the tokens of your scripts.")
elif is_sign_in_on():
    show_heading("People", "People, their roles, and their sign-ins.")
else:
    show_heading("People", "There is no sign-in: on this trusted network, a person acts under the name that they type.")
closed = open_workbench().people.list_forbidden_permissions()
missing = set() if is_sign_in_on() else {"access"}
missing |= set() if "local" in load_sign_in_sources() else {"invites"}  # an invite creates an account with a password
views = ["access"] if is_guest else [name for name in VIEWS if {name, VIEWS[name][2]}.isdisjoint(missing | closed)]
view = read_word("view", views[0], views)
if len(views) > 1:
    st.segmented_control(
        "View",
        views,
        key="people_view",
        required=True,
        format_func=lambda name: VIEWS[name][0],
        label_visibility="collapsed",
        on_change=keep_in_address("people_view", "view", view),
    )
VIEWS[view][1]()
