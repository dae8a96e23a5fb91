"""Desk visits: the item on the desk of each browser tab, and the step to another item. The page opens the first item. The desk
requests and draws each further item itself, without a run of the page's script."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock
from typing import Literal

from store.engine.database import Database
from store.queue.kind import ANY_KIND, ItemKind
from workbench.annotate.desk.desk_data import DeskBar, DeskData, DeskVisit
from workbench.annotate.reviewing import phases
from workbench.annotate.reviewing.adjudication import AdjudicationStage
from workbench.annotate.reviewing.desk_bar import (
    describe_control_rate,
    describe_decision,
    describe_progress,
    describe_qualification,
)
from workbench.annotate.reviewing.reviews import ReviewStage
from workbench.roles import explain_refusal

MAX_TABS = 4_096
"""Maximum number of tabs with a stored item; the tab with the oldest step is removed first."""


@dataclass(frozen=True, slots=True)
class TabVisit:
    """The last item that one tab of a person received."""

    item: str
    person: str
    number: int
    """Number of the visit in the tab, from 1."""
    is_held: bool
    """Whether the person held the item at that time."""
    key: str = ""
    """Idempotency key of the step to this item; "" = the page opened the item."""


@dataclass(frozen=True, slots=True)
class DeskStep:
    """A request that leads from the item on the desk to another item."""

    person: str
    tab: str
    key: str
    """Idempotency key; equal keys are the same step."""
    number: int
    """Number of the visit on the screen."""
    item: str
    """Id of the item on the screen."""
    to: Literal["next", "back", "open"]
    target: str = ""
    """Id of the item to open. For "back", the tab's previous item; "" = the item that the person decided on before."""
    kind: ItemKind = ANY_KIND


class DeskVisits:
    """Verbs on the visits of the desk on the page Review."""

    def __init__(self, database: Database, reviews: ReviewStage, adjudication: AdjudicationStage) -> None:
        self._db, self._reviews, self._adjudication = database, reviews, adjudication
        self._visits: OrderedDict[str, TabVisit] = OrderedDict()
        self._lock = Lock()

    def find(self, tab: str) -> TabVisit | None:
        """Find the last item that the tab received; None when that item is not known."""
        with self._lock:
            return self._visits.get(tab)

    def put(self, person: str, tab: str, item: str, *, is_held: bool = False, key: str = "", after: int = 0) -> TabVisit:
        """Store that the tab now shows the item; the visit's number is greater than `after` and all earlier numbers."""
        with self._lock:
            before = self._visits.pop(tab, None)
            number = max(after, before.number if before else 0) + 1
            visit = self._visits[tab] = TabVisit(item, person, number, is_held, key)
            while len(self._visits) > MAX_TABS:
                self._visits.popitem(last=False)
        return visit

    def step(self, step: DeskStep) -> DeskData | None:
        """Hold the item that the press leads to, and return the desk's data for it.

        Return None when the page has to show the next step: nothing else waits, or the item is reviewed on another page. A
        repeated step, after a lost answer, leads to the same item. Raises BenchError when the item is missing, NotAllowed when
        this person may not open the item."""
        person, visit = step.person, self.find(step.tab)
        is_repeat = visit is not None and (visit.key, visit.person) == (step.key, person)
        target = visit.item if visit is not None and is_repeat else self._find_target(step)
        if target is None:
            return None
        is_held = self._reviews.holds.hold(target, person) is None
        data = self.load(target, person, self.load_bar(step.kind, person, target), None, is_onward=step.to == "next")
        if phases.is_waiting(data.item):
            return None
        if visit is None or not is_repeat:
            visit = self.put(person, step.tab, target, is_held=is_held, key=step.key, after=step.number)
        return replace(data, visit=DeskVisit(step.tab, visit.number, step.kind._asdict()))

    def load(self, item: str, person: str, bar: DeskBar, visit: DeskVisit | None, *, is_onward: bool = False) -> DeskData:
        """Load the desk's data for the item under that bar; without `visit` the page, not the desk, opens the next item.

        `is_onward` = the tab showed another item before, so that the bar offers a way back. Raises the errors of
        ReviewStage.desk."""
        data = self._reviews.desk(item, person)
        has_back = is_onward or self._reviews.find_previous(person, item) is not None
        is_disputed = data.is_disputed and not (data.decision and data.decision.words)
        return replace(
            data,
            position=replace(data.position, left=bar.left, has_back=has_back),
            note="" if data.feedback else describe_decision(data),
            leads_to_opinions=is_disputed and explain_refusal(self._db, "decide between people") is None,
            bar=bar,
            visit=visit,
        )

    def load_bar(self, kind: ItemKind, person: str, item: str | None) -> DeskBar:
        """Load the bar above that item, or above an empty desk."""
        may_decide_between = bool(person) and explain_refusal(self._db, "decide between people") is None
        has_opinions = may_decide_between and self._db.has_any("opinion")
        disputed = self._adjudication.count_disputed(person).left if has_opinions else 0
        if item is not None and person and self._reviews.is_in_qualification(item, person):
            return DeskBar(describe_qualification(self._reviews.qualification.load_state(person)), "", disputed, None)
        progress = self._reviews.progress(kind, person, item)
        control = describe_control_rate(self._reviews.control_sampling.rule().every) if person else ""
        return DeskBar(describe_progress(progress, bool(person)), control, disputed, progress.left)

    def _find_target(self, step: DeskStep) -> str | None:
        reviews, person = self._reviews, step.person
        if step.to == "open":
            return step.target
        if step.to == "back":
            return step.target or reviews.find_previous(person, step.item)
        return reviews.find_next(step.kind, person, step.item) or reviews.find_next(step.kind, person)
