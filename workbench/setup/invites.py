"""Manage invites: links with each of which one person can create an account. The secret of an invite is returned only once,
when the invite is created; the workspace stores only its SHA-256."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from core.errors import BenchError
from core.ids import new_id
from core.person_name import fold_name, is_same_person
from store.engine.columns import Fetch, fetch_from
from store.engine.database import Cursor, Database
from store.people import accounts, invites, people
from store.people.accounts import AccountRow
from store.people.invites import InviteRow
from store.reviews import names
from workbench import actor
from workbench.roles import DEFAULT_ROLE, Role, check_person_name, list_missing_permissions, record_act, requires
from workbench.setup.access.access_secrets import SecretState, find_end, find_secret_state, format_time, hash_secret
from workbench.setup.access.attempts import MAX_FAILURES, MAX_FAILURES_OF_AN_ADDRESS, AttemptLimiter
from workbench.setup.access.passwords import Passwords, check_new_password
from workbench.setup.access.sign_in_record import Identity, SignInRecord
from workbench.setup.guests import check_role
from workbench.setup.sign_in_settings import load_sign_in_sources

__all__ = ["Invite", "InviteRow", "Invites"]

InviteState = SecretState | Literal["used"]

INVITE_DAYS = 7


@dataclass(frozen=True, slots=True)
class Invite:
    """A new invite with its secret."""

    row: InviteRow
    secret: str

    def __repr__(self) -> str:
        return f"<Invite {self.row.id}>"


class Invites:
    """Methods that create, list, revoke and accept invites."""

    def __init__(
        self,
        database: Database,
        passwords: Passwords,
        attempts: AttemptLimiter,
        sign_ins: SignInRecord,
        clock: Callable[[], float],
        has_owner: Callable[[], bool],
    ) -> None:
        """Create the stage. The function `has_owner` returns whether at least one admin can sign in."""
        self._db, self._passwords, self._attempts, self._sign_ins = database, passwords, attempts, sign_ins
        self._clock, self._has_owner = clock, has_owner

    def create_first_link(self) -> str:
        """Create the invite for the first owner, who becomes an admin; return its secret. Earlier invites for the first owner
        are revoked. Raises BenchError if an admin can already sign in."""
        if self._has_owner():
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
        """Create an invite: a link with which one person can create an account with the role `role`. `person` is the only name
        that the new account can have, possibly that of a person who has worked here before; "" allows any new name. `release`
        is the only release that a guest sees. `by` is the name of the person who invites, if there is no actor. Raises
        BenchError if the role, release, name or number of days is invalid, or if people sign in on this server but not by
        password."""
        sources = load_sign_in_sources()
        if sources and "local" not in sources:
            raise BenchError("Nobody signs in here by password, so invites do not work: give the person a role instead.")
        check_role(self._db, role, release)
        if person:
            person = self._check_local_name(person)
            if accounts.has_account(self._db.rows, person):
                raise BenchError(f"{person} has an account already: remove it first, or invite them under another name.")
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
        """Return "open" if the invite can be used, otherwise "used", "revoked" or "expired"."""
        return "used" if row.used_at is not None else find_secret_state(row.revoked_at, row.expires_at, self._clock())

    @requires("invite people", lambda arguments: f"revoked: {arguments['id']}")
    def revoke_invite(self, id: str) -> None:
        """Revoke an unused invite. Raises BenchError if there is no open invite with this id."""
        if not self._db.write(lambda cursor: invites.revoke(cursor, id, format_time(self._clock()))):
            raise BenchError(f"There is no open invite {id}: list the open invites.")

    def find_invited_person(self, secret: str) -> str:
        """Return the only name that the invite with this secret allows; "" if it allows any new name. Raises BenchError if the
        invite cannot be used."""
        return self._check_invite(self._db.rows, hash_secret(secret)).person

    def accept_invite(self, secret: str, name: str, password: str, address: str) -> Identity:
        """Create an account with the invite's role, this name and this password. Raises BenchError if the invite cannot be
        used, if the name belongs to another person, or if the password is too short."""
        keys = {f"invite {address}": MAX_FAILURES, f"address {address}": MAX_FAILURES_OF_AN_ADDRESS}
        self._attempts.begin(keys, "accept an invite", "", address)
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

    def _check_invite(self, fetch: Fetch, sha256: str) -> InviteRow:
        """Return the invite whose secret has this SHA-256. Raises BenchError if the invite cannot be used."""
        invite = invites.find_invite(fetch, sha256)
        if invite is None:
            raise BenchError("There is no such invite: check that the whole link was copied, or ask for a new one.")
        state = self.find_state(invite)
        if state == "used":
            raise BenchError("This invite was used already: sign in, or ask for a new one.")
        if state != "open" or (invite.is_first and self._has_owner()):
            raise BenchError(f"This invite {'has expired' if state == 'expired' else 'was revoked'}: ask for a new one.")
        inviter = invite.made_by and people.load_status(self._db, invite.made_by)
        if inviter and "invite people" in list_missing_permissions(inviter):
            raise BenchError(f"{invite.made_by}, who made this invite, may not invite people any more: ask for a new one.")
        return invite

    def _check_invited_name(self, invite: InviteRow, name: str) -> str:
        """Return the name in the spelling of this workspace. Raises BenchError if the invite does not allow this name."""
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
                f"{person} has the role {status.role} in this workspace, and this invite gives the role {invite.role}: "
                f"ask for an invite with the role {status.role}."
            )
        return person

    def _check_local_name(self, name: str) -> str:
        """Return the name in the spelling of this workspace. Raises BenchError if the name is empty or too long, or looks like
        that of a person from a provider or a proxy."""
        person = names.spell_name(self._db, check_person_name(name))
        if ":" in fold_name(person):
            raise BenchError(
                f"The name {person} has a colon, which only names from a sign-in provider have: choose another name."
            )
        if not person.isprintable():
            raise BenchError("The name has an invisible character: remove it.")
        return person
