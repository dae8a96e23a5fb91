"""Manages the accounts of people who may sign in (by password, invite, provider or proxy), their sessions, and the record of
sign-ins.

The secret of an invite is returned once by the verb that makes it. The workspace has only its SHA-256, and only the argon2 hash
of a password."""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.errors import BenchError
from core.ids import new_id
from core.person_name import fold_name, is_same_person
from store.engine.columns import Fetch, fetch_from
from store.engine.database import Cursor, Database
from store.people import access_tokens, accounts, invites, people, sign_ins
from store.people.accounts import AccountRow
from store.people.invites import InviteRow
from store.people.sign_ins import SignInRow
from store.reviews import names
from workbench import actor
from workbench.roles import (
    DEFAULT_ROLE,
    MAX_NAME_CHARACTERS,
    Role,
    add_article,
    check_own_access,
    check_person_name,
    list_missing_permissions,
    record_act,
    requires,
)
from workbench.setup.access.access_secrets import SecretState, find_end, find_secret_state, format_time, hash_secret
from workbench.setup.access.passwords import AttemptLimiter, Passwords, check_new_password
from workbench.setup.access.sign_in_record import Identity, SignInRecord
from workbench.setup.guests import check_role

if TYPE_CHECKING:
    from argon2 import PasswordHasher

__all__ = ["AccountRow", "Accounts", "Invite", "InviteRow", "SignInRow"]

InviteState = SecretState | Literal["used"]

INVITE_DAYS = 7
MAX_FAILURES = 5
"""Failed attempts allowed per minute for one name from one address, and for invites from one address."""
MAX_FAILURES_OF_A_NAME = 20
"""Failed attempts allowed per minute for one name, from all addresses together."""
MAX_FAILURES_OF_AN_ADDRESS = 20
"""Failed attempts allowed per minute from one address, for all names together; people behind the same router share an
address."""
WORKSPACE_PREFIX = "workspace:"
"""Prefix of the stored names of people who signed in at another workspace; people of a provider have a prefix such as
"google:"."""
PROXY_PREFIX = "header:"
"""Prefix of the stored names of people whom a proxy names in a request header."""


@dataclass(frozen=True, slots=True)
class Invite:
    """A newly created invite, with its secret."""

    row: InviteRow
    secret: str

    def __repr__(self) -> str:
        return f"<Invite {self.row.id}>"


class Accounts:
    """Verbs on accounts, invites, passwords and sessions. Those that take a password need up to 0.7 seconds: call them in a
    thread."""

    def __init__(
        self, database: Database, hasher: "PasswordHasher | None" = None, clock: Callable[[], float] = time.time
    ) -> None:
        """Create the stage; `hasher` None = argon2id with its library's default parameters; `clock` returns seconds since
        1970."""
        self._db = database
        self._passwords = Passwords(hasher)
        self._clock = clock
        self._attempts = AttemptLimiter(clock)
        self._sign_ins = SignInRecord(database, clock)

    # Invites

    def has_owner(self) -> bool:
        """Return whether at least one admin can sign in."""
        return bool(self._list_admins())

    def create_first_link(self) -> str:
        """Create the invite for the first owner, who becomes an admin, and return its secret; earlier such invites are revoked.
        Raises BenchError when an admin can already sign in."""
        if self.has_owner():
            raise BenchError("An admin can sign in already: the link for the first owner is not needed any more.")
        at, secret = format_time(self._clock()), secrets.token_urlsafe(32)
        row = InviteRow(new_id(), "admin", "", True, at, None, find_end(self._clock(), INVITE_DAYS))

        def write(cursor: Cursor) -> None:
            invites.revoke_first_links(cursor, at)
            invites.add(cursor, row, hash_secret(secret))

        self._db.write(write)
        record_act(self._db, "invite people", "the first owner")
        return secret

    @requires("invite people", "role", notes=["person", "days", "release"])
    def create_invite(
        self,
        role: Role,
        *,
        days: int = INVITE_DAYS,
        by: str | None = None,
        person: str = "",
        release: str | None = None,
    ) -> Invite:
        """Create an invite: a link with which one person makes an account with `role`. `person` = the only name allowed, which
        may be one that has worked here before; "" = any new name. `release` = the only release that a guest sees. `by` names
        the inviter if there is no actor. Raises BenchError when the role, release, name or number of days is not possible."""
        check_role(self._db, role, release)
        if person:
            person = self._check_local_name(person)
            if accounts.has_account(self._db.rows, person):
                raise BenchError(f"{person} has an account already: remove it first, or invite another name.")
        secret = secrets.token_urlsafe(32)
        ends = find_end(self._clock(), days)
        row = InviteRow(
            new_id(), role, person, False, format_time(self._clock()), actor.get_name() or by, ends, release=release or None
        )
        self._db.write(lambda cursor: invites.add(cursor, row, hash_secret(secret)))
        return Invite(row, secret)

    @requires("invite people", is_logged=False)
    def list_invites(self) -> list[InviteRow]:
        """List all invites, newest first."""
        return invites.load_invites(self._db.rows)

    def find_state(self, row: InviteRow) -> InviteState:
        """Return "open" if the invite can be used, else "used", "revoked" or "expired"."""
        return "used" if row.used_at is not None else find_secret_state(row.revoked_at, row.expires_at, self._clock())

    @requires("invite people", lambda arguments: f"revoked: {arguments['id']}")
    def revoke_invite(self, id: str) -> None:
        """Revoke an unused invite. Raises BenchError when there is no such open invite."""
        if not self._db.write(lambda cursor: invites.revoke(cursor, id, format_time(self._clock()))):
            raise BenchError(f"There is no open invite {id}: list the open invites.")

    def accept_invite(self, secret: str, name: str, password: str, address: str) -> Identity:
        """Create a local account with the invite's role, this name and this password. Raises BenchError when the invite cannot
        be used, when the name belongs to somebody else, or when the password is too short."""
        keys = {f"invite {address}": MAX_FAILURES, f"address {address}": MAX_FAILURES_OF_AN_ADDRESS}
        self._begin_attempt(keys, "accept an invite", "", address)
        sha256 = hash_secret(secret)
        try:
            invite = self._check_invite(self._db.rows, sha256)
        except BenchError as error:
            self._sign_ins.add("accept an invite", "", address, str(error), is_refused=True)
            raise
        self._attempts.end_well(keys)  # the link is valid: later errors are typing errors, not guesses
        person = self._check_invited_name(invite, name)
        password_hash = self._passwords.hash_password(check_new_password(password, person))

        def write(cursor: Cursor) -> BenchError | AccountRow:
            fetch = fetch_from(cursor)
            try:
                self._check_invite(fetch, sha256)
            except BenchError as error:
                return error
            spelled = names.spell_names(cursor, [person])[person]
            if accounts.has_account(fetch, spelled):
                return BenchError(f"{spelled} has an account already: choose another name, or sign in.")
            account = AccountRow(spelled, spelled, "local", password_hash, format_time(self._clock()), invite.made_by)
            accounts.write(cursor, account)
            people.write(cursor, spelled, invite.role, False, invite.release)
            invites.mark_used(cursor, invite.id, spelled, format_time(self._clock()))
            return account

        try:
            account = self._db.write_or_raise(write)
        except BenchError as error:
            self._sign_ins.add("accept an invite", person, address, str(error), is_refused=True)
            raise
        self._sign_ins.add("accept an invite", account.person, address, invite.role)
        return Identity(account.person, account.name, "local")

    # Passwords

    def check_password(self, name: str, password: str, address: str) -> Identity | None:
        """Return the person with this name and password, or None if either is wrong; an unknown name takes as long as a wrong
        password. Raises BenchError after too many failed attempts, and for a removed person."""
        tried = names.spell_name(self._db, name[:MAX_NAME_CHARACTERS])
        keys = self._list_password_limits(tried, address)
        self._begin_attempt(keys, "sign in", self._hide_unknown(tried), address)
        account = accounts.load_accounts(self._db).get(tried)
        if not self._passwords.is_right(account and account.password_hash, password) or account is None:
            known = self._hide_unknown(tried)
            self._sign_ins.add("sign in", known, address, "wrong password" if known else "unknown name", is_refused=True)
            return None
        self._attempts.end_well(keys)
        self._check_not_removed(account.person, "sign in", address)
        self._sign_ins.add("sign in", account.person, address, "local")
        return Identity(account.person, account.name, "local")

    def has_password(self, person: str) -> bool:
        """Return whether the person has a local account, which has a password."""
        account = accounts.load_accounts(self._db).get(person)
        return account is not None and account.password_hash is not None

    def change_password(self, person: str, old: str, new: str) -> None:
        """Change the person's password and end all their sessions, including the current one. Raises BenchError when the old
        password is wrong or the new one is too short."""
        check_own_access(self._db, person)
        keys = self._list_password_limits(person, "")
        self._begin_attempt(keys, "change the password", person, "")
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
        """Delete the person's account, and end their sessions and tokens. Their work and role stay; an invite for the same name
        makes a new account. Raises BenchError when there is no account, or when no admin could sign in any more."""
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
        """Find or create the account of a person who is identified by a provider, a proxy or another workspace. A new person
        becomes an annotator; a person from another workspace needs a role first. The call is cheap enough for every request.
        Raises BenchError for a removed person, for one from another workspace without a role, for a name that differs from a
        known one only in case, and for a person of a proxy whose sessions were ended."""
        person, name = identity.person, identity.name.strip()[:MAX_NAME_CHARACTERS] or identity.person
        if names.spell_name(self._db, person) != person:
            why = f"The name {person} differs from {names.spell_name(self._db, person)} only in case or spaces: ask an admin."
            self._sign_ins.add("sign in", person, address, why, is_refused=True)
            raise BenchError(why)
        self._check_not_removed(person, "sign in", address)
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
        """End all sessions of the person that have begun, and with `with_tokens` also their access tokens. A person of a proxy,
        who is signed in at every request, is shut out until `let_in`. Ending another person's sessions needs the permission to
        manage accounts. Raises BenchError for people of a proxy who end their own."""
        person = check_own_access(self._db, person)
        who = actor.get_name()
        if who is not None and is_of_proxy(person) and names.spell_name(self._db, who) == person:
            raise BenchError("A proxy signs you in at every request: sign out there, or ask an admin to end your sessions.")

        def write(cursor: Cursor) -> None:
            accounts.end_sessions(cursor, person, self._clock())
            if with_tokens:
                access_tokens.revoke_all(cursor, person, format_time(self._clock()))

        self._db.write(write)
        record_act(self._db, "end sessions", f"{person}, with the tokens" if with_tokens else person)

    def is_shut_out(self, person: str) -> bool:
        """Return whether the person comes through a proxy, had their sessions ended, and was not let in again."""
        return is_of_proxy(person) and self.find_not_before(person) > 0.0

    @requires("bring people back", lambda arguments: f"let in: {arguments['person']}")
    def let_in(self, person: str) -> None:
        """Let a person in again who comes through a proxy and whose sessions were ended. Raises BenchError for others, who can
        simply sign in."""
        person = names.spell_name(self._db, person)
        if not self.is_shut_out(person):
            raise BenchError(f"{person} is not shut out: {person} can sign in.")
        self._db.write(lambda cursor: accounts.lift_session_limit(cursor, person))

    def find_not_before(self, person: str) -> float:
        """Return the time at which the person's sessions were last ended, in seconds since 1970; 0.0 = they never were. It is
        cached in memory."""
        return accounts.load_session_limits(self._db).get(person, 0.0)

    # The record

    def record_refusal(self, what: str, address: str, tried: str = "") -> None:
        """Record a refused request; one that repeats within a minute is not recorded again."""
        self._sign_ins.add(what, tried, address, is_refused=True)

    @requires("see sign-ins")
    def list_sign_ins(self, tried: tuple[str, ...] = (), limit: int = 50, offset: int = 0) -> tuple[list[SignInRow], int]:
        """Return one page of the record of sign-ins, newest first, and the number of all rows. `tried` restricts it to these
        names (empty = all)."""
        return sign_ins.load_page(self._db, tried, limit, offset), sign_ins.count(self._db, tried)

    @requires("see sign-ins")
    def list_tried_names(self) -> list[str]:
        """List all names in the record of sign-ins: of people who signed in, and of those that somebody tried."""
        return sign_ins.list_tried_names(self._db)

    def _list_admins(self) -> list[str]:
        """List the names of the admins who can sign in."""
        holders = accounts.load_accounts(self._db)
        return [name for name in people.list_names_of_role(self._db, "admin") if name in holders]

    def _check_invite(self, fetch: Fetch, sha256: str) -> InviteRow:
        """Return the invite whose secret has this SHA-256. Raises BenchError when it cannot be used."""
        invite = invites.find_invite(fetch, sha256)
        if invite is None:
            raise BenchError("There is no such invite: check that the whole link was copied, or ask for a new one.")
        state = self.find_state(invite)
        if state == "used":
            raise BenchError("This invite was used already: sign in, or ask for a new one.")
        if state != "open" or (invite.is_first and self.has_owner()):
            raise BenchError(f"This invite {'has expired' if state == 'expired' else 'was revoked'}: ask for a new one.")
        inviter = invite.made_by and people.load_status(self._db, invite.made_by)
        if inviter and "invite people" in list_missing_permissions(inviter):
            raise BenchError(f"{invite.made_by}, who made this invite, may not invite people any more: ask for a new one.")
        return invite

    def _check_invited_name(self, invite: InviteRow, name: str) -> str:
        """Return the name as this workspace spells it. Raises BenchError when the invite does not allow it."""
        person = self._check_local_name(name)
        if invite.person and not is_same_person(invite.person, person):
            raise BenchError(f"This invite is for {invite.person}: give that name.")
        if accounts.has_account(self._db.rows, person):
            raise BenchError(f"{person} has an account already: choose another name, or sign in.")
        status = people.load_status(self._db, person)
        if status.is_removed:
            raise BenchError(f"{person}'s work here has ended: a lead can bring {person} back.")
        if not invite.is_first and not invite.person and names.is_known(self._db, person):
            raise BenchError(f"{person} is the name of somebody here: choose another, or ask for an invite for that name.")
        if invite.role != "admin" and status.role not in (None, DEFAULT_ROLE, invite.role):
            raise BenchError(
                f"{person} is {add_article(status.role)} here and this invite is for {add_article(invite.role)}: "
                f"ask for an invite for {add_article(status.role)}."
            )
        return person

    def _check_local_name(self, name: str) -> str:
        """Return the name as this workspace spells it. Raises BenchError when it is empty, too long, or looks like the name of
        a person from a provider or a proxy."""
        person = names.spell_name(self._db, check_person_name(name))
        if ":" in fold_name(person):
            raise BenchError(f"The name {person} has a colon, which marks people of a provider: choose another name.")
        if not person.isprintable():
            raise BenchError("The name has an invisible character: remove it.")
        return person

    def _check_not_removed(self, person: str, act: str, address: str) -> None:
        if people.load_status(self._db, person).is_removed:
            why = f"{person}'s work here has ended: a lead can bring {person} back."
            self._sign_ins.add(act, person, address, why, is_refused=True)
            raise BenchError(why)

    def _list_password_limits(self, person: str, address: str) -> dict[str, int]:
        """Return a dict from the keys under which an attempt with a password is counted to the failures allowed per minute."""
        key = fold_name(person)
        return {
            f"name {key} at {address}": MAX_FAILURES,
            f"name {key}": MAX_FAILURES_OF_A_NAME,
            f"address {address}": MAX_FAILURES_OF_AN_ADDRESS,
        }

    def _begin_attempt(self, limits: Mapping[str, int], act: str, tried: str, address: str) -> None:
        try:
            self._attempts.begin_attempt(limits)
        except BenchError:
            self._sign_ins.add(act, tried, address, "too many attempts", is_refused=True)
            raise

    def _hide_unknown(self, tried: str) -> str:
        """Return the name if it is known here, else "", because an unknown name may be a password typed into the wrong box."""
        return tried if names.is_known(self._db, tried) else ""


def is_of_proxy(person: str) -> bool:
    """Return whether the person comes through a proxy that names them in a request header."""
    return person.startswith(PROXY_PREFIX)
