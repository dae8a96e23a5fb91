"""Define roles: a table of permissions with the roles that have them, and the check of permissions at the start of every
workbench method.

As long as nobody has a role, everybody may do everything. As soon as one person has a role, a person without a role counts as
an annotator. A guest sees one release, and nothing else. The log records calls that change the workspace, and calls that are
refused."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass, replace
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, Protocol, TypeVar, get_args

from core.errors import BenchError, NotAllowed
from core.person_name import UNSTORABLE
from store.engine.database import Database
from store.people import log, people
from store.releases import seals
from store.reviews import names
from workbench import actor

Role = Literal["annotator", "lead", "researcher", "admin", "guest"]
ROLES: tuple[Role, ...] = get_args(Role)
GUEST: Role = "guest"
DEFAULT_ROLE: Role = "annotator"
"""Role of a person who was given none, in a workspace where somebody has a role."""
MAX_NAME_CHARACTERS = 80
"""Maximum number of characters of a person's name."""
MAX_LOGGED_CHARACTERS = 300
"""Maximum number of characters of a name or value in the log."""

NAMES = ("person", "to", "instead_of")
"""Names of method arguments, and of fields of these arguments, that contain a person's name."""
SHOWING_GOLDS = ("see releases", "contest items")
"""Permissions that a guest lacks as long as the guest's release is sealed, because their methods show gold answers."""
READING = ("see ", "read ", "open ")
"""First words of the permissions that allow only reading."""

P = ParamSpec("P")
R = TypeVar("R")


class StageOfWorkbench(Protocol):
    """Type of a stage (a part of the workbench) whose methods check permissions."""

    _db: Database


S = TypeVar("S", bound=StageOfWorkbench)


class Permission(NamedTuple):
    """The roles that have a permission, and whether the log records its use."""

    roles: frozenset[Role]
    is_logged: bool = True
    """Whether the log records each use of the permission. False if the methods only read, or if they store rows that already
    contain a name and a time."""
    is_for_guests: bool = False
    """Whether guests have the permission too, but only for their own release."""


EVERYBODY = frozenset(ROLES) - {GUEST}
DECIDERS: frozenset[Role] = EVERYBODY - {"researcher"}
"""The roles that may decide on items. Researchers may see items and run systems, but may not decide."""
LEADS: frozenset[Role] = frozenset(("lead", "admin"))
RESEARCHERS: frozenset[Role] = frozenset(("researcher", "admin"))
STAFF = LEADS | RESEARCHERS
ADMINS: frozenset[Role] = frozenset(("admin",))

PERMISSIONS: Mapping[str, Permission] = {
    "decide on items": Permission(DECIDERS, is_logged=False),
    "comment on items": Permission(EVERYBODY, is_logged=False),
    "grade answers": Permission(EVERYBODY, is_logged=False),
    "rewrite questions": Permission(DECIDERS, is_logged=False),
    "write questions": Permission(EVERYBODY),
    "review in phases": Permission(DECIDERS, is_logged=False),
    "open what is somebody else's": Permission(LEADS, is_logged=False),
    "decide again on what others decided": Permission(LEADS, is_logged=False),
    "decide between people": Permission(LEADS, is_logged=False),
    "change items in bulk": Permission(LEADS),
    "end what others hold": Permission(LEADS),
    "give items to people": Permission(LEADS),
    "see who did what": Permission(LEADS, is_logged=False),
    "set the rules of the work": Permission(LEADS),
    "set targets": Permission(LEADS),
    "write guidelines": Permission(LEADS),
    "draft items": Permission(LEADS),
    "run gates": Permission(LEADS),
    "change the corpus": Permission(LEADS),
    "remove people": Permission(LEADS),
    "bring people back": Permission(LEADS),
    "read the log": Permission(LEADS, is_logged=False),
    "see sign-ins": Permission(LEADS, is_logged=False),
    "make variants": Permission(STAFF),
    "import benchmarks": Permission(STAFF),
    "pair items": Permission(STAFF),
    "steer jobs": Permission(STAFF),
    "see releases": Permission(STAFF, is_logged=False, is_for_guests=True),
    "contest items": Permission(STAFF, is_logged=False, is_for_guests=True),
    "check half-lives": Permission(STAFF),
    "see contests": Permission(STAFF, is_logged=False),
    "decide on contests": Permission(LEADS, is_logged=False),
    "see boards": Permission(STAFF, is_logged=False, is_for_guests=True),
    "submit to boards": Permission(STAFF, is_for_guests=True),
    "manage boards": Permission(LEADS),
    "see runs": Permission(STAFF, is_logged=False),
    "begin gradings": Permission(STAFF),
    "edit question sets": Permission(STAFF),
    "edit nuggets": Permission(EVERYBODY, is_logged=False),
    "draft nuggets": Permission(STAFF),
    "see gradings": Permission(STAFF, is_logged=False),
    "see open gradings": Permission(LEADS, is_logged=False),
    "see costs": Permission(STAFF, is_logged=False),
    "see agents": Permission(STAFF, is_logged=False),
    "see prompts": Permission(STAFF, is_logged=False),
    "freeze releases": Permission(RESEARCHERS),
    "export releases": Permission(RESEARCHERS, is_for_guests=True),
    "publish releases": Permission(RESEARCHERS),
    "run systems": Permission(RESEARCHERS),
    "give roles": Permission(ADMINS),
    "invite people": Permission(ADMINS),
    "manage accounts": Permission(ADMINS),
    "change agents": Permission(ADMINS),
    "edit prompts": Permission(ADMINS),
    "back the workspace up": Permission(ADMINS),
    "see figures of the server": Permission(ADMINS, is_logged=False),
}
"""Dict from permission to the roles that have it; the words of a permission complete a sentence after "may"."""


def explain_refusal(database: Database, permission: str) -> str | None:
    """Return a sentence that says why the current user lacks the permission, or None if the current user has it."""
    person = actor.get_name()
    if person is None:
        return None
    found = people.load_status(database, person)
    if permission not in list_missing_permissions(found):
        return None
    if found.is_removed:
        return (
            f"{person}'s work here has ended: what was done stays and counts. A lead can bring {person} back on the page "
            f"People."
        )
    subject = (
        f"{person} is {add_article(found.role or DEFAULT_ROLE)} here"
        if person
        else "A person without a name is an annotator here"
    )
    return f"{subject} and may not {permission}: ask {join_roles(PERMISSIONS[permission].roles)}."


def list_forbidden_permissions(database: Database) -> frozenset[str]:
    """Return the names of all permissions that the current user lacks."""
    person = actor.get_name()
    return frozenset() if person is None else list_missing_permissions(people.load_status(database, person))


def list_missing_permissions(found: people.PersonStatus) -> frozenset[str]:
    """Return the permissions that a person with this role and status lacks."""
    if found.is_removed:
        return frozenset(PERMISSIONS)
    role = found.role or DEFAULT_ROLE
    return frozenset(
        name
        for name, rule in PERMISSIONS.items()
        if found.is_on and role not in rule.roles and not (role == GUEST and rule.is_for_guests)
    )


def find_guest_release(database: Database) -> str | None:
    """Return the name of the only release that the current user may see, or None if the current user is not a guest."""
    guests = people.load_guests(database)
    person = actor.get_name() if guests else None
    return None if person is None else guests.get(names.spell_name(database, person))


def explain_guest(person: str, release: str) -> str:
    """Return the error message for a guest who asks for something other than their release."""
    return f"{person} is a guest here and sees only the release {release}: ask an admin for more."


def check_permission(database: Database, permission: str, what: str = "") -> None:
    """Raise NotAllowed and log the refusal if the current user lacks the permission."""
    why = explain_refusal(database, permission)
    if why is not None:
        log.add(database, actor.get_name(), permission, what[:MAX_LOGGED_CHARACTERS], is_refused=True)
        raise NotAllowed(why)


def check_own_access(database: Database, person: str) -> str:
    """Return the person's name as this workspace spells it. Raises NotAllowed if the name is not the current user's own name,
    unless the current user may manage accounts."""
    person = names.spell_name(database, person)
    who = actor.get_name()
    if who is not None and (not person or names.spell_name(database, who) != person):
        check_permission(database, "manage accounts", person)
    return person


def check_guest_release(database: Database, permission: str, given: Mapping[str, Any]) -> None:
    """Raise NotAllowed if the current user is a guest and the arguments `given` to a workbench method do not name the guest's
    release."""
    release = find_guest_release(database)
    if release is not None and permission in SHOWING_GOLDS and seals.is_closed_name(database, release):
        log.add(database, actor.get_name(), permission, release, is_refused=True)
        raise NotAllowed(f"The release {release} is sealed, so its guests do not see its items: use the page Board.")
    if release is None or given.get("name") == release or is_export_of(str(given.get("file", "")), release):
        return
    log.add(database, actor.get_name(), permission, describe_value(given.get("name"))[:MAX_LOGGED_CHARACTERS], is_refused=True)
    raise NotAllowed(explain_guest(actor.get_name() or "", release))


def is_export_of(file: str, release: str) -> bool:
    """Return whether the file name has the form of a zipped export of `release`: RELEASE-FORMAT-KEY.zip."""
    return bool(re.fullmatch(rf"{re.escape(release)}-[a-z0-9_]+-[0-9a-f]{{12}}\.zip", file))


def record_act(database: Database, permission: str, what: str = "") -> None:
    """Log that the current user used a permission; `what` names the object of the action."""
    log.add(database, actor.get_name(), permission, what[:MAX_LOGGED_CHARACTERS])


def requires(
    name: str, what: "str | Callable[[Mapping[str, Any]], str]" = "", *, notes: Sequence[str] = (), is_logged: bool = True
) -> Callable[[Callable[Concatenate[S, P], R]], Callable[Concatenate[S, P], R]]:
    """Return a decorator for a workbench method. Only people with the permission `name` may then call the method, and each call
    is logged.

    `what` is the name of the argument that the method acts on, or a function that computes it from all arguments. `notes` are
    the names of arguments that the log stores as details. If `is_logged` is False, calls are not logged, for example because
    the method only calls another method that is logged."""
    rule = PERMISSIONS[name]

    def decorate(verb: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
        form = signature(verb)

        @wraps(verb)
        def check_and_call(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
            args, kwargs = _spell_names(self._db, form, name, args, kwargs)
            if actor.get_scope() == "job" or (actor.get_scope() and not (rule.is_logged and is_logged)):
                return verb(self, *args, **kwargs)
            given = form.bind(self, *args, **kwargs).arguments
            about = describe_value(what(given) if callable(what) else given.get(what))[:MAX_LOGGED_CHARACTERS]
            if not actor.get_scope():
                check_permission(self._db, name, about)
                check_guest_release(self._db, name, given)
            with actor.enter_verb():
                came = verb(self, *args, **kwargs)
            if rule.is_logged and is_logged:
                log.add(self._db, actor.get_name(), name, about, {note: make_plain(given.get(note)) for note in notes})
            return came

        check_and_call.permission = name  # type: ignore[attr-defined]  # a test checks the permission of every verb
        check_and_call.is_action = is_logged and not name.startswith(READING)  # type: ignore[attr-defined]  # and its command
        return check_and_call

    return decorate


def _spell_names(database: Database, form: Signature, name: str, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """Return the arguments of a workbench method with each person's name in the spelling of this workspace.

    Names are compared without regard to case or to spaces at their ends. If the method writes, the spelling of a name that is
    new in the workspace is also stored."""
    write = names.spell_name if name.startswith(READING) else names.remember_name

    def spell_argument(of: str, value: Any) -> Any:
        if isinstance(value, str):
            return write(database, value) if of in NAMES else value
        if of == "reviewers":
            return [write(database, each) for each in value]
        known: Iterable[str] = getattr(value, "__dataclass_fields__", getattr(value, "_fields", ()))
        said = {field: getattr(value, field) for field in NAMES if field in known}
        fields = {field: write(database, name) for field, name in said.items() if isinstance(name, str)}
        if not fields:
            return value
        return replace(value, **fields) if is_dataclass(value) and not isinstance(value, type) else value._replace(**fields)

    of = list(form.parameters)[1:]
    return tuple(map(spell_argument, of, args)), {key: spell_argument(key, value) for key, value in kwargs.items()}


def describe_value(value: object) -> str:
    """Return an argument of a workbench method as text for the log: a string unchanged, several names joined, or the name in a
    record."""
    if isinstance(value, Mapping):
        return str(value.get("name", ""))
    if isinstance(value, list | tuple | set):
        return ", ".join(map(describe_value, value))
    return value.name if isinstance(value, Path) else "" if value is None else str(value)


def make_plain(value: object) -> object:
    """Return the value as JSON for the log: numbers unchanged, every other value as text."""
    return value if value is None or isinstance(value, bool | int | float) else describe_value(value)[:MAX_LOGGED_CHARACTERS]


def join_roles(roles: frozenset[Role]) -> str:
    """Join role names in words, such as "a lead or an admin"."""
    named = [add_article(role) for role in ROLES if role in roles]
    return f"{', '.join(named[:-1])} or {named[-1]}" if len(named) > 1 else named[0]


def add_article(role: str) -> str:
    return f"{'an' if role[0] == 'a' else 'a'} {role}"


def check_person_name(person: str) -> str:
    """Return the person's name with single spaces in place of longer runs of spaces. Raises BenchError if the name is empty,
    too long or cannot be stored."""
    name = " ".join(person.split())
    if not name or len(name) > MAX_NAME_CHARACTERS:
        raise BenchError(
            f"A name has 1 to {MAX_NAME_CHARACTERS} characters: give the person's name as they write it themselves."
        )
    if UNSTORABLE.search(name):
        raise BenchError("The name contains a character that no file can store (NUL or an unpaired surrogate): remove it.")
    return name
