"""Run gates (checks of drafts) on any items. The cost is estimated first; a job then stores the verdicts on each item as soon
as they are given. A budget stops the job before a call that could exceed it; finished calls are never paid again."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from builders.gate import GateContext, run_gates
from builders.near_duplicate_index import NearDuplicateIndex
from builders.task import tasks
from core.as_json import Json
from core.errors import AgentError, BenchError, CallNotSent
from core.ids import content_hash
from core.nouns import Verdict
from store.engine.database import Cursor, Database
from store.items import gate_facts, items
from store.items.verdicts import insert_verdicts
from store.jobs import jobs
from workbench.annotate.finding.bulk import AllFound, Selection
from workbench.annotate.finding.finding import FindStage
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.llm_gates import BoundAgents, LlmGateChoice, bind_gate_agents, load_choice, make_look, save_choice
from workbench.build.gating.gate_choice import GateCard, GateRequest, list_gates
from workbench.build.gating.gate_estimate import GateRunEstimate, estimate_gates
from workbench.build.gating.gate_report import GateCalibration, GateFindings, calibrate_gates, count_findings
from workbench.build.gating.nearest import NearestInStore
from workbench.control import Control, describe_stop, name_stop
from workbench.roles import requires
from workbench.setup.agents import Agents
from workbench.stream import store_pieces, work_side_by_side

__all__ = ["AllFound", "GateCard", "GateRequest", "GatingStage", "LlmGateChoice"]

KIND = "gates"
FREE_WIDTH = 4
"""Number of items that are checked at the same time if no gate asks an agent."""
WHOLE_WORKSPACE_GATES = ("near_in_meaning",)
"""Gates without agents that compare an item with the whole workspace, and that therefore no task lists."""


@dataclass(frozen=True, slots=True)
class GatedItem:
    """What the gates found on one item."""

    item: str
    verdicts: tuple[Verdict, ...] = ()
    why: str = ""
    """Reason why the item was not checked, or why the job ended at this item; "" if the item was checked."""
    ends: str = ""
    """"budget" or "endpoint" if the job ended before this item was finished, "batch" if the item waits for a batch file,
    otherwise ""."""


class GatingStage:
    """Methods that estimate, plan and run gates on items, and that report what they found."""

    def __init__(self, database: Database, agents: Agents, corpus: CorpusStage, find: FindStage) -> None:
        self._db, self._agents, self._corpus, self._find = database, agents, corpus, find
        self._cache = BackgroundCache(max_results=8)

    list_gates = staticmethod(list_gates)

    def load_choice(self) -> LlmGateChoice | None:
        """Return the LLM gates that run on every draft, or None if each task uses its default gates."""
        return load_choice(self._db)

    @requires("set the rules of the work", lambda arguments: "gates on every draft", notes=[])
    def set_choice(self, choice: LlmGateChoice | None) -> None:
        """Set which LLM gates run on every new draft; None means that each task uses its default gates. Raises BenchError if a
        gate or agent is unknown."""
        for agent in choice.check().agents if choice else ():
            self._agents.check(agent, {}, None)
        save_choice(self._db, choice)

    def list_own_gates(self) -> dict[str, tuple[str, ...]]:
        """Return a dict from task to the LLM gates that run on its drafts if nobody has chosen any."""
        return {name: task.llm_gates for name, task in tasks().items() if task.llm_gates}

    @requires("run gates", is_logged=False)
    def preview(self, asked: GateRequest, chosen: Selection, turn: str) -> RunningWork[GateRunEstimate]:
        """Estimate in the background what running the gates costs; calls with the same key `turn` share one result. Raises
        BenchError if nothing is selected, or if the gates cannot run."""
        self._check(asked)
        ids = self._ids(chosen)
        return self._cache.get((turn, asked), partial(self._estimate, asked, ids))

    @requires("run gates", lambda arguments: ", ".join(arguments["asked"].gates))
    def plan(self, asked: GateRequest, chosen: Selection, mark: str = "") -> str:
        """Queue the job that runs the gates; return its id. `mark` is the hash from the preview. Raises BenchError if the
        selection has changed since the preview."""
        self._check(asked)
        ids = self._ids(chosen)
        if mark and _mark(asked, ids) != mark:
            raise BenchError("The selection has changed since you looked at it, and nothing was done: look at it again.")
        params = {**asked.params, **self._agents.pin(asked.agents)}
        return jobs.create(self._db, KIND, params, budget=asked.budget, total=len(ids), pieces=ids)

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job: check as many items in parallel as the agents allow, and store the verdicts on each item."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        total, done = row.total or 0, sum(piece.state == "done" for piece in jobs.load_pieces(self._db, job))

        def store(results: list[GatedItem]) -> None:
            self._db.write(partial(_store, job=job, results=results))

        results = self._run(job, GateRequest.from_params(row.params, row.budget), row.params, control)
        end = await store_pieces(results, lambda result: result.ends, store, done, total, control)
        return self._result(job, total, end, control.stopping)

    @requires("run gates", is_logged=False)
    def count_findings(self, by: Sequence[str]) -> RunningWork[list[GateFindings]]:
        """Count the outcomes of each gate in the background, grouped by the fields in `by`."""
        key = ("findings", tuple(by), gate_facts.fingerprint(self._db))
        return self._cache.get(key, lambda: count_findings(gate_facts.load_findings(self._db), by))

    @requires("run gates", is_logged=False)
    def calibrate(self) -> RunningWork[list[GateCalibration]]:
        """Compare the flags of each gate with people's decisions, in the background."""
        key = ("calibrations", gate_facts.fingerprint(self._db))
        return self._cache.get(key, lambda: calibrate_gates(gate_facts.load_findings(self._db)))

    def _check(self, request: GateRequest) -> None:
        request.check()
        for agent in request.agents if request.llm_gates else ():
            self._agents.check(agent, {}, request.budget)

    def _ids(self, chosen: Selection) -> list[str]:
        ids = self._find.ids(chosen.search, chosen.query) if isinstance(chosen, AllFound) else list(dict.fromkeys(chosen))
        if not ids:
            raise BenchError("No item is chosen: remove a filter, or select some items.")
        return ids

    def _estimate(self, request: GateRequest, ids: Sequence[str]) -> GateRunEstimate:
        agents = [self._agents.check(name, {}, None) for name in request.agents]
        of_task = gate_facts.group_by_task(self._db, ids)
        load_items = partial(items.load_items, self._db)
        estimate = estimate_gates(request, agents, of_task, load_items, self._corpus, self._agents.ledger)
        return replace(estimate, items=len(ids), mark=_mark(request, ids))

    async def _run(
        self, job: str, request: GateRequest, params: Mapping[str, Any], control: Control
    ) -> AsyncIterator[GatedItem]:
        """Yield what the gates found on each item, in the order in which the items are finished."""
        waiting = [piece.key for piece in jobs.load_pieces(self._db, job) if piece.state != "done"]
        cap, pinned = self._agents.budget(request.budget, job), params.get("saved")
        panel = await asyncio.to_thread(
            lambda: bind_gate_agents(self._agents, request.choice, {}, budget=cap, job=job, pinned=pinned)
        )
        known = NearDuplicateIndex()
        if "duplicate" in request.free_gates:
            known = await asyncio.to_thread(lambda: NearDuplicateIndex(items.list_items(self._db)))
        similar_questions = NearestInStore(self._db) if set(WHOLE_WORKSPACE_GATES) & set(request.free_gates) else None
        context = GateContext(text_of=self._corpus.text, near_duplicates=known, similar_questions=similar_questions)
        width = panel.width if request.llm_gates else FREE_WIDTH
        try:
            run = partial(self._run_on_item, request=request, panel=panel, free_context=context)
            working = work_side_by_side(iter(waiting), run, width, control, lambda result: result.ends not in ("", "batch"))
            async with aclosing(working) as results:
                async for result in results:
                    yield result
        finally:
            await panel.close()

    async def _run_on_item(self, id_: str, request: GateRequest, panel: BoundAgents, free_context: GateContext) -> GatedItem:
        """Run the requested gates on the current revision of the item with this id."""
        item = next(iter(await asyncio.to_thread(items.load_items, self._db, [id_])), None)
        task = tasks().get(item.task) if item else None
        if item is None or task is None:
            return GatedItem(id_, why="its task is unknown here")
        own = [name for name in request.free_gates if name in (*task.gates, *WHOLE_WORKSPACE_GATES)]
        look = make_look(request.choice, panel.judges, task, request.seed, self._corpus)
        verdicts: tuple[Verdict, ...] = ()
        try:
            if own:
                verdicts = await asyncio.to_thread(run_gates, item, own, free_context)
            verdicts += await look(item)
        except (AgentError, CallNotSent) as error:  # a gate that fails leaves the item unchecked, so the job stops
            return GatedItem(id_, why=str(error), ends=name_stop(error) or "endpoint")
        return GatedItem(id_, verdicts, "" if verdicts else "no such gate for its task")

    def _result(self, job: str, total: int, ended: GatedItem | None, cancelled: bool) -> dict[str, Json]:
        """Return the result of the job as JSON: its numbers by gate and outcome, its cost and a message."""
        results = [result for _, result in jobs.load_results(self._db, job)]
        left_out = Counter(result["why"] for result in results if result["why"])
        counts: dict[str, Counter[str]] = {}
        for result in results:
            for gate, outcome in result["found"].items():
                counts.setdefault(gate, Counter())[outcome] += 1
        stopped = ended.ends if ended else "cancelled" if cancelled and len(results) < total else None
        return {
            "looked": len(results),
            "gates": counts,
            "left_out": left_out,
            **self._agents.ledger.describe_spending(job),
            "stopped": stopped,
            "message": _describe(len(results), total, counts, left_out, describe_stop(stopped, ended.why if ended else "")),
        }


def _store(cursor: Cursor, job: str, results: Sequence[GatedItem]) -> None:
    insert_verdicts(cursor, [verdict for result in results for verdict in result.verdicts])
    rows = [(r.item, "done", {"why": r.why, "found": {v.gate: v.outcome for v in r.verdicts}}) for r in results]
    jobs.insert_items(cursor, job, rows)


def _describe(done: int, total: int, counts: dict[str, Counter[str]], left_out: Counter[str], end: str) -> str:
    """Return a sentence that says how many items each gate passed, flagged or refused, and how many were left out."""
    words = {"pass": "passed", "flag": "flagged", "refuse": "would be refused", "not run": "not run"}
    parts = [
        f"{gate.replace('_', ' ')} {', '.join(f'{n:,} {words[outcome]}' for outcome, n in outcomes.items())}"
        for gate, outcomes in sorted(counts.items())
    ]
    parts += [f"{n:,} left out ({reason})" for reason, n in left_out.items()]
    sentence = f"looked at {done:,} of {total:,} items" + (f": {'; '.join(parts)}." if parts else ".")
    return f"{sentence} {end}".strip()


def _mark(request: GateRequest, ids: Sequence[str]) -> str:
    return content_hash([request.params, list(ids)])
