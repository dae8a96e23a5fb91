"""Tab visits: the entry of a queue on the screen of each browser tab, and the request to go to another entry. The page opens
the first entry. Its component requests and draws each further entry itself, without a run of the page's script."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Literal

MAX_TABS = 4_096
"""Maximum number of tabs with a stored entry; the tab with the oldest step is removed first."""


@dataclass(frozen=True, slots=True)
class TabVisit:
    """The last entry that one tab of a person received."""

    item: str
    person: str
    number: int
    """Number of the visit in the tab, from 1."""
    is_held: bool
    """Whether the person held the entry at that time."""
    key: str = ""
    """Idempotency key of the step to this entry; "" = the page opened the entry."""


@dataclass(frozen=True, slots=True)
class TabStep:
    """A request that leads from the entry on the screen to another entry."""

    person: str
    tab: str
    key: str
    """Idempotency key; equal keys are the same step."""
    number: int
    """Number of the visit on the screen."""
    item: str
    """Id of the entry on the screen."""
    to: Literal["next", "back", "open"]
    target: str = ""
    """Id of the entry to open. For "back", the tab's previous entry; "" = the entry that the person decided on before."""


class TabVisits:
    """The entries that the tabs of one page show."""

    def __init__(self) -> None:
        self._visits: OrderedDict[str, TabVisit] = OrderedDict()
        self._lock = Lock()

    def find(self, tab: str) -> TabVisit | None:
        """Find the last entry that the tab received, or return None when that entry is not known."""
        with self._lock:
            return self._visits.get(tab)

    def find_repeated(self, step: TabStep) -> TabVisit | None:
        """Find the visit to which this step led before, or return None when the step is a new one."""
        visit = self.find(step.tab)
        return visit if visit is not None and (visit.key, visit.person) == (step.key, step.person) else None

    def put(self, person: str, tab: str, item: str, *, is_held: bool = False, key: str = "", after: int = 0) -> TabVisit:
        """Store that the tab now shows the entry; the visit's number is greater than `after` and all earlier numbers."""
        with self._lock:
            before = self._visits.pop(tab, None)
            number = max(after, before.number if before else 0) + 1
            visit = self._visits[tab] = TabVisit(item, person, number, is_held, key)
            while len(self._visits) > MAX_TABS:
                self._visits.popitem(last=False)
        return visit

    def put_step(self, step: TabStep, item: str, *, is_held: bool = False) -> TabVisit:
        """Store the entry to which the step led."""
        return self.put(step.person, step.tab, item, is_held=is_held, key=step.key, after=step.number)
