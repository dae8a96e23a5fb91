"""What the person at the screen may not do, so that a button can say so. The workbench looks for itself."""

from typing import Literal, NotRequired, TypedDict

from core.errors import BenchError
from pages.parts.ui.say import plain
from workbench import opened


class PermissionArguments(TypedDict):
    """Arguments of a widget that somebody is kept from; none for who may."""

    disabled: NotRequired[bool]
    help: NotRequired[str]


def why_not(act: str) -> str | None:
    """Why they may not, in a sentence; None when they may. `act` is one of the table in workbench/roles.py."""
    return opened().people.why_not(act)


def kept(act: str, disabled: bool = False, help: str | None = None) -> PermissionArguments:
    """`disabled` and `help` for a widget that does it, as they are for whoever may."""
    why = why_not(act)
    if why:
        return {"disabled": True, "help": plain(why)}
    return {"disabled": disabled, "help": help} if help else {"disabled": disabled}


def seen_by(closed: frozenset[str], act: str) -> Literal["visible", "hidden"]:
    """Whether a page for that act stands in the menu: one that is hidden still opens by its address, and says why not."""
    return "hidden" if act in closed else "visible"


def closed() -> frozenset[str]:
    """All acts that they are kept from; none when there is no workspace, which every page then says."""
    try:
        return opened().people.closed()
    except BenchError:
        return frozenset()
