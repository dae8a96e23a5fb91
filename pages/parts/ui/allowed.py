"""Disables widgets that the person at the screen may not use, and explains why. The workbench layer below the pages also checks
each permission."""

from typing import Literal, NotRequired, TypedDict

from core.errors import BenchError
from pages.parts.ui.say import escape
from workbench import open_workbench


class PermissionArguments(TypedDict):
    """Arguments that disable a widget and explain why, if the person lacks the permission."""

    disabled: NotRequired[bool]
    help: NotRequired[str]


def explain_refusal(permission: str) -> str | None:
    """Return a sentence that says why the person at the screen lacks the permission, or None if the person has the permission.
    `permission` is one of PERMISSIONS in workbench/roles.py."""
    return open_workbench().people.explain_refusal(permission)


def guard(permission: str, disabled: bool = False, help: str | None = None) -> PermissionArguments:
    """Return the arguments `disabled` and `help` for a widget that only people with the permission may use."""
    why = explain_refusal(permission)
    if why:
        return {"disabled": True, "help": escape(why)}
    return {"disabled": disabled, "help": help} if help else {"disabled": disabled}


def find_menu_visibility(closed: frozenset[str], permission: str) -> Literal["visible", "hidden"]:
    """Return whether the menu lists a page that requires the permission; a page that the menu hides still opens at its URL."""
    return "hidden" if permission in closed else "visible"


def list_forbidden_permissions() -> frozenset[str]:
    """Return all permissions that the person at the screen lacks; return an empty set if no workspace can be opened, which
    every page reports itself."""
    try:
        return open_workbench().people.list_forbidden_permissions()
    except BenchError:
        return frozenset()


def find_guest_release() -> str | None:
    """Return the name of the one release that a guest sees, or None if the person is not a guest or no workspace can be
    opened."""
    try:
        return open_workbench().people.find_guest_release()
    except BenchError:
        return None
