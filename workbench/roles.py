"""Roles: what each may do, in one table, and the check at the head of every verb. As long as nobody was given a role everybody
may do everything; afterwards a name without one is an annotator's. What has an effect stands in the log, and so does what was
refused."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass, replace
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, TypeVar, get_args

from core.errors import BenchError, NotAllowed
from store.engine.database import Database
from store.people import log, people
from store.reviews import names
from workbench import actor

Role = Literal["annotator", "lead", "researcher", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
UNKNOWN: Role = "annotator"
"""What a name without a role counts as, once roles are told apart."""
LONGEST_NAME = 80
"""Characters."""
LONGEST = 300
"""Characters of what a line of the log is about."""

NAMES = ("person", "to", "instead_of")
"""Arguments of verbs, and fields of what they are given, that name a person."""
READING = ("see ", "read ", "open ")
"""How the acts begin that only look."""

P = ParamSpec("P")
R = TypeVar("R")


class Permission(NamedTuple):
    """Something that not everybody may do."""

    roles: frozenset[Role]
    is_logged: bool = True
    """False = it only reads, or what it writes bears name and time by itself, and is append-only too."""


EVERYBODY = frozenset(ROLES)
LEADS: frozenset[Role] = frozenset(("lead", "admin"))
RESEARCHERS: frozenset[Role] = frozenset(("researcher", "admin"))
STAFF = LEADS | RESEARCHERS
ADMINS: frozenset[Role] = frozenset(("admin",))

PERMISSIONS: Mapping[str, Permission] = {
    "decide on items": Permission(EVERYBODY, is_logged=False),
    "comment on items": Permission(EVERYBODY, is_logged=False),
    "grade answers": Permission(EVERYBODY, is_logged=False),
    "rewrite questions": Permission(EVERYBODY, is_logged=False),
    "write questions": Permission(EVERYBODY),
    "review in phases": Permission(EVERYBODY, is_logged=False),
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
    "make variants": Permission(STAFF),
    "import benchmarks": Permission(STAFF),
    "steer jobs": Permission(STAFF),
    "see releases": Permission(STAFF, is_logged=False),
    "see runs": Permission(STAFF, is_logged=False),
    "begin gradings": Permission(STAFF),
    "edit question sets": Permission(STAFF),
    "see gradings": Permission(STAFF, is_logged=False),
    "see open gradings": Permission(LEADS, is_logged=False),
    "see costs": Permission(STAFF, is_logged=False),
    "see agents": Permission(STAFF, is_logged=False),
    "see prompts": Permission(STAFF, is_logged=False),
    "freeze releases": Permission(RESEARCHERS),
    "export releases": Permission(RESEARCHERS),
    "run systems": Permission(RESEARCHERS),
    "give roles": Permission(ADMINS),
    "change agents": Permission(ADMINS),
    "edit prompts": Permission(ADMINS),
    "back the workspace up": Permission(ADMINS),
}
"""What is done -> who may, in words that stand after "may"."""


def explain_refusal(database: Database, act: str) -> str | None:
    """Why whoever acts may not do that, in a sentence; None when they may."""
    person = actor.get_name()
    if person is None:
        return None
    found = people.load_status(database, person)
    if act not in shut(found):
        return None
    if found.is_removed:
        return (
            f"{person}'s work here has ended: what was done stays and counts. A lead can bring {person} back on the page "
            f"People."
        )
    whoever = f"{person} is {article(found.role or UNKNOWN)} here" if person else "Whoever gives no name is an annotator here"
    return f"{whoever} and may not {act}: ask {either(PERMISSIONS[act].roles)}."


def list_forbidden_acts(database: Database) -> frozenset[str]:
    """All that whoever acts may not do."""
    person = actor.get_name()
    return frozenset() if person is None else shut(people.load_status(database, person))


def shut(found: people.PersonStatus) -> frozenset[str]:
    """The acts that a name with that standing is kept from."""
    if found.is_removed:
        return frozenset(PERMISSIONS)
    role = found.role or UNKNOWN
    return frozenset(name for name, rule in PERMISSIONS.items() if found.is_on and role not in rule.roles)


def check_permission(database: Database, act: str, what: str = "") -> None:
    """Raises Refused when whoever acts may not do that, which is on record then."""
    why = explain_refusal(database, act)
    if why is not None:
        log.add(database, actor.get_name(), act, what[:LONGEST], is_refused=True)
        raise NotAllowed(why)


def record_act(database: Database, act: str, what: str = "") -> None:
    """Put on record that whoever acts did that."""
    log.add(database, actor.get_name(), act, what[:LONGEST])


def requires(
    name: str, what: "str | Callable[[Mapping[str, Any]], str]" = "", *, notes: Sequence[str] = (), is_logged: bool = True
) -> Callable[[Callable[Concatenate[Any, P], R]], Callable[Concatenate[Any, P], R]]:
    """Decorate a verb: only people with that permission of PERMISSIONS may call it, and the log records who did.

    `what` = the argument that names what the verb is done to, or a function of all arguments; `notes` = arguments that go
    into the log's details. `is_logged` False = the verb only leads to another that is logged."""
    rule = PERMISSIONS[name]

    def around(verb: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
        form = signature(verb)

        @wraps(verb)
        def looked_at(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
            args, kwargs = spelled(self._db, form, name, args, kwargs)
            if actor.get_scope() == "job" or (actor.get_scope() and not (rule.is_logged and is_logged)):
                return verb(self, *args, **kwargs)
            given = form.bind(self, *args, **kwargs).arguments
            about = describe_value(what(given) if callable(what) else given.get(what))[:LONGEST]
            if not actor.get_scope():
                check_permission(self._db, name, about)
            with actor.enter_verb():
                came = verb(self, *args, **kwargs)
            if rule.is_logged and is_logged:
                log.add(self._db, actor.get_name(), name, about, {note: plain(given.get(note)) for note in notes})
            return came

        looked_at.permission = name  # type: ignore[attr-defined]  # for the test that goes through all verbs
        return looked_at

    return around


def spelled(database: Database, form: Signature, name: str, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The arguments of a verb with each name as it is written in this workspace: names are compared without case and outer
    spaces. A verb that does more than look makes a new name known."""
    write = names.spell_name if name.startswith(READING) else names.remember_name

    def one(of: str, value: Any) -> Any:
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
    return tuple(map(one, of, args)), {key: one(key, value) for key, value in kwargs.items()}


def describe_value(value: object) -> str:
    """An argument in the log: a text, names, or the record of a thing that has one."""
    if isinstance(value, Mapping):
        return str(value.get("name", ""))
    if isinstance(value, list | tuple | set):
        return ", ".join(map(describe_value, value))
    return value.name if isinstance(value, Path) else "" if value is None else str(value)


def plain(value: object) -> object:
    """What JSON can hold of it."""
    return value if value is None or isinstance(value, bool | int | float) else describe_value(value)[:LONGEST]


def either(roles: frozenset[Role]) -> str:
    """a lead or an admin."""
    named = [article(role) for role in ROLES if role in roles]
    return f"{', '.join(named[:-1])} or {named[-1]}" if len(named) > 1 else named[0]


def article(role: str) -> str:
    return f"{'an' if role[0] == 'a' else 'a'} {role}"


def check_person_name(person: str) -> str:
    """A name as it is kept. Raises BenchError on none, and on one that is too long."""
    name = " ".join(person.split())
    if not name or len(name) > LONGEST_NAME:
        raise BenchError(f"A name has 1 to {LONGEST_NAME} characters: give that person's as they write it themselves.")
    return name
