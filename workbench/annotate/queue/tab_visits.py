"""Tracks which entry of a queue (an item, variant or question) each browser tab shows, and moves the tab to the next entry. The
page opens the first entry; its browser component then requests and shows each further entry itself, without a rerun of the
page's script."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Literal

MAX_TABS = 4_096
"""Maximum number of browser tabs whose current entry is stored; the tab that moved longest ago is dropped first."""


@dataclass(frozen=True, slots=True)
class TabVisit:
    """The entry of a queue that one browser tab of a person shows."""

    item: str
    person: str
    number: int
    """How many entries the tab has shown so far, including this one."""
    is_held: bool
    """Whether the entry was reserved for the person when the tab opened it."""
    key: str = ""
    """Idempotency key of the request that led to this entry; "" = the page opened it."""


@dataclass(frozen=True, slots=True)
class TabStep:
    """A browser tab's request to go from the entry that it shows to another one."""

    person: str
    tab: str
    key: str
    """Idempotency key of the request; a repeated request has the same key and leads to the same entry."""
    number: int
    """Number of the visit that the tab shows, as TabVisit counts them."""
    item: str
    """Id of the item, variant or question that the tab shows."""
    to: Literal["next", "back", "open"]
    target: str = ""
    """Id of the entry to open. For "back" it is the entry that the tab showed before; "" = the entry that the person decided on
    before."""


class TabVisits:
    """Stores, in memory, which entry each browser tab of one page shows."""

    def __init__(self) -> None:
        self._visits: OrderedDict[str, TabVisit] = OrderedDict()
        self._lock = Lock()

    def find(self, tab: str) -> TabVisit | None:
        """Return what the browser tab shows, or None if that is not known."""
        with self._lock:
            return self._visits.get(tab)

    def find_repeated(self, step: TabStep) -> TabVisit | None:
        """Return the visit to which this step led if the step was handled before, or None if the step is new."""
        visit = self.find(step.tab)
        return visit if visit is not None and (visit.key, visit.person) == (step.key, step.person) else None

    def put(self, person: str, tab: str, item: str, *, is_held: bool = False, key: str = "", after: int = 0) -> TabVisit:
        """Store that the browser tab now shows the entry `item`; its visit number is greater than `after` and all earlier
        numbers."""
        with self._lock:
            before = self._visits.pop(tab, None)
            number = max(after, before.number if before else 0) + 1
            visit = self._visits[tab] = TabVisit(item, person, number, is_held, key)
            while len(self._visits) > MAX_TABS:
                self._visits.popitem(last=False)
        return visit

    def put_step(self, step: TabStep, item: str, *, is_held: bool = False) -> TabVisit:
        """Store that the tab now shows `item`, to which its request `step` has led."""
        return self.put(step.person, step.tab, item, is_held=is_held, key=step.key, after=step.number)
