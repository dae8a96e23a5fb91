"""Keep track of the question that each browser tab shows on the page Rewrite, and move the tab to the next question. The page
opens the first question. A component in the browser then requests and shows each further question."""

from dataclasses import replace

from store.engine.database import Database
from store.queue.kind import ItemKind
from workbench.annotate.desk.desk_data import DeskBar, DeskVisit
from workbench.annotate.desk.guidelines import describe_version
from workbench.annotate.queue.tab_visits import TabStep, TabVisits
from workbench.annotate.wordings.rewrites import RewriteSheet, RewriteStage


class RewriteVisits(TabVisits):
    """Methods that move a browser tab of the page Rewrite from one question to the next."""

    def __init__(self, database: Database, rewrites: RewriteStage) -> None:
        super().__init__()
        self._db, self._rewrites = database, rewrites

    def step(self, step: TabStep, kind: ItemKind) -> RewriteSheet | None:
        """Return what the page Rewrite shows for the question to which the request `step` of the tab leads.

        Return None if the page itself must show what comes next, because no other question needs a rewrite or because the
        person must first agree to the consent text. If the browser repeats a step, it leads to the same question. Raises
        BenchError if the item does not exist."""
        if step.person.strip() and self._rewrites.consent.find_unagreed(step.person):
            return None
        visit = self.find_repeated(step)
        target = visit.item if visit else self._find_target(step, kind)
        if target is None:
            return None
        sheet = self.load(target, step.person, None)
        visit = visit or self.put_step(step, target)
        tab_visit = DeskVisit(step.tab, visit.number, kind._asdict())
        return replace(sheet, visit=tab_visit, bar=self.load_bar(kind, step.person))

    def load(self, item: str, person: str, visit: DeskVisit | None) -> RewriteSheet:
        """Load what the page shows for the question. Raises BenchError if the item does not exist."""
        sheet = self._rewrites.sheet(item, person)
        status = "draft" if sheet.item.status == "drafted" else ""
        parts = describe_version(self._db, sheet.item.task), status, item if sheet.written else ""
        has_back = self._rewrites.find_previous(person, item) is not None
        return replace(sheet, has_back=has_back, around=" ".join(filter(None, parts)), visit=visit)

    def load_bar(self, kind: ItemKind, person: str) -> DeskBar:
        """Return the line above the question: how many questions that match `kind` the person has rewritten, and how many are
        left."""
        done = self._rewrites.count(kind, person)
        return DeskBar(f"{done.mine:,} by you, {done.left:,} left", "", 0, done.left)

    def _find_target(self, step: TabStep, kind: ItemKind) -> str | None:
        if step.to == "open":
            return step.target
        if step.to == "back":
            return step.target or self._rewrites.find_previous(step.person, step.item)
        return self._rewrites.find_next(kind, step.person, step.item)
