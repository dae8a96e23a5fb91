"""The workbench as a guest gets it: the verbs of releases, which check the guest's release, and the guest's own account."""

from typing import Any

from core.errors import NotAllowed
from workbench import actor
from workbench.roles import explain_guest
from workbench.workbench import Workbench

GUEST_STAGES = frozenset(("release_browser", "releases", "people", "accounts", "access_tokens"))
"""Stages whose verbs are safe for guests: each checks the release or the person that it is about, or tells no secret."""


class GuestWorkbench:
    """Stands in for the workbench of a guest. Every other stage and the database raise NotAllowed, because verbs that are open
    to everybody check no permission."""

    def __init__(self, bench: Workbench, release: str) -> None:
        self._bench, self._release = bench, release

    def __getattr__(self, name: str) -> Any:
        if name not in GUEST_STAGES:
            raise NotAllowed(explain_guest(actor.get_name() or "", self._release))
        return getattr(self._bench, name)
