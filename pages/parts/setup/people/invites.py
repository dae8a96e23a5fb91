"""Invites: links with which people create their accounts. An admin creates, lists and revokes invites."""

from urllib.parse import urlsplit

import streamlit as st

from core.errors import BenchError
from pages.parts.base_path import find_base
from pages.parts.setup.people.guest_release import show_release_choice
from pages.parts.setup.people.secret import keep_new_secret, show_new_secret
from pages.parts.ui import listing
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.heading import show_empty
from pages.parts.ui.say import escape, show_error
from workbench import open_workbench
from workbench.roles import Role, add_article
from workbench.setup.access.access_secrets import MAX_DAYS
from workbench.setup.invites import INVITE_DAYS, InviteRow
from workbench.setup.people import ROLES
from workbench.setup.sign_in_settings import write_invite_link

COLUMNS = {
    "Role": st.column_config.TextColumn(),
    "For": st.column_config.TextColumn(help="The link works for this name only."),
    "Made (UTC)": st.column_config.TextColumn(),
    "By": st.column_config.TextColumn(),
    "Expires (UTC)": st.column_config.TextColumn(),
    "State": st.column_config.TextColumn(width="medium"),
}
_LINK, _TROUBLE = "invite_link", "invite_trouble"


def show() -> None:
    """Show the list of invites, with the forms that create and revoke them."""
    accounts = open_workbench().accounts
    if why := st.session_state.pop(_TROUBLE, ""):
        show_error(why)
    show_new_secret(_LINK)
    with st.form("invite_new", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        role = st.selectbox("Role", ROLES, width=160, key="invite_role")
        release = show_release_choice("invite_release")
        person = st.text_input(
            "For whom",
            max_chars=80,
            width=230,
            key="invite_person",
            placeholder="anybody with a new name",
            help="A link for a name works only for that name. A name that already has work here needs a link for that name.",
        )
        days = st.number_input("Days", 1, MAX_DAYS, INVITE_DAYS, width=130, key="invite_days")
        if st.form_submit_button("Create an invite", icon=":material/person_add:"):
            _create(role, person.strip(), int(days), release)
            st.rerun()
    rows = accounts.list_invites()
    if not rows:
        show_empty("No invites yet", "Each link creates one account. Send it to one person over a channel that you trust.")
        return
    place = listing.show([_write_row(row) for row in rows], "invite_list", COLUMNS)
    chosen = rows[place] if place is not None and place < len(rows) else None
    if chosen is None:
        st.caption("Choose an open invite to revoke it. Links are stored as hashes: revoke a lost link and create a new one.")
    elif accounts.find_state(chosen) == "open":
        draw_button("Revoke this invite", "invite_revoke", _revoke, chosen.id, icon="link_off", requires="invite people")


def _write_row(row: InviteRow) -> dict[str, str]:
    state = open_workbench().accounts.find_state(row)
    return {
        "Role": f"{row.role} of {row.release}" if row.release else row.role,
        "For": row.person or ("the first owner" if row.is_first else "a new name"),
        "Made (UTC)": row.made_at[:16].replace("T", " "),
        "By": row.made_by or "the terminal",
        "Expires (UTC)": row.expires_at[:16].replace("T", " "),
        "State": f"used by {row.used_by}, {(row.used_at or '')[:16].replace('T', ' ')}" if row.used_by else state,
    }


def _create(role: Role, person: str, days: int, release: str | None) -> None:
    try:
        invite = open_workbench().accounts.create_invite(role, days=days, person=person, release=release)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
        return
    whose = escape(person) or "one person"
    keep_new_secret(
        _LINK,
        write_invite_link(find_app_address(), invite.secret),
        f"With this link, {whose} becomes {add_article(role)}. The link works once.",
    )


def _revoke(id: str) -> None:
    try:
        open_workbench().accounts.revoke_invite(id)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)


def find_app_address() -> str:
    """Return the app's address including its base path, as this browser reached it."""
    address = urlsplit(st.context.url or "")
    return f"{address.scheme}://{address.netloc}{find_base()}" if address.netloc else find_base()
