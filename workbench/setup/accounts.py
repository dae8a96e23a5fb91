"""Manage the accounts of people who may sign in (by password, invite, provider or proxy), their sessions, and the record of
sign-ins. Of a password, the workspace stores only the argon2 hash."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import BenchError
from core.person_name import fold_name
from store.engine.database import Cursor, Database
from store.people import access_tokens, accounts, people, sign_ins
from store.people.accounts import AccountRow
from store.people.sign_ins import SignInRow
from store.reviews import names
from workbench import actor
from workbench.roles import (
    DEFAULT_ROLE,
    MAX_NAME_CHARACTERS,
    check_own_access,
    record_act,
    requires,
)
from workbench.setup.access.access_secrets import format_time
from workbench.setup.access.attempts import MAX_FAILURES, MAX_FAILURES_OF_A_NAME, MAX_FAILURES_OF_AN_ADDRESS, AttemptLimiter
from workbench.setup.access.passwords import Passwords, check_new_password
from workbench.setup.access.sign_in_record import Identity, SignInRecord
from workbench.setup.invites import Invites

if TYPE_CHECKING:
    from argon2 import PasswordHasher

__all__ = ["AccountRow", "Accounts", "SignInRow"]

WORKSPACE_PREFIX = "workspace:"
"""Beginning of the stored names of people who signed in at another workspace; the names of people from a provider begin with,
for example, "google:"."""
PROXY_PREFIX = "header:"
"""Beginning of the stored names of people whom a proxy names in a request header."""


class Accounts:
    """Methods that manage accounts, invites, passwords and sessions. Methods that take a password can take 0.7 seconds: call
    them in a thread."""

    def __init__(
        self, database: Database, hasher: "PasswordHasher | None" = None, clock: Callable[[], float] = time.time
    ) -> None:
        """Create the stage. If `hasher` is None, passwords are hashed with argon2id and the parameters in access/passwords.py;
        `clock` returns seconds since 1970."""
        self._db = database
        self._passwords = Passwords(hasher)
        self._clock = clock
        self._sign_ins = SignInRecord(database, clock)
        self._attempts = AttemptLimiter(clock, self._sign_ins)
        made = Invites(database, self._passwords, self._attempts, self._sign_ins, clock, self.has_owner)
        self.create_first_link, self.create_invite = made.create_first_link, made.create_invite
        self.list_invites, self.revoke_invite = made.list_invites, made.revoke_invite
        self.find_state, self.accept_invite = made.find_state, made.accept_invite
        self.find_invited_person = made.find_invited_person

    def has_owner(self) -> bool:
        """Return whether at least one admin can sign in."""
        return bool(self._list_admins())

    # Passwords

    def check_password(self, name: str, password: str, address: str) -> Identity | None:
        """Return the person with this name and password, or None if one of them is wrong; the check takes equally long in both
        cases. Raises BenchError after too many failed attempts, and for a person who was removed."""
        tried = names.spell_name(self._db, name[:MAX_NAME_CHARACTERS])
        keys = self._list_password_limits(tried, address)
        self._attempts.begin(keys, "sign in", self._hide_unknown(tried), address)
        account = accounts.load_accounts(self._db).get(tried)
        if not self._passwords.is_right(account and account.password_hash, password) or account is None:
            known = self._hide_unknown(tried)
            self._sign_ins.add("sign in", known, address, "wrong password" if known else "unknown name", is_refused=True)
            return None
        self._attempts.end_well(keys)
        self._check_not_removed(account.person, address)
        self._sign_ins.add("sign in", account.person, address, "local")
        stored = account.password_hash
        renewed = stored and self._passwords.renew_hash(stored, password)
        if stored and renewed:  # checking an unknown name takes as long as checking a hash
            self._db.write(lambda cursor: accounts.replace_hash(cursor, account.person, stored, renewed))
        return Identity(account.person, account.name, "local")

    def has_password(self, person: str) -> bool:
        """Return whether the person has an account with a password."""
        account = accounts.load_accounts(self._db).get(person)
        return account is not None and account.password_hash is not None

    def change_password(self, person: str, old: str, new: str) -> None:
        """Change the person's password and end all sessions of the person, including the current one. Raises BenchError if the
        old password is wrong or the new one is too short."""
        check_own_access(self._db, person)
        keys = self._list_password_limits(person, "")
        self._attempts.begin(keys, "change the password", person, "")
        account = accounts.load_accounts(self._db).get(person)
        if not self._passwords.is_right(account and account.password_hash, old) or account is None:
            self._sign_ins.add("change the password", person, "", "wrong password", is_refused=True)
            raise BenchError("The old password is wrong: nothing was changed.")
        self._attempts.end_well(keys)
        changed = account._replace(password_hash=self._passwords.hash_password(check_new_password(new, person)))

        def write(cursor: Cursor) -> None:
            accounts.write(cursor, changed)
            accounts.end_sessions(cursor, person, self._clock())

        self._db.write(write)
        self._sign_ins.add("change the password", person, "")

    # Accounts

    @requires("see who did what", is_logged=False)
    def list_accounts(self) -> list[AccountRow]:
        """List the accounts of all people who may sign in, sorted by name."""
        return list(accounts.load_accounts(self._db).values())

    @requires("manage accounts", "person")
    def remove_account(self, person: str) -> None:
        """Delete the person's account, and end the person's sessions and tokens. The person's work and role stay, and an invite
        for the same name makes a new account. Raises BenchError if the person has no account, or is the only admin who can sign
        in."""
        person = names.spell_name(self._db, person)
        if not accounts.has_account(self._db.rows, person):
            raise BenchError(f"{person} has no account: list the people to see who has one.")
        if self._list_admins() == [person] and actor.get_name() is not None:
            raise BenchError(f"{person} is the only admin who can sign in: make somebody else an admin first.")

        def write(cursor: Cursor) -> None:
            accounts.delete(cursor, person)
            access_tokens.revoke_all(cursor, person, format_time(self._clock()))
            accounts.end_sessions(cursor, person, self._clock())

        self._db.write(write)

    def join(self, identity: Identity, address: str) -> Identity:
        """Return the account of a person whom a provider, a proxy or another workspace has identified; create it if there is
        none. A new person becomes an annotator, but a person from another workspace first needs a role. The call is fast enough
        for every request. Raises BenchError in four cases: a removed person; a person from another workspace without a role; a
        name that differs from a known one only in case; a person of a proxy whose sessions were ended."""
        person, name = identity.person, identity.name.strip()[:MAX_NAME_CHARACTERS] or identity.person
        if names.spell_name(self._db, person) != person:
            why = f"The name {person} differs from {names.spell_name(self._db, person)} only in case or spaces: ask an admin."
            self._sign_ins.add("sign in", person, address, why, is_refused=True)
            raise BenchError(why)
        self._check_not_removed(person, address)
        if self.is_shut_out(person):
            why = f"The sessions of {person} were ended: a lead can let {person} in again on the page People."
            self._sign_ins.add("sign in", person, address, why, is_refused=True)
            raise BenchError(why)
        if identity.source == "workspace" and not self.is_member(person):
            why = f"{name} may not enter this workspace: ask one of its admins to give {person} a role on the page People."
            self._sign_ins.add("sign in", person, address, why, is_refused=True)
            raise BenchError(why)
        account = accounts.load_accounts(self._db).get(person)
        if account is None or account.name != name:
            made_at = format_time(self._clock()) if account is None else account.made_at
            row = AccountRow(person, name, identity.source, None, made_at, None)

            def write(cursor: Cursor) -> None:
                names.spell_names(cursor, [person])
                accounts.write(cursor, row)
                if people.load_status(self._db, person).role is None:
                    people.write(cursor, person, DEFAULT_ROLE, False)

            self._db.write(write)
        if self._sign_ins.is_due(f"join {person} {address}"):
            self._sign_ins.add("sign in", person, address, identity.source)
        return Identity(person, name, identity.source)

    def is_member(self, person: str) -> bool:
        """Return whether the person has a role in this workspace and was not removed."""
        status = people.load_status(self._db, person)
        return status.role is not None and not status.is_removed

    # Sessions

    def revoke_sessions(self, person: str, *, with_tokens: bool = False) -> None:
        """End all current sessions of the person and, if `with_tokens` is true, revoke the person's access tokens. If a proxy
        signs the person in at every request, the person stays signed out until `let_in` is called. Ending another person's
        sessions requires the permission to manage accounts. Raises BenchError if this workspace does not know the person, or if
        people whom a proxy signs in end their own sessions."""
        person = check_own_access(self._db, person)
        who = actor.get_name()
        is_own = who is not None and names.spell_name(self._db, who) == person
        if not is_own and not names.is_known(self._db, person):
            raise BenchError(f"{person} is not known here: list the people to see who is.")
        if is_own and is_of_proxy(person):
            raise BenchError(
                "A proxy signs you in at every request: sign out there (at the proxy), or ask an admin to end your sessions."
            )

        def write(cursor: Cursor) -> None:
            accounts.end_sessions(cursor, person, self._clock())
            if with_tokens:
                access_tokens.revoke_all(cursor, person, format_time(self._clock()))

        self._db.write(write)
        record_act(self._db, "end sessions", f"{person}, with the tokens" if with_tokens else person)

    def is_shut_out(self, person: str) -> bool:
        """Return whether the person signs in through a proxy and has been signed out, without a call of `let_in` since."""
        return is_of_proxy(person) and self.find_not_before(person) > 0.0

    @requires("bring people back", lambda arguments: f"let in: {arguments['person']}")
    def let_in(self, person: str) -> None:
        """Let a person who signs in through a proxy, and whose sessions were ended, use the workspace again. Raises BenchError
        for any other person, because that person can simply sign in."""
        person = names.spell_name(self._db, person)
        if not self.is_shut_out(person):
            raise BenchError(f"{person} is not shut out: {person} can sign in.")
        self._db.write(lambda cursor: accounts.lift_session_limit(cursor, person))

    def find_not_before(self, person: str) -> float:
        """Return the time at which the person's sessions were last ended, in seconds since 1970; 0.0 if they never were. The
        times are cached in memory."""
        return accounts.load_session_limits(self._db).get(person, 0.0)

    # The record

    def record_refusal(self, what: str, address: str, tried: str = "") -> None:
        """Record a refused request, unless the same refusal was recorded within the last minute."""
        self._sign_ins.add(what, tried, address, is_refused=True)

    @requires("see sign-ins")
    def list_sign_ins(self, tried: tuple[str, ...] = (), limit: int = 50, offset: int = 0) -> tuple[list[SignInRow], int]:
        """Return (one page of the record of sign-ins, newest first, number of all its rows). `tried` selects the attempts with
        these names; if it is empty, all attempts are selected."""
        return sign_ins.load_page(self._db, tried, limit, offset), sign_ins.count(self._db, tried)

    @requires("see sign-ins")
    def list_tried_names(self) -> list[str]:
        """Return all names in the record of sign-ins, whether the attempts succeeded or were refused."""
        return sign_ins.list_tried_names(self._db)

    def _list_admins(self) -> list[str]:
        """List the names of the admins who can sign in."""
        holders = accounts.load_accounts(self._db)
        return [name for name in people.list_names_of_role(self._db, "admin") if name in holders]

    def _check_not_removed(self, person: str, address: str) -> None:
        if people.load_status(self._db, person).is_removed:
            why = f"{person}'s work here has ended: a lead can bring {person} back."
            self._sign_ins.add("sign in", person, address, why, is_refused=True)
            raise BenchError(why)

    def _list_password_limits(self, person: str, address: str) -> dict[str, int]:
        """Return a dict from each key under which attempts with a password are counted to the number of failures allowed in a
        minute."""
        key = fold_name(person)
        return {
            f"name {key} at {address}": MAX_FAILURES,
            f"name {key}": MAX_FAILURES_OF_A_NAME,
            f"address {address}": MAX_FAILURES_OF_AN_ADDRESS,
        }

    def _hide_unknown(self, tried: str) -> str:
        """Return the name if this workspace knows it, otherwise "", because an unknown name may be a password that was typed
        into the wrong field."""
        return tried if names.is_known(self._db, tried) else ""


def is_of_proxy(person: str) -> bool:
    """Return whether a proxy signs the person in, by naming the person in a request header."""
    return person.startswith(PROXY_PREFIX)
