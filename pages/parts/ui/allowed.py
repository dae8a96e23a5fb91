"""What the person at the screen may not do, so that a button can say so. The workbench looks for itself."""

from typing import Literal, NotRequired, TypedDict

from core.errors import BenchError
from pages.parts.ui.say import escape
from workbench import open_workbench


class PermissionArguments(TypedDict):
    """Arguments of a widget that somebody is kept from; none for who may."""

    disabled: NotRequired[bool]
    help: NotRequired[str]


def explain_refusal(act: str) -> str | None:
    """Why they may not, in a sentence; None when they may. `act` is one of the table in workbench/roles.py."""
    return open_workbench().people.explain_refusal(act)


def guard(act: str, disabled: bool = False, help: str | None = None) -> PermissionArguments:
    """`disabled` and `help` for a widget that does it, as they are for whoever may."""
    why = explain_refusal(act)
    if why:
        return {"disabled": True, "help": escape(why)}
    return {"disabled": disabled, "help": help} if help else {"disabled": disabled}


def find_menu_visibility(closed: frozenset[str], act: str) -> Literal["visible", "hidden"]:
    """Whether a page for that act stands in the menu: one that is hidden still opens by its address, and says why not."""
    return "hidden" if act in closed else "visible"


def list_forbidden_acts() -> frozenset[str]:
    """All acts that they are kept from; none when there is no workspace, which every page then says."""
    try:
        return open_workbench().people.list_forbidden_acts()
    except BenchError:
        return frozenset()
