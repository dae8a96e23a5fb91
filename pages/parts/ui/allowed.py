"""Explains on buttons why the person at the screen may not press them. The workbench also checks each permission itself."""

from typing import Literal, NotRequired, TypedDict

from core.errors import BenchError
from pages.parts.ui.say import escape
from workbench import open_workbench


class PermissionArguments(TypedDict):
    """Arguments that disable a widget for a person without the permission; empty for a person with it."""

    disabled: NotRequired[bool]
    help: NotRequired[str]


def explain_refusal(permission: str) -> str | None:
    """Return the reason why the person lacks the permission, in a sentence, or None when the person has it. `permission` is one
    of PERMISSIONS in workbench/roles.py."""
    return open_workbench().people.explain_refusal(permission)


def guard(permission: str, disabled: bool = False, help: str | None = None) -> PermissionArguments:
    """Return `disabled` and `help` for a widget that requires the permission."""
    why = explain_refusal(permission)
    if why:
        return {"disabled": True, "help": escape(why)}
    return {"disabled": disabled, "help": help} if help else {"disabled": disabled}


def find_menu_visibility(closed: frozenset[str], permission: str) -> Literal["visible", "hidden"]:
    """Return the menu visibility of a page that requires the permission; a hidden page still opens at its address."""
    return "hidden" if permission in closed else "visible"


def list_forbidden_permissions() -> frozenset[str]:
    """Return all permissions that the person lacks; return none without a workspace, which every page then reports."""
    try:
        return open_workbench().people.list_forbidden_permissions()
    except BenchError:
        return frozenset()


def find_guest_release() -> str | None:
    """Return the one release that the guest sees. Return None if the person is not a guest, or if no workspace is open."""
    try:
        return open_workbench().people.find_guest_release()
    except BenchError:
        return None
