"""Keep track of the entry of a queue (an item, variant or question) that each browser tab shows, and move the tab to the next
entry. The page opens the first entry. A component in the browser then requests and shows each further entry, without running
the page's script again."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Literal

MAX_TABS = 4_096
"""Maximum number of browser tabs whose current entry is stored; if there are more, the tab that moved longest ago is
removed."""


@dataclass(frozen=True, slots=True)
class TabVisit:
    """The entry of a queue that one browser tab of a person shows."""

    item: str
    person: str
    number: int
    """Number of entries that the tab has shown so far, including this one."""
    is_held: bool
    """Whether the entry was reserved for the person when the tab opened it."""
    key: str = ""
    """Key of the request that led to this entry; "" if the page opened it."""


@dataclass(frozen=True, slots=True)
class TabStep:
    """A browser tab's request to go from its entry to another one."""

    person: str
    tab: str
    key: str
    """Key of the request; if a request is repeated, it has the same key and leads to the same entry."""
    number: int
    """Number of the visit in the tab, counted as in TabVisit."""
    item: str
    """Id of the item, variant or question that the tab shows."""
    to: Literal["next", "back", "open"]
    target: str = ""
    """Id of the entry to open. For the direction "back", this is the entry that the tab showed before; "" stands for the entry
    that the person decided on before."""


class TabVisits:
    """Keeps in memory which entry each browser tab of one page shows."""

    def __init__(self) -> None:
        self._visits: OrderedDict[str, TabVisit] = OrderedDict()
        self._lock = Lock()

    def find(self, tab: str) -> TabVisit | None:
        """Return what the browser tab shows, or None if it is unknown."""
        with self._lock:
            return self._visits.get(tab)

    def find_repeated(self, step: TabStep) -> TabVisit | None:
        """Return the visit to which this step has already led, or None if the step is new."""
        visit = self.find(step.tab)
        return visit if visit is not None and (visit.key, visit.person) == (step.key, step.person) else None

    def put(self, person: str, tab: str, item: str, *, is_held: bool = False, key: str = "", after: int = 0) -> TabVisit:
        """Store that the browser tab now shows the entry `item`; the number of the visit is greater than `after` and than all
        earlier numbers."""
        with self._lock:
            before = self._visits.pop(tab, None)
            number = max(after, before.number if before else 0) + 1
            visit = self._visits[tab] = TabVisit(item, person, number, is_held, key)
            while len(self._visits) > MAX_TABS:
                self._visits.popitem(last=False)
        return visit

    def put_step(self, step: TabStep, item: str, *, is_held: bool = False) -> TabVisit:
        """Store that the tab now shows `item`, to which its request `step` led."""
        return self.put(step.person, step.tab, item, is_held=is_held, key=step.key, after=step.number)
