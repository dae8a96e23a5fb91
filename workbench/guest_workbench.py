"""Restrict the workbench for guests. A guest can call only operations on releases, which check that the guest may see the
release, and operations on the guest's own account."""

from typing import Any

from core.errors import NotAllowed
from workbench import actor
from workbench.roles import explain_guest
from workbench.workbench import Workbench

GUEST_STAGES = frozenset(
    ("release_browser", "releases", "certificates", "contests", "sealed_boards", "people", "accounts", "access_tokens")
)
"""Names of the stages that guests may use. Their verbs check the release or the person, or return nothing confidential."""


def find_whole(bench: Workbench) -> Workbench:
    """Return the whole workbench behind that of a guest, for the runner of jobs, which acts for nobody; any other workbench is
    returned as it is."""
    return bench._bench if isinstance(bench, GuestWorkbench) else bench


class GuestWorkbench:
    """Gives a guest access to some stages of the workbench. Raises NotAllowed for every other stage and for the database,
    because methods that everybody may call check no permission."""

    def __init__(self, bench: Workbench, release: str) -> None:
        self._bench, self._release = bench, release

    def __getattr__(self, name: str) -> Any:
        if name not in GUEST_STAGES:
            raise NotAllowed(explain_guest(actor.get_name() or "", self._release))
        return getattr(self._bench, name)
