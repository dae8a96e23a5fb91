"""Keep track of the item that each browser tab shows for review, and move the tab to the next item. The page opens the first
item. The review component in the browser then requests and shows each further item itself, without running the page's script
again."""

from dataclasses import dataclass, replace

from store.engine.database import Database
from store.items import items
from store.queue.kind import ANY_KIND, ItemKind
from workbench.annotate.desk.desk_data import DeskBar, DeskData, DeskVisit
from workbench.annotate.queue.tab_visits import TabStep, TabVisits
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


@dataclass(frozen=True, slots=True)
class DeskStep(TabStep):
    """A request of the review page to go from the item on the screen to another item that matches `kind`."""

    kind: ItemKind = ANY_KIND


class DeskVisits(TabVisits):
    """Methods that move the review page from one item to the next."""

    def __init__(self, database: Database, reviews: ReviewStage, adjudication: AdjudicationStage) -> None:
        super().__init__()
        self._db, self._reviews, self._adjudication = database, reviews, adjudication

    def step(self, step: DeskStep, claimed: str | None = None) -> DeskData | None:
        """Reserve the item to which the request `step` of the review page leads; return the data that the page shows for it.
        `claimed` is the next item, if it was already reserved with the previous decision.

        Return None if the page itself must show what comes next, because no other item waits or because the item is reviewed on
        another page. If the browser repeats a step because the reply was lost, the step leads to the same item. Raises
        BenchError if the item is missing, and NotAllowed if this person may not open it."""
        person, visit = step.person, self.find_repeated(step)
        target = visit.item if visit else claimed or self._find_target(step)
        if target is None:
            return None
        is_held = self._reviews.holds.hold(target, person) is None
        data = self.load(target, person, self.load_bar(step.kind, person, target), None, is_onward=step.to == "next")
        if phases.is_waiting(data.item):
            return None
        visit = visit or self.put_step(step, target, is_held=is_held and data.item.status == "drafted")
        return replace(data, visit=DeskVisit(step.tab, visit.number, step.kind._asdict()))

    def load(self, item: str, person: str, bar: DeskBar, visit: DeskVisit | None, *, is_onward: bool = False) -> DeskData:
        """Load the data that the review page shows for the item; `bar` is the line above the item. If `visit` is None, the
        page's script and not the review component opens the next item.

        `is_onward` means that the browser tab showed another item before, so that the person can go back to it. Raises the same
        errors as ReviewStage.desk."""
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
        """Return the line above the item on the review page; `item` is None if the page shows no item."""
        may_decide_between = bool(person) and explain_refusal(self._db, "decide between people") is None
        has_opinions = may_decide_between and self._db.has_any("opinion")
        disputed = self._adjudication.count_disputed(person).left if has_opinions else 0
        if item is not None and person and self._reviews.is_in_qualification(item, person):
            return DeskBar(describe_qualification(self._reviews.qualification.load_state(person)), "", disputed, None)
        progress = self._reviews.progress(kind, person, item)
        control = describe_control_rate(self._reviews.control_sampling.rule().every) if person else ""
        words, is_last = describe_progress(progress, bool(person)), item is not None and not progress.of_document
        return DeskBar(words, control, disputed, progress.left, is_last)

    def find_document_ahead(self, kind: ItemKind, person: str, item: str) -> str | None:
        """Return the document of the item that this person will probably get next, so that the review page can load its text
        early. The item is not reserved. Return None if no other item waits, or if the next item has no document."""
        ahead = self._reviews.holds.find_ahead(kind, person, item)
        return items.find_first_document(items.get(self._db, ahead)) if ahead else None

    def _find_target(self, step: DeskStep) -> str | None:
        reviews, person = self._reviews, step.person
        if step.to == "open":
            return step.target
        if step.to == "back":
            return step.target or reviews.find_previous(person, step.item)
        return reviews.find_next(step.kind, person, step.item) or reviews.find_next(step.kind, person)
