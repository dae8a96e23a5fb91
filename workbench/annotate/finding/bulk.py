"""Change many items at once. A bulk action is first previewed, then one job does it in batches; it can be undone as a whole.
Each decision of a bulk action is stored as a separate review that names the action and has no active time. Items that cannot be
changed are skipped and counted."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from core.as_json import Json
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Item
from store.engine.columns import current_time, fetch_from
from store.engine.database import Cursor, Database
from store.jobs import job_pages, jobs
from store.jobs.jobs import Job
from store.queue import queue_rules
from store.reviews import bulk, label_questions
from store.reviews.bulk import BulkOutcome, outcome_result
from workbench.annotate.desk.background_gates import BackgroundGates
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.desk.reasons import reasons
from workbench.annotate.finding.bulk_rules import ACTIONS, DECIDING_ACTIONS, Action, BulkPlan, BulkRequest, check_request
from workbench.annotate.finding.bulk_work import change_items, load_rows
from workbench.annotate.finding.finding import FindStage, ItemSearch, SimilarityQuery
from workbench.annotate.reviewing.blind import Blind
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.control import Control
from workbench.roles import requires

__all__ = ["ACTIONS", "Action", "AllFound", "BulkPreview", "BulkRecord", "BulkRequest", "BulkStage", "Selection"]

JOB_KIND = "bulk"
BATCH_ITEMS, BATCH_OPINIONS = 100, 8
"""Maximum number of items in one transaction, which limits how long other requests wait. The second number is for opinions that
may complete an item, because comparing opinions takes longer."""
MAX_SAMPLE_ITEMS = 10
"""Maximum number of items that a preview of a bulk action shows."""
MAX_NAMED_ITEMS = 5
"""Maximum number of ids that are listed for each reason why items are skipped."""


@dataclass(frozen=True, slots=True)
class AllFound:
    """Selects all items that a search finds for a bulk action."""

    search: ItemSearch
    query: SimilarityQuery


Selection = Sequence[str] | AllFound
"""The items of a bulk action: a list of their ids, or all items that a search finds."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The items that a bulk action would skip for the same reason."""

    why: str
    n: int
    items: Sequence[str]
    """Ids of the first items that are skipped for this reason, at most MAX_NAMED_ITEMS."""


@dataclass(frozen=True, slots=True)
class BulkPreview:
    """The changes that a bulk action would make."""

    request: BulkRequest
    total: int
    """Number of items that were selected for the bulk action."""
    will: int
    """Number of selected items that the action would change."""
    kinds: Mapping[str, Mapping[str, int]]
    """Dict from property (status, level or domain) to a dict from its value to the number of items that the action would
    change."""
    opinions: int
    """Number of items that need several reviewers, so that the decision counts as only one opinion on them."""
    left_out: Sequence[LeftOut]
    """The items that the action would skip, grouped by reason, most frequent reason first."""
    sample: Sequence[Item]
    """The first MAX_SAMPLE_ITEMS items that the action would change."""
    mark: str
    """Hash of the action and its items. `plan` compares the hash, so that nothing is done that was not previewed."""


@dataclass(frozen=True, slots=True)
class BulkRecord:
    """A bulk action that was started, with its results so far."""

    job: str
    request: BulkRequest
    state: str
    """State of the action's job, such as running or done."""
    at: str
    """Time at which the action was started, in UTC and ISO format."""
    total: int | None
    changed: int
    left_out: Mapping[str, int]
    """Dict from reason to the number of items that were skipped for this reason."""
    undone: int
    """Number of changed items whose change was undone later."""


class BulkStage:
    """Methods that preview, start and list bulk actions (changes of many items at once)."""

    def __init__(self, database: Database, find: FindStage, clock: Callable[[], str] = current_time) -> None:
        self._db, self._find, self._clock = database, find, clock
        self._gates = BackgroundGates(database, DocumentCache(database))
        self._blind = Blind(database)
        self._previews = BackgroundCache(max_results=8)

    def reasons(self) -> list[str]:
        """List the reasons for discarding items from which a person can choose in a bulk action."""
        return reasons(self._db)

    @requires("change items in bulk", is_logged=False)
    def preview(self, request: BulkRequest, selection: Selection, turn: str) -> RunningWork[BulkPreview]:
        """Compute in the background which items the action would change; calls with the same key `turn` share one result.

        Raises BenchError if no item is selected or the action cannot be done."""
        check_request(request)
        ids = self._list_ids(request, selection)
        return self._previews.get((turn, request), partial(self._preview, request, ids))

    @requires("change items in bulk", lambda arguments: arguments["request"].action)
    def plan(self, request: BulkRequest, selection: Selection, mark: str) -> str:
        """Queue the job that makes the changes of the preview with the hash `mark`; return the job's id.

        Raises BenchError if the selection has changed since the preview."""
        check_request(request)
        ids = self._list_ids(request, selection)
        if _identify(request, ids) != mark:
            raise BenchError("The selection has changed since you looked at it, and nothing was done: look at it again.")
        return jobs.create(self._db, JOB_KIND, {"asked": asdict(request)}, total=len(ids), pieces=ids)

    @requires("see who did what")
    def list_actions(self, limit: int = 10) -> list[BulkRecord]:
        """List the latest bulk actions, newest first."""
        return self._load_records(job_pages.load_page(self._db, kinds=[JOB_KIND], limit=limit))

    @requires("see who did what")
    def load_action(self, job: str) -> BulkRecord:
        """Load the bulk action that this job carries out."""
        return self._load_records([jobs.get(self._db, job)])[0]

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job in batches. The outcome of each item is stored in the transaction that changes the item; gates (automatic
        checks) run on one item at a time."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        request = BulkRequest.of_job(row.params)
        plan = await asyncio.to_thread(self._plan, request)
        rules = await asyncio.to_thread(queue_rules.load_current_rules, self._db.rows)
        batch = BATCH_OPINIONS if rules.overlaps and request.action != "give" else BATCH_ITEMS
        is_gates = request.action == "gates"
        step = partial(self._run_gates, job, plan) if is_gates else partial(self._change_batch, job, plan, batch)
        while not control.look() and await asyncio.to_thread(step):
            pass
        return self._summarize(job, row.total or 0, control.stopping)

    def close(self) -> None:
        """Wait until the gates that still run in the background have ended."""
        self._gates.close()

    def _load_records(self, found: Sequence[Job]) -> list[BulkRecord]:
        counts = bulk.count_outcomes(self._db, [job.id for job in found])
        undos: dict[str, list[str]] = {}
        for job in found:
            undos.setdefault(BulkRequest.of_job(job.params).of, []).append(job.id)
        return [
            BulkRecord(
                job.id,
                BulkRequest.of_job(job.params),
                job.state,
                job.created,
                job.total,
                counts[job.id].get("", 0),
                {why: n for why, n in counts[job.id].items() if why},
                sum(counts[undo].get("", 0) for undo in undos.get(job.id, [])),
            )
            for job in found
        ]

    def _list_ids(self, request: BulkRequest, selection: Selection) -> list[str]:
        """List the ids of the selected items, each id once. If the action is an undo, these are the items that the undone
        action changed."""
        if request.action == "undo":
            return list(self._plan(request).changed)
        if isinstance(selection, AllFound):
            ids = self._find.ids(selection.search, selection.query)
        else:
            ids = list(dict.fromkeys(selection))
        if not ids:
            raise BenchError("No item is chosen, and nothing was done: select some items, or all found items.")
        return ids

    def _plan(self, request: BulkRequest) -> BulkPlan:
        """Load the stored data that a bulk action needs. Raises BenchError if the action to be undone cannot be undone."""
        if request.action != "undo":
            find_hidden = partial(self._blind.find_hidden, person=request.person)
            return BulkPlan(request, request, {}, label_questions.list_questions(self._db), find_hidden)
        job = jobs.get(self._db, request.of)
        target = BulkRequest.of_job(job.params) if job.kind == JOB_KIND else request
        if target.action in ("undo", "gates"):
            raise BenchError(f"Job {job.id} changed no item in a way that could be undone.")
        if job.state in ("queued", "running"):
            raise BenchError(f"Job {job.id} has not ended: wait for its end, or cancel it, then undo its changes.")
        changed = {outcome.item: outcome for outcome in bulk.load_outcomes(self._db, job.id) if not outcome.why}
        if not changed:
            raise BenchError(f"Job {job.id} changed no item: there is nothing to undo.")
        return BulkPlan(request, target, changed)

    def _preview(self, request: BulkRequest, ids: Sequence[str]) -> BulkPreview:
        rows, why = load_rows(self._db.rows, self._plan(request), ids, self._clock())
        changing = [row for row in rows if not why[row.item.id]]
        changing_items = [row.item for row in changing]
        left: dict[str, list[str]] = {}
        for id_, reason in why.items():
            if reason:
                left.setdefault(reason, []).append(id_)
        kinds: dict[str, Mapping[str, int]] = {
            "status": Counter(item.status for item in changing_items),
            "level": Counter("none" if item.level is None else str(item.level) for item in changing_items),
            "domain": Counter(item.domain for item in changing_items),
        }
        left_out = [LeftOut(reason, len(among), among[:MAX_NAMED_ITEMS]) for reason, among in left.items()]
        return BulkPreview(
            request,
            len(ids),
            len(changing),
            kinds,
            sum(row.is_for_several for row in changing) if request.action in DECIDING_ACTIONS else 0,
            sorted(left_out, key=lambda group: -group.n),
            changing_items[:MAX_SAMPLE_ITEMS],
            _identify(request, ids),
        )

    def _change_batch(self, job: str, plan: BulkPlan, batch: int) -> bool:
        """Change the job's next batch of items; return whether there was a next batch."""
        at = self._clock()

        def write(cursor: Cursor) -> bool:
            ids = jobs.claim(cursor, job, batch)
            rows, why = load_rows(fetch_from(cursor), plan, ids, at)
            before = change_items(cursor, job, plan, [row for row in rows if not why[row.item.id]], at)
            outcomes = [BulkOutcome(id_, why[id_], before.get(id_, ())) for id_ in ids]
            jobs.insert_items(cursor, job, [(outcome.item, "done", outcome_result(outcome)) for outcome in outcomes])
            return bool(ids)

        return self._db.write(write)

    def _run_gates(self, job: str, plan: BulkPlan) -> bool:
        """Run the gates (automatic checks) on the job's next item; return whether there was a next item."""
        ids = self._db.write(lambda cursor: jobs.claim(cursor, job, 1))
        rows, why = load_rows(self._db.rows, plan, ids, self._clock())
        for row in rows:
            if not why[row.item.id]:
                self._gates.run_now(row.item)
        outcomes = [(id_, "done", outcome_result(BulkOutcome(id_, why[id_]))) for id_ in ids]
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, outcomes))
        return bool(ids)

    def _summarize(self, job: str, total: int, was_stopped: bool) -> dict[str, Json]:
        counts = bulk.count_outcomes(self._db, [job])[job]
        changed, left = counts.get("", 0), {why: n for why, n in counts.items() if why}
        is_over = sum(counts.values()) >= total
        reasons = ", ".join(f"{n:,} {why}" for why, n in left.items())
        return {
            "changed": changed,
            "left_out": sum(left.values()),
            "why": left,
            "message": f"{changed:,} of {total:,} changed" + (f"; left out: {reasons}." if reasons else "."),
            "stopped": "cancelled" if was_stopped and not is_over else None,
        }


def _identify(request: BulkRequest, ids: Sequence[str]) -> str:
    return content_hash([asdict(request), list(ids)])
