"""Everybody who has worked in this workspace or has a role, with how much they did. An admin can change a role, end a person's
work, or let the person work again."""

from collections.abc import Callable
from typing import cast

import streamlit as st

from core.errors import BenchError
from pages.parts.setup.people.guest_release import show_release_choice
from pages.parts.ui import listing
from pages.parts.ui.allowed import explain_refusal, guard
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.heading import show_empty
from pages.parts.ui.person import get_person
from pages.parts.ui.say import count_things, escape, show_error, show_success, show_warning
from workbench import open_workbench
from workbench.setup.accounts import WORKSPACE_PREFIX, AccountRow, is_of_proxy
from workbench.setup.people import GUEST, ROLES, PersonRow, Role, Team
from workbench.setup.sign_in_settings import SIGN_IN_WORDS, explain_unusable_name, is_sign_in_on, load_sign_in_sources

COLUMNS = {
    "Person": st.column_config.TextColumn(width="medium"),
    "Shown as": st.column_config.TextColumn(
        width="medium",
        help="Name that the sign-in provider reports. Several people may have the same name here.",
    ),
    "Role": st.column_config.TextColumn(),
    "Last seen (UTC)": st.column_config.TextColumn(
        help="Time at which the person last signed in, decided, reserved an item, typed, or did something that the log lists."
    ),
    "Decisions": st.column_config.NumberColumn(
        format="localized",
        help="Decisions on items and variants. Decisions that were taken back, and bulk actions, are not counted.",
    ),
    "Rewrites": st.column_config.NumberColumn(format="localized"),
    "Holds": st.column_config.NumberColumn(format="localized"),
    "Signs in": st.column_config.TextColumn(
        help="How the person signs in: with a password, through a provider or a proxy, or at another workspace."
    ),
    "State": st.column_config.TextColumn(),
}
_SAID, _TROUBLE = "people_said", "people_trouble"


def show() -> None:
    """Show the list of people, and the actions on the person chosen in the list."""
    team = open_workbench().people.team()
    if said := st.session_state.pop(_SAID, ""):
        show_success(said)
    if why := st.session_state.pop(_TROUBLE, ""):
        show_error(why)
    signs_in = is_sign_in_on()
    accounts = {account.person: account for account in open_workbench().accounts.list_accounts()} if signs_in else {}
    if not team.is_on and not signs_in:
        _turn_on()
    if not team.people:
        show_empty(
            "Nobody has worked here yet",
            "People appear here after their first decision on an item.",
            "pages/annotate/review.py",
            "Go to Review",
        )
    else:
        rows = [{**_row(one, team), **_describe_account(one.name, accounts.get(one.name))} for one in team.people]
        left_out = set() if signs_in else {"Signs in"}
        left_out |= set() if any(account.name != account.person for account in accounts.values()) else {"Shown as"}
        columns = {name: column for name, column in COLUMNS.items() if name not in left_out}
        place = listing.show(rows, "people_list", columns)
        chosen = team.people[place] if place is not None and place < len(team.people) else None
        if chosen:
            _show_person(chosen, team)
            if chosen.name in accounts:
                _show_account(accounts[chosen.name])
        else:
            st.caption("Choose somebody to give a role, or to end their work here.")
    if signs_in:
        if "workspace" in load_sign_in_sources():
            _give_by_name(team, "workspace:NAME")
        return
    _give_by_name(team, "the name exactly as the person will type it")
    _turn_off(team)
    st.caption(
        "A name never changes: decisions and the log record it. To use another name from now on, type it in the sidebar; "
        "earlier work stays under the old name."
    )


def _turn_on() -> None:
    """Show an explanation of roles, and the button that turns roles on."""
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            "**Everybody may do everything**, as long as nobody has a role. Turn roles on when several people work "
            "here: you are the admin then, and all other names are annotators until you give them roles."
        )
        name = get_person()
        draw_button(
            "Turn roles on",
            "people_on",
            _call,
            lambda: open_workbench().people.give(name, "admin"),
            f"Roles apply from now on: {name} is the admin.",
            icon="shield_person",
            is_primary=True,
            disabled=not name,
            help=None if name else "Give your name first.",
        )


def _row(one: PersonRow, team: Team) -> dict[str, str | int | None]:
    role = (one.role or "annotator") if team.is_on else one.role
    role = f"guest of {team.guests[one.name]}" if one.name in team.guests else role
    return {
        "Person": one.name,
        "Role": role,
        "Last seen (UTC)": one.seen and one.seen[:16].replace("T", " "),
        "Decisions": one.decisions,
        "Rewrites": one.rewrites,
        "Holds": one.holds,
        "State": "ended" if one.is_removed else "",
    }


def _describe_account(person: str, account: AccountRow | None) -> dict[str, str]:
    if account is None:
        return {"Shown as": "", "Signs in": "not yet" if person.startswith(WORKSPACE_PREFIX) else "no"}
    return {"Shown as": account.name, "Signs in": SIGN_IN_WORDS[account.source]}


def _show_account(account: AccountRow) -> None:
    """Show the buttons that act on a person's account, such as the one that removes it."""
    accounts = open_workbench().accounts
    name = account.person
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"Account, made {account.made_at[:10]}", width="content")
        st.space("stretch")
        with st.popover("Sign out everywhere", icon=":material/logout:", **guard("manage accounts")):
            _show_sign_out(name)
        with st.popover("Remove the account", icon=":material/no_accounts:", **guard("manage accounts")):
            st.write(
                "The person's sessions and tokens end, and the password is deleted. Their work and role stay. An invite "
                "for this name lets them in again, with a new password."
                if account.source == "local"
                else (
                    "The person's sessions and tokens end. Their work and role stay. Their next sign-in creates the account "
                    "again; to keep them out, end their work here."
                )
            )
            draw_button(
                "Remove it",
                "people_remove_account",
                _call,
                lambda: accounts.remove_account(name),
                f"{name} has no account any more.",
                is_primary=True,
                requires="manage accounts",
            )


def _show_sign_out(name: str) -> None:
    """Show the button that ends all sessions of a person; the person's access tokens stay valid unless the box is ticked."""
    accounts = open_workbench().accounts
    if explain_refusal("manage accounts"):
        return
    if is_of_proxy(name):
        st.write(
            "All of the person's tabs close. The proxy signs the person in at every request, so all requests are refused until "
            "a lead lets the person in again."
        )
    else:
        st.write("The person is signed out in every browser, and can sign in again.")
    stage = open_workbench().access_tokens
    tokens = [row.name for row in stage.list_tokens(name) if stage.find_state(row) == "open"]
    with_tokens = False
    if tokens:
        st.write(f"The person's scripts can still use {count_things(len(tokens), 'token')}: {escape(', '.join(tokens))}.")
        with_tokens = st.checkbox("Revoke the tokens too", key=f"people_tokens_{name}")
    draw_button(
        "Sign them out",
        "people_sign_out",
        _call,
        lambda: accounts.revoke_sessions(name, with_tokens=with_tokens),
        f"{name} is signed out in every browser{', and their tokens have ended' if with_tokens else ''}.",
        is_primary=True,
        requires="manage accounts",
    )


def _show_person(one: PersonRow, team: Team) -> None:
    """Show the actions on the chosen person: give the person a role, let the person sign in again, end the person's work, or
    bring the person back."""
    people = open_workbench().people
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.markdown(f"**{escape(one.name)}**", width="content")
            st.space("stretch")
            if team.is_on:
                role = st.selectbox(
                    "Role",
                    ROLES,
                    index=ROLES.index(cast(Role, one.role or "annotator")),
                    width=180,
                    key=f"people_role_{one.name}",
                    **guard("give roles"),
                )
                own = team.guests.get(one.name)
                release = show_release_choice(f"people_release_{one.name}", own) if role == GUEST else None
                draw_button(
                    "Give the role",
                    "people_give",
                    _call,
                    lambda: people.give(one.name, role, release),
                    f"{one.name} is {role} from now on.",
                    requires="give roles",
                    disabled=role == one.role and release == own,
                )
            if open_workbench().accounts.is_shut_out(one.name) and not one.is_removed:
                draw_button(
                    "Let in again",
                    "people_let_in",
                    _call,
                    lambda: open_workbench().accounts.let_in(one.name),
                    f"{one.name} can sign in again.",
                    icon="login",
                    requires="bring people back",
                )
            if one.is_removed:
                draw_button(
                    "Bring back",
                    "people_back",
                    _call,
                    lambda: people.bring_back(one.name),
                    f"{one.name} can work here again.",
                    icon="undo",
                    requires="bring people back",
                )
            else:
                with st.popover("End their work here", icon=":material/person_off:", **guard("remove people")):
                    st.write(
                        "All decisions and texts of this person stay and count. Their sessions and tokens end. Items that are "
                        "reserved for or assigned to this person become free. The person cannot decide on items until "
                        "somebody brings the person back; text that the person typed and did not submit stays."
                    )
                    draw_button(
                        "End it",
                        "people_end",
                        _call,
                        lambda: people.remove(one.name),
                        f"{one.name}'s work here has ended. All of their work stays.",
                        is_primary=True,
                        requires="remove people",
                    )
        if one.is_removed:
            show_warning(f"{one.name}'s work here has ended: no decision can be made under this name.")


def _give_by_name(team: Team, placeholder: str) -> None:
    """Show the form that gives a role to a person who has not worked here yet."""
    if not team.is_on:
        return
    with st.form("people_new", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Somebody new", max_chars=80, width=260, placeholder=placeholder)
        role = st.selectbox("Role", ROLES, width=180, key="people_new_role")
        release = None if explain_refusal("see releases") else show_release_choice("people_new_release")
        if st.form_submit_button("Give the role", **guard("give roles")):
            _call(
                lambda: open_workbench().people.give(name, role, release),
                f"{name.strip()} is {role} from now on. {explain_unusable_name(name)}".strip(),
            )
            st.rerun()


def _turn_off(team: Team) -> None:
    """Show the button that removes all roles, after which everybody may do everything."""
    if not team.is_on:
        return
    with st.popover("Turn roles off", icon=":material/remove_moderator:", **guard("give roles")):
        st.write(
            "Everybody may do everything again, except people whose work here has ended. All roles are removed; "
            "the log keeps them."
        )
        draw_button(
            "Turn them off",
            "people_off",
            _call,
            open_workbench().people.turn_off,
            "Roles are off: everybody may do everything.",
            is_primary=True,
            requires="give roles",
        )


def _call(verb: Callable[[], None], said: str) -> None:
    """Call the function `verb`, and store its error message or, if the call succeeds, the message `said`."""
    try:
        verb()
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
    else:
        st.session_state[_SAID] = said
