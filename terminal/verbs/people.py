"""Command-line verbs that manage the people of a workspace: roles, accounts, invites, sessions and access tokens."""

from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from terminal.output import format_count, show
from terminal.session import Session
from workbench.setup.sign_in_settings import SIGN_IN_WORDS, explain_unusable_name, write_invite_link

if TYPE_CHECKING:
    from workbench.setup.accounts import SignInRow


def list_people(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        team = b.people.team()
        accounts = {account.person: account for account in b.accounts.list_accounts()}
    records = [
        {
            "person": person.name,
            "name": accounts[person.name].name if person.name in accounts else person.name,
            "role": person.role,
            "release": team.guests.get(person.name),
            "sign_in": accounts[person.name].source if person.name in accounts else None,
            "has_ended": person.is_removed,
            "seen": person.seen,
        }
        for person in team.people
    ]
    show(
        session,
        options,
        {"people": records},
        lambda: format_lines(map(format_person, records), "Nobody has worked in this workspace yet."),
    )


def format_person(record: Mapping[str, Any]) -> str:
    """Format a person's record as one line."""
    name = record["person"] if record["name"] == record["person"] else f"{record['person']} ({record['name']})"
    sign_in = f"signs in: {SIGN_IN_WORDS[record['sign_in']]}" if record["sign_in"] else "no account"
    role = f"guest of {record['release']}" if record["release"] else record["role"] or "no role given"
    return f"{name}  {role}  {sign_in}{'  ended' if record['has_ended'] else ''}"


def give_role(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.people.give(options.person, options.role, options.release)
        person = b.people.spell_name(options.person)
    if why := explain_unusable_name(person):
        session.say(why)
    record = {"person": person, "role": options.role, "release": options.release}
    show(session, options, record, f"{person}: the role is now {options.role}.")


def invite(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        made = b.accounts.create_invite(options.role, days=options.days, person=options.person, release=options.release)
        record = {**as_json(made.row), "state": b.accounts.find_state(made.row)}
    link = write_invite_link(options.address, made.secret)
    where = "" if options.address else "\nThis is the path of the link: put the app's address before it."
    text = f"{link}{where}\nOne account, {made.row.role}, until {made.row.expires_at[:10]}. The link is not shown again."
    show(session, options, {**record, "secret": made.secret, "link": link}, text)


def list_invites(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        records = [{**as_json(row), "state": b.accounts.find_state(row)} for row in b.accounts.list_invites()]
    show(session, options, {"invites": records}, lambda: format_lines(map(format_invite, records), "No invites."))


def format_invite(record: Mapping[str, Any]) -> str:
    """Format the record of an invite as one line."""
    role = f"{record['role']} of {record['release']}" if record["release"] else record["role"]
    person = f" for {record['person']}" if record["person"] else ""
    state = f"used by {record['used_by']}" if record["used_by"] else record["state"]
    return f"{record['id']}  {role}{person}  until {record['expires_at'][:10]}  {state}"


def revoke_invite(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.accounts.revoke_invite(options.id)
    show(session, options, {"revoked": options.id}, f"{options.id}: revoked.")


def sign_out(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.accounts.revoke_sessions(options.person, with_tokens=options.tokens)
        person = b.people.spell_name(options.person)
        left = sum(b.access_tokens.find_state(row) == "open" for row in b.access_tokens.list_tokens(person))
        shut = (
            " Nobody can sign in through the proxy under this name until `people let-in`."
            if b.accounts.is_shut_out(person)
            else ""
        )
    tokens = f" {format_count(left, 'token')} of the person can still be used: `--tokens` revokes them." if left else ""
    text = f"{person}: signed out in every browser.{shut}{tokens}"
    show(session, options, {"signed_out": person, "open_tokens": left}, text)


def let_in(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.accounts.let_in(options.person)
        person = b.people.spell_name(options.person)
    show(session, options, {"let_in": person}, f"{person}: may sign in through the proxy again.")


def remove_account(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.accounts.remove_account(options.person)
        person = b.people.spell_name(options.person)
    text = f"{person}: the account is removed, and its sessions and tokens have ended. The work stays."
    show(session, options, {"removed": person}, text)


def remove(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.people.remove(options.person)
        person = b.people.spell_name(options.person)
    text = f"{person}: removed from the workspace; sessions and tokens have ended. The person's work stays."
    show(session, options, {"removed": person}, text)


def bring_back(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.people.bring_back(options.person)
        person = b.people.spell_name(options.person)
    show(session, options, {"brought_back": person}, f"{person}: can work in this workspace again.")


def turn_roles_off(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.people.turn_off()
    show(session, options, {"roles": False}, "Roles are off: everybody has all permissions.")


def list_sign_ins(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        rows, total = b.accounts.list_sign_ins(limit=max(options.limit, 0))
    lines = ("  ".join([row.at[:19], *format_sign_in(row)]) for row in rows)
    show(session, options, {"sign_ins": rows, "total": total}, lambda: format_lines(lines, "Nobody has signed in yet."))


def format_sign_in(row: "SignInRow") -> list[str]:
    """Return the columns of one row of the sign-in log, without the time."""
    return [f"{row.act}{', refused' if row.is_refused else ''}", row.tried or "-", row.address or "-", row.detail]


def create_token(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        made = b.access_tokens.create(options.person, options.name, days=options.days, scope=options.scope)
        record = {**as_json(made.row), "state": b.access_tokens.find_state(made.row)}
    where = "" if made.row.scope == "all" else f" at the {made.row.scope} alone"
    text = f"{made.secret}\nActs as {made.row.person}{where} until {made.row.expires_at[:10]}. The token is not shown again."
    show(session, options, {**record, "secret": made.secret}, text)


def list_tokens(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        records = [
            {**as_json(row), "state": b.access_tokens.find_state(row)} for row in b.access_tokens.list_tokens(options.person)
        ]
    show(session, options, {"tokens": records}, lambda: format_lines(map(format_token, records), "No tokens."))


def format_token(record: Mapping[str, Any]) -> str:
    """Format the record of an access token as one line."""
    used = f"last used {record['used_at'][:16]}" if record["used_at"] else "never used"
    scope = "" if record["scope"] == "all" else f" for {record['scope']}"
    ends = f"until {record['expires_at'][:10]}"
    return f"{record['id']}  {record['name']}  as {record['person']}{scope}  {ends}  {record['state']}, {used}"


def revoke_token(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.access_tokens.revoke(options.id)
    show(session, options, {"revoked": options.id}, f"{options.id}: revoked.")


def format_lines(lines: Iterable[str], when_empty: str) -> str:
    """Join lines to one text. Return `when_empty` if there are no lines."""
    return "\n".join(lines) or when_empty
