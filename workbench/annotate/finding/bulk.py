"""Bulk actions: looked at first, then done as one job in pieces, and undone as a whole. Each decision in bulk is a review of
its own that names the action and has no reading time; what cannot be changed is left out and counted."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from core.errors import BenchError
from core.ids import content_hash
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
from workbench.annotate.finding.bulk_rules import ACTIONS, DECIDING, Action, BulkPlan, BulkRequest, check, from_params
from workbench.annotate.finding.bulk_work import do, looked_at
from workbench.annotate.finding.finding import FindStage, ItemSearch, Like
from workbench.control import Control
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act

__all__ = ["ACTIONS", "Action", "All", "BulkPreview", "BulkRequest", "BulkStage"]

KIND = "bulk"
AT_ONCE, WITH_OPINIONS = 100, 8
"""Items in one transaction: no press waits for more than that. Opinions that may be the last that are wanted are compared one
by one, which takes longer."""
SHOWN = 10
"""Items that a preview shows."""
NAMED = 5
"""Items that a reason for leaving some out names."""


@dataclass(frozen=True, slots=True)
class All:
    """Everything that a search finds."""

    search: ItemSearch
    like: Like


Chosen = Sequence[str] | All
"""Items by their ids, of which none are none; or all that a search finds."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Items that stay as they are."""

    why: str
    n: int
    items: Sequence[str]
    """The first NAMED."""


@dataclass(frozen=True, slots=True)
class BulkPreview:
    """What would be changed."""

    asked: BulkRequest
    total: int
    """Items that were chosen."""
    will: int
    """Items that would be changed."""
    kinds: Mapping[str, Mapping[str, int]]
    """Of those that would be: status, level and domain -> value -> items."""
    opinions: int
    """Of those that would be decided: items that several people are wanted on, where it is one person's opinion."""
    left_out: Sequence[LeftOut]
    """The most frequent reason first."""
    sample: Sequence[Mapping[str, Any]]
    """The first SHOWN that would be changed: id, question, status, level, domain."""
    mark: str
    """Stands for exactly these items and this action."""


class BulkStage:
    """Verbs on many items."""

    def __init__(self, database: Database, find: FindStage, clock: Callable[[], str] = current_time) -> None:
        self._db, self._find, self._clock = database, find, clock
        reading = DocumentCache(database)
        self._look = BackgroundGates(database, reading)
        self._kept = BackgroundCache(most=8)

    def reasons(self) -> list[str]:
        """Why many items may be discarded at once."""
        return reasons(self._db)

    @act("change items in bulk", is_logged=False)
    def preview(self, asked: BulkRequest, chosen: Chosen, turn: str) -> RunningWork[BulkPreview]:
        """What would be changed, worked out beside the page once for each `turn`; nothing is. Raises BenchError when nothing is
        chosen, or the action cannot be done."""
        check(asked)
        ids = self._ids(asked, chosen)
        return self._kept.get((turn, asked), partial(self._previewed, asked, ids))

    @act("change items in bulk", lambda given: given["asked"].action)
    def plan(self, asked: BulkRequest, chosen: Chosen, mark: str) -> str:
        """The queued job that does what the preview of that mark showed. Raises BenchError when something else is chosen by
        now."""
        check(asked)
        ids = self._ids(asked, chosen)
        if _mark(asked, ids) != mark:
            raise BenchError("What is chosen has changed since you looked at it, and nothing was done: look at it again.")
        return jobs.create(self._db, KIND, {"asked": asdict(asked)}, total=len(ids), pieces=ids)

    @act("see who did what")
    def so_far(self, limit: int = 10) -> list[dict[str, Any]]:
        """The last bulk actions, the newest first: job, asked, state, at, total, changed, left_out ({why: items}), and how
        many of the changed ones the listed undos took back: undone."""
        return self._lines(job_pages.load_page(self._db, kinds=[KIND], limit=limit))

    @act("see who did what")
    def one(self, job: str) -> dict[str, Any]:
        """That bulk action, as in `so_far`."""
        return self._lines([jobs.get(self._db, job)])[0]

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        """Some items at a time, each transaction with what became of them; a gate's look one by one."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        asked = from_params(row.params)
        plan = await asyncio.to_thread(self._plan, asked)
        rules = await asyncio.to_thread(queue_rules.load_current_rules, self._db.rows)
        at_once = WITH_OPINIONS if rules.overlaps and asked.action != "give" else AT_ONCE
        step = partial(self._gates, job, plan) if asked.action == "gates" else partial(self._change, job, plan, at_once)
        while not control.look() and await asyncio.to_thread(step):
            pass
        return self._told(job, row.total or 0, control.stopping)

    def close(self) -> None:
        """Finish the looks that wait."""
        self._look.close()
        self._kept.close()

    def _lines(self, found: Sequence[Job]) -> list[dict[str, Any]]:
        counted = bulk.count_outcomes(self._db, [job.id for job in found])
        undos: dict[str, list[str]] = {}
        for job in found:
            undos.setdefault(from_params(job.params).of, []).append(job.id)
        return [
            {
                "job": job.id,
                "asked": from_params(job.params),
                "state": job.state,
                "at": job.created,
                "total": job.total,
                "changed": counted[job.id].get("", 0),
                "left_out": {why: n for why, n in counted[job.id].items() if why},
                "undone": sum(counted[undo].get("", 0) for undo in undos.get(job.id, [])),
            }
            for job in found
        ]

    def _ids(self, asked: BulkRequest, chosen: Chosen) -> list[str]:
        """The items that are meant, each once."""
        if asked.action == "undo":
            return list(self._plan(asked).changed)
        found = self._find.ids(chosen.search, chosen.like) if isinstance(chosen, All) else list(dict.fromkeys(chosen))
        if not found:
            raise BenchError("No item is chosen, and nothing was done: tick some, or choose all that are found.")
        return found

    def _plan(self, asked: BulkRequest) -> BulkPlan:
        """What it is about. Raises BenchError when it is the undo of what cannot be undone."""
        if asked.action != "undo":
            return BulkPlan(asked, asked, {}, label_questions.list_questions(self._db))
        job = jobs.get(self._db, asked.of)
        of = from_params(job.params) if job.kind == KIND else asked
        if of.action in ("undo", "gates"):
            raise BenchError(f"Job {job.id} changed no item in a way that could be undone.")
        if job.state in ("queued", "running"):
            raise BenchError(f"Job {job.id} is not over: let it end, or cancel it, then undo what it did.")
        changed = {piece.item: piece for piece in bulk.load_outcomes(self._db, job.id) if not piece.why}
        if not changed:
            raise BenchError(f"Job {job.id} changed no item: there is nothing to undo.")
        return BulkPlan(asked, of, changed)

    def _previewed(self, asked: BulkRequest, ids: Sequence[str]) -> BulkPreview:
        found, why = looked_at(self._db.rows, self._plan(asked), ids, self._clock())
        changing = [ground for ground in found if not why[ground.item.id]]
        left: dict[str, list[str]] = {}
        for id_, reason in why.items():
            if reason:
                left.setdefault(reason, []).append(id_)
        kinds: dict[str, Mapping[str, int]] = {
            "status": Counter(ground.item.status for ground in changing),
            "level": Counter("none" if ground.item.level is None else str(ground.item.level) for ground in changing),
            "domain": Counter(ground.item.domain for ground in changing),
        }
        return BulkPreview(
            asked,
            len(ids),
            len(changing),
            kinds,
            sum(ground.is_for_several for ground in changing) if asked.action in DECIDING else 0,
            sorted((LeftOut(reason, len(among), among[:NAMED]) for reason, among in left.items()), key=lambda one: -one.n),
            [
                {
                    "id": g.item.id,
                    "question": g.item.question,
                    "status": g.item.status,
                    "level": g.item.level,
                    "domain": g.item.domain,
                }
                for g in changing[:SHOWN]
            ],
            _mark(asked, ids),
        )

    def _change(self, job: str, plan: BulkPlan, at_once: int) -> bool:
        """The next few; False when none is left."""
        at = self._clock()

        def write(cursor: Cursor) -> bool:
            ids = jobs.claim(cursor, job, at_once)
            found, why = looked_at(fetch_from(cursor), plan, ids, at)
            before = do(cursor, job, plan, [ground for ground in found if not why[ground.item.id]], at)
            results = [BulkOutcome(id_, why[id_], before.get(id_, ())) for id_ in ids]
            jobs.insert_items(cursor, job, [(piece.item, "done", outcome_result(piece)) for piece in results])
            return bool(ids)

        return self._db.write(write)

    def _gates(self, job: str, plan: BulkPlan) -> bool:
        """The next item's look; False when none is left."""
        taken = self._db.write(lambda cursor: jobs.claim(cursor, job, 1))
        found, why = looked_at(self._db.rows, plan, taken, self._clock())
        for ground in found:
            if not why[ground.item.id]:
                self._look.run_now(ground.item)
        pieces = [(id_, "done", outcome_result(BulkOutcome(id_, why[id_]))) for id_ in taken]
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, pieces))
        return bool(taken)

    def _told(self, job: str, total: int, was_stopped: bool) -> dict[str, Any]:
        counted = bulk.count_outcomes(self._db, [job])[job]
        changed, left = counted.get("", 0), {why: n for why, n in counted.items() if why}
        is_over = sum(counted.values()) >= total
        said = ", ".join(f"{n:,} {why}" for why, n in left.items())
        return {
            "changed": changed,
            "left_out": sum(left.values()),
            "why": left,
            "message": f"{changed:,} of {total:,} changed" + (f"; left out: {said}." if said else "."),
            "stopped": "cancelled" if was_stopped and not is_over else None,
        }


def _mark(asked: BulkRequest, ids: Sequence[str]) -> str:
    return content_hash([asdict(asked), list(ids)])
