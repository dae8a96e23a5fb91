"""Manage the people of the workspace: give them roles, and end a person's work without deleting the results."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from core.errors import BenchError
from store.engine.columns import current_time
from store.engine.database import Cursor, Database
from store.people import access_tokens, accounts, people
from store.people.people import PersonRow
from store.queue import leases
from store.reviews import names
from workbench import actor
from workbench.roles import (
    DEFAULT_ROLE,
    GUEST,
    PERMISSIONS,
    ROLES,
    Role,
    check_person_name,
    explain_refusal,
    find_guest_release,
    list_forbidden_permissions,
    requires,
)
from workbench.setup.accounts import is_of_proxy
from workbench.setup.guests import check_role
from workbench.setup.sign_in_settings import is_sign_in_on

__all__ = ["GUEST", "ROLES", "PeopleStage", "PersonRow", "Role", "Team"]


@dataclass(frozen=True, slots=True)
class Team:
    """All people of the workspace with their roles, and whether the workspace uses roles."""

    is_on: bool
    """Whether the workspace uses roles. In a workspace without roles, everybody may do everything."""
    people: tuple[PersonRow, ...]
    guests: Mapping[str, str]
    """Dict from guest to the only release that the guest sees."""


class PeopleStage:
    """Methods that list people, give them roles, remove them and bring them back."""

    def __init__(self, database: Database, clock: Callable[[], str] = current_time) -> None:
        self._db = database
        self._clock = clock

    @requires("see who did what")
    def team(self) -> Team:
        """Return all people who have worked in this workspace or have a role, sorted by name."""
        return Team(self.is_on(), tuple(people.list_people(self._db, self._clock())), people.load_guests(self._db))

    def is_on(self) -> bool:
        """Return whether the workspace uses roles, so that permissions are checked."""
        return people.load_status(self._db, "").is_on

    def spell_name(self, person: str) -> str:
        """Return the name in the spelling of this workspace; case and spaces at the ends do not matter."""
        return names.spell_name(self._db, person)

    def role(self, person: str) -> Role | None:
        """Return the role that this person has in effect, or None if the workspace does not use roles."""
        found = people.load_status(self._db, person.strip())
        role: Role = next((role for role in ROLES if role == found.role), DEFAULT_ROLE)
        return role if found.is_on else None

    def explain_refusal(self, what: str) -> str | None:
        """Return the reason why the current user lacks the permission `what`, to be shown at a button, or None if the current
        user has it."""
        return explain_refusal(self._db, what)

    def list_forbidden_permissions(self) -> frozenset[str]:
        """Return the names of all permissions that the current user lacks."""
        return list_forbidden_permissions(self._db)

    def find_guest_release(self) -> str | None:
        """Return the name of the only release that the current user may see, or None if the current user is not a guest."""
        return find_guest_release(self._db)

    def may_do(self) -> dict[str, frozenset[Role]]:
        """Return a dict from permission to the roles that have it."""
        return {name: one.roles | ({GUEST} if one.is_for_guests else set()) for name, one in PERMISSIONS.items()}

    @requires("give roles", "person", notes=["role"])
    def give(self, person: str, role: Role, release: str | None = None) -> None:
        """Give a person a role. The person who gives the first role becomes an admin, unless this happens at the terminal.
        `release` is the only release that a guest sees. Raises BenchError if no admin would be left, if the person who gives
        the role has no name, or if a guest has no release."""
        name, by = check_person_name(person), actor.get_name()
        check_role(self._db, role, release)
        found = people.load_status(self._db, name)
        if not found.is_on and by is not None:
            if not by:
                raise BenchError("The person who gives the first role becomes an admin: give your name first.")
            if by == name and role != "admin":
                raise BenchError(
                    f"The first role must be admin: give {name} the role admin, then give other people their roles."
                )
        if role != "admin":
            self._leaves_an_admin(name)

        def write(cursor: Cursor) -> None:
            if not found.is_on and by and by != name:
                people.write(cursor, by, "admin", False)
            people.write(cursor, name, role, found.is_removed, release)

        self._db.write(write)

    @requires("give roles", lambda arguments: "nobody: roles are off")
    def turn_off(self) -> None:
        """Remove all roles, so that everybody, except removed people, may do everything again. Raises BenchError if people sign
        in on this server, because everybody with an invite could then do everything."""
        if is_sign_in_on():
            raise BenchError("Roles cannot be turned off while people sign in: give a person another role instead.")
        people.take_roles(self._db)

    @requires("remove people", "person")
    def remove(self, person: str) -> None:
        """End a person's work in this workspace. The person's results stay and still count, the person's sessions and access
        tokens end, and items that were reserved for the person become free. Raises BenchError if no admin would be left, or if
        a person tries to remove themselves."""
        name, by = check_person_name(person), actor.get_name()
        if by == name:
            raise BenchError("You cannot end your own work in this workspace: ask another lead or an admin to do it.")
        self._leaves_an_admin(name)
        found = people.load_status(self._db, name)

        def write(cursor: Cursor) -> None:
            people.write(cursor, name, found.role, True, found.release)
            accounts.end_sessions(cursor, name, datetime.fromisoformat(self._clock()).timestamp())
            access_tokens.revoke_all(cursor, name, self._clock())

        self._db.write(write)
        leases.release_items(self._db, name, by=by or "the terminal", at=self._clock())
        leases.unassign(self._db, [one.item for one in leases.list_assignments(self._db) if one.person == name], name)

    @requires("bring people back", "person")
    def bring_back(self, person: str) -> None:
        """Let a removed person work in this workspace again, with the same role as before. The person's access tokens stay
        revoked."""
        name = check_person_name(person)
        found = people.load_status(self._db, name)

        def write(cursor: Cursor) -> None:
            people.write(cursor, name, found.role, False, found.release)
            if is_of_proxy(name):
                accounts.lift_session_limit(cursor, name)

        self._db.write(write)

    def _leaves_an_admin(self, name: str) -> None:
        if people.list_names_of_role(self._db, "admin") == [name]:
            raise BenchError(f"{name} is the only admin: make somebody else an admin first, so that somebody can give roles.")
