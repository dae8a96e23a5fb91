"""A table of what each role is allowed to do, and the role of the person at the screen."""

import streamlit as st

from pages.parts.ui.person import get_person
from pages.parts.ui.say import escape, show_note
from workbench import open_workbench
from workbench.roles import add_article
from workbench.setup.people import ROLES


def show() -> None:
    """Show the role of the person who is signed in and, under it, the table of permissions by role."""
    people = open_workbench().people
    role, name = people.role(get_person()), escape(get_person()) or "Somebody without a name"
    if role is None:
        show_note("Nobody has a role yet: everybody may do everything. The table below applies after the first role is given.")
    else:
        more = "" if role == "admin" else " For more permissions, ask an admin."
        st.markdown(f"{name} is {add_article(role)} here. Names without a role are annotators.{more}")
    rows = [
        {"What": act.capitalize(), **{one.capitalize(): one in roles for one in ROLES}}
        for act, roles in people.may_do().items()
    ]
    st.dataframe(
        rows,
        hide_index=True,
        width="content",
        height="content",
        column_config={"What": st.column_config.TextColumn(width="large")},
    )
    st.caption(
        "Everybody may read the corpus and the guidelines, and see their own statistics and typed text. A person at the "
        "terminal owns the workspace file and may do everything."
    )
