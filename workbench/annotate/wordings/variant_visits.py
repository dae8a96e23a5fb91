"""Keep track of the variant that each browser tab shows on the page Variants, and move the tab to the next variant of the queue
or of a sample. The page opens the first variant. A component in the browser then requests and shows each further variant."""

from dataclasses import replace
from typing import NamedTuple

from store.engine.database import Database
from store.variants.variant_queue import VariantKind
from workbench.annotate.desk.desk_data import DeskBar, DeskVisit
from workbench.annotate.desk.guidelines import describe_version
from workbench.annotate.queue.tab_visits import TabStep, TabVisits
from workbench.annotate.wordings.variant_quality import QualityStage
from workbench.annotate.wordings.variant_sheet import VariantSheet
from workbench.annotate.wordings.variants import VariantStage


class VariantQueue(NamedTuple):
    """The variants that a browser tab shows one after another: those that wait for review, or those of a sample."""

    kind: VariantKind = VariantKind()
    sample: str = ""
    """Id of the sample; "" stands for all waiting variants that match `kind`."""


class VariantVisits(TabVisits):
    """Methods that move a browser tab of the page Variants from one variant to the next."""

    def __init__(self, database: Database, variants: VariantStage, quality: QualityStage) -> None:
        super().__init__()
        self._db, self._variants, self._quality = database, variants, quality

    def step(self, step: TabStep, queue: VariantQueue) -> VariantSheet | None:
        """Reserve the variant to which the request `step` of the tab leads (unless it belongs to a sample), and return what the
        page shows for it.

        Return None if no other variant waits, so that the page itself must show what comes next. If the browser repeats a step,
        it leads to the same variant. Raises BenchError if the variant does not exist, and NotAllowed if this person may not
        open it."""
        visit = self.find_repeated(step)
        target = visit.item if visit else self._find_target(step, queue)
        if target is None:
            return None
        if step.to != "next" and not queue.sample:
            self._variants.hold(target, step.person)
        sheet = self.load(target, step.person, queue, None)
        visit = visit or self.put_step(step, target)
        tab_visit = self.describe_visit(step.tab, visit.number, queue)
        return replace(sheet, visit=tab_visit, bar=self.load_bar(queue, step.person))

    def load(self, variant: str, person: str, queue: VariantQueue, visit: DeskVisit | None) -> VariantSheet:
        """Load what the page shows for the variant. Raises the same errors as VariantStage.sheet and QualityStage.sheet."""
        sample = queue.sample
        sheet = self._quality.sheet(sample, variant, person) if sample else self._variants.sheet(variant, person)
        has_back = self.find_previous(queue, person, variant) is not None
        return replace(sheet, has_back=has_back, around=describe_version(self._db, sheet.original.task), visit=visit)

    def load_bar(self, queue: VariantQueue, person: str) -> DeskBar:
        """Return the line above the variant: the person's progress in the queue or the sample."""
        if queue.sample:
            left = next((one.left for one in self._quality.list_waiting(person) if one.id == queue.sample), 0)
            words = f"Blind sample, {left:,} left for you. Your answers decide nothing about the variants."
            return DeskBar(words, "", 0, left)
        done = self._variants.progress(queue.kind, person)
        held = f", {done.held:,} more held by others" if done.held else ""
        return DeskBar(f"{done.today:,} decided today, {done.left:,} left{held}", "", 0, done.left)

    def describe_visit(self, tab: str, number: int, queue: VariantQueue) -> DeskVisit:
        """Return the browser tab's place in the queue, in the form in which the tab sends it back with its next request."""
        return DeskVisit(tab, number, {**queue.kind._asdict(), "sample": queue.sample})

    def find_next(self, queue: VariantQueue, person: str, after: str | None = None) -> str | None:
        """Return the variant of the queue that this person gets next. Raises the same errors as VariantStage.find_next and
        QualityStage.find_next."""
        if queue.sample:
            return self._quality.find_next(queue.sample, person, after)
        return self._variants.find_next(queue.kind, person, after)

    def find_previous(self, queue: VariantQueue, person: str, variant: str | None) -> str | None:
        """Return the variant that this person decided on or judged before `variant`, or None if there is none."""
        if queue.sample:
            return self._quality.find_previous(queue.sample, person, variant)
        return self._variants.find_previous(person, variant)

    def _find_target(self, step: TabStep, queue: VariantQueue) -> str | None:
        if step.to == "open":
            return step.target
        if step.to == "back":
            return step.target or self.find_previous(queue, step.person, step.item)
        return self.find_next(queue, step.person, step.item)
