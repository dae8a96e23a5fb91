"""A person's own sign-in data: their password, their sessions, and the access tokens of their scripts. An admin sees
everybody's tokens."""

import streamlit as st

from core.errors import BenchError
from pages.parts.setup.people.secret import keep_new_secret, show_new_secret
from pages.parts.ui import listing
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.heading import show_empty
from pages.parts.ui.person import get_person, get_session
from pages.parts.ui.say import escape, show_error
from workbench import open_workbench
from workbench.setup.access.access_secrets import MAX_DAYS
from workbench.setup.access.access_tokens import FIGURES_PERMISSION, TOKEN_DAYS, TOKEN_SCOPES, AccessTokenRow, TokenScope
from workbench.setup.access.passwords import MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS
from workbench.setup.accounts import is_of_proxy

COLUMNS = {
    "Token": st.column_config.TextColumn(width="medium"),
    "Acts as": st.column_config.TextColumn(),
    "Scope": st.column_config.TextColumn(help="all = everything that the person may do; metrics = only the server's metrics"),
    "Made (UTC)": st.column_config.TextColumn(),
    "By": st.column_config.TextColumn(),
    "Expires (UTC)": st.column_config.TextColumn(),
    "Last used (UTC)": st.column_config.TextColumn(),
    "State": st.column_config.TextColumn(),
}
_TOKEN, _TROUBLE = "token_secret", "access_trouble"


def show() -> None:
    """Show the forms for the person's password, sessions and access tokens. After changing the password or ending all sessions,
    the person gets the sign-in page."""
    if why := st.session_state.pop(_TROUBLE, ""):
        show_error(why)
    _show_sessions()
    st.subheader("Tokens")
    st.caption(
        "A script with a token acts as a person, with that person's role. The command line reads the token from the "
        "variable BENCHWRIGHT_TOKEN; other scripts send it in the header Authorization, after the word Bearer. Revoke "
        "lost tokens."
    )
    show_new_secret(_TOKEN)
    _show_tokens()


def _show_sessions() -> None:
    """Show the form that changes a local account's password, and the button that ends all of the person's sessions."""
    person = get_person()
    with st.container(horizontal=True, vertical_alignment="center"):
        if open_workbench().accounts.has_password(person):
            with st.popover("Change your password", icon=":material/password:"), st.form("password_new", border=False):
                old = st.text_input("Old password", type="password", key="password_old", autocomplete="current-password")
                new = st.text_input(
                    f"New password, at least {MIN_PASSWORD_CHARACTERS} characters",
                    type="password",
                    key="password_first",
                    max_chars=MAX_PASSWORD_CHARACTERS,
                    autocomplete="new-password",
                )
                again = st.text_input(
                    "Repeat the new password", type="password", key="password_again", autocomplete="new-password"
                )
                st.caption("If you change your password, you are signed out in every browser.")
                if st.form_submit_button("Change it"):
                    _change_password(person, old, new, again)
                    st.rerun()
        if is_of_proxy(person):
            st.caption("A proxy signs you in: sign out there. Access tokens stay valid until they are revoked below.")
            return
        if get_session().source == "workspace":
            st.caption(
                "You sign in at another workspace of this server: *Sign out* in the sidebar signs you out of all "
                "workspaces, in every browser. Access tokens stay valid until they are revoked below."
            )
            return
        draw_button(
            "Sign out in every browser",
            "access_sign_out",
            open_workbench().accounts.revoke_sessions,
            person,
            icon="logout",
            disabled=not person,
        )
        st.caption("Access tokens stay valid until they are revoked below.")


def _change_password(person: str, old: str, new: str, again: str) -> None:
    if new != again:
        st.session_state[_TROUBLE] = "The two new passwords differ: nothing was changed."
        return
    try:
        open_workbench().accounts.change_password(person, old, new)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)


def _show_tokens() -> None:
    """Show the list of access tokens, with the forms that create and revoke them."""
    accounts, tokens, person = open_workbench().accounts, open_workbench().access_tokens, get_person()
    manages = explain_refusal("manage accounts") is None
    holders = [account.person for account in accounts.list_accounts()] if manages else [person]
    with st.form("token_new", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("What the token is for", max_chars=80, width=260, key="token_name", placeholder="nightly import")
        holder = person
        if manages and holders:
            index = holders.index(person) if person in holders else 0
            holder = st.selectbox("Acts as", holders, index=index, width=220, key="token_person")
        scope: TokenScope = st.selectbox(
            "Scope",
            [one for one in TOKEN_SCOPES if one != "metrics" or not explain_refusal(FIGURES_PERMISSION)],
            width=130,
            key="token_scope",
            help="all = everything that person may do; mcp = only the tools of an AI assistant, which makes no decisions; "
            "metrics = only the server's metrics, for Prometheus",
        )
        days = st.number_input("Days", 1, MAX_DAYS, TOKEN_DAYS, width=130, key="token_days")
        if st.form_submit_button("Create a token", icon=":material/key:"):
            _create_token(holder, name, int(days), scope)
            st.rerun()
    rows = tokens.list_tokens("" if manages else person)
    if not rows:
        show_empty("No tokens yet", "People do not need tokens: they sign in.")
        return
    place = listing.show([_write_row(row) for row in rows], "token_list", COLUMNS)
    chosen = rows[place] if place is not None and place < len(rows) else None
    if chosen is None:
        st.caption("Choose a token to revoke it.")
    elif tokens.find_state(chosen) == "open":
        draw_button("Revoke this token", "token_revoke", _revoke_token, chosen.id, icon="key_off")


def _write_row(row: AccessTokenRow) -> dict[str, str | None]:
    return {
        "Token": row.name,
        "Acts as": row.person,
        "Scope": row.scope,
        "Made (UTC)": row.made_at[:16].replace("T", " "),
        "By": row.made_by or "the terminal",
        "Expires (UTC)": row.expires_at[:16].replace("T", " "),
        "Last used (UTC)": row.used_at and row.used_at[:16].replace("T", " "),
        "State": open_workbench().access_tokens.find_state(row),
    }


def _create_token(person: str, name: str, days: int, scope: TokenScope) -> None:
    try:
        token = open_workbench().access_tokens.create(person, name, days=days, scope=scope)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
        return
    what = {"metrics": "reads the metrics", "mcp": "has the tools of assistants"}.get(scope, "acts")
    keep_new_secret(_TOKEN, token.secret, f"With this token, a script {what} as {escape(person)}.")


def _revoke_token(id: str) -> None:
    try:
        open_workbench().access_tokens.revoke(id)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
