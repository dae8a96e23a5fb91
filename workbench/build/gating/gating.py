"""Gates run on any selection of items: looked at first with what it will cost, then done as a job, item by item, each verdict
stored as it comes. A budget stops it before the call that might exceed it; what was paid is never paid again."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from builders.gate import GateContext, run_gates
from builders.known_items import KnownItems
from builders.llm_gate import AskedContext, ask_gates
from builders.task import tasks
from core.errors import AgentError, BenchError, BudgetReached
from core.ids import content_hash
from core.nouns import Verdict
from store.engine import settings as stored
from store.engine.database import Cursor, Database
from store.items import gate_facts, items
from store.items.verdicts import insert_verdicts
from store.jobs import jobs
from workbench.annotate.finding.bulk import All, Chosen
from workbench.annotate.finding.finding import FindStage
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.asks import KEY, Asks, GateAgents, checked, hire, params_of, standing
from workbench.build.gating.gate_choice import GateRequest, check, choices, from_params, to_params
from workbench.build.gating.gate_estimate import estimate
from workbench.build.gating.gate_report import calibrations, table
from workbench.build.gating.nearest import NearestInStore
from workbench.control import Control
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act
from workbench.setup.agents import Agents
from workbench.stream import store_as_they_come

__all__ = ["All", "Asks", "GateRequest", "GatingStage"]

KIND = "gates"
FREE_AT_ONCE = 4
"""Items in hand at once where nobody is asked."""
ON_REQUEST = ("near_in_meaning",)
"""Free gates that are no task's own, because they take the whole workspace."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What the gates found on one item."""

    item: str
    verdicts: tuple[Verdict, ...] = ()
    why: str = ""
    """Why it was left out, or what ended the job."""
    ends: str = ""
    """budget or endpoint: the item is still to do."""


class GatingStage:
    """Verbs on gates."""

    def __init__(self, database: Database, agents: Agents, corpus: CorpusStage, find: FindStage) -> None:
        self._db, self._agents, self._corpus, self._find = database, agents, corpus, find
        self._kept = BackgroundCache(most=8)

    def choices(self) -> list[dict[str, Any]]:
        """Every gate, see gate_choice.choices."""
        return choices()

    def standing(self) -> Asks | None:
        """The asked gates that run on every draft; None = each task's own."""
        return standing(self._db)

    @act("set the rules of the work", lambda given: "gates on every draft", notes=[])
    def set_standing(self, asks: Asks | None) -> None:
        """From now on these run on every new draft; None = each task's own. Raises BenchError on an unknown gate or agent."""
        if asks is None:
            stored.remove(self._db, KEY)
            return
        for agent in checked(asks).agents:
            self._agents.check(agent, {}, None)
        stored.put(self._db, KEY, params_of(asks).get("asked", {"gates": [], "agents": [], "samples": asks.samples}))

    def of_tasks(self) -> dict[str, tuple[str, ...]]:
        """Task -> the asked gates that run on each of its drafts when nothing is set."""
        return {name: task.asks for name, task in tasks().items() if task.asks}

    @act("run gates", is_logged=False)
    def preview(self, asked: GateRequest, chosen: Chosen, turn: str) -> RunningWork[dict[str, Any]]:
        """{"items", "left_out": those of no task of ours, "calls", "price", "tokens_in", "tokens_out", "seconds": [least,
        most], "rests": sentences, "mark"}, worked out beside the page once for each `turn`. Raises BenchError when nothing is
        chosen, or such a job cannot begin."""
        self._check(asked)
        ids = self._ids(chosen)
        return self._kept.get((turn, asked), partial(self._previewed, asked, ids))

    @act("run gates", lambda given: ", ".join(given["asked"].gates))
    def plan(self, asked: GateRequest, chosen: Chosen, mark: str = "") -> str:
        """The queued job that runs them; with `mark`, on just the items that the preview of that mark showed. Raises BenchError
        when something else is chosen by now."""
        self._check(asked)
        ids = self._ids(chosen)
        if mark and _mark(asked, ids) != mark:
            raise BenchError("What is chosen has changed since you looked at it, and nothing was done: look at it again.")
        params = {**to_params(asked), **self._agents.pinned(asked.agents)}
        return jobs.create(self._db, KIND, params, budget=asked.budget, total=len(ids), pieces=ids)

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        """Item by item, as many side by side as the agents take."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        ended: list[Looked] = []
        done = sum(piece.state == "done" for piece in jobs.pieces(self._db, job))

        def commit(found: list[Looked]) -> None:
            nonlocal done
            ended.extend(one for one in found if one.ends)
            over = [one for one in found if not one.ends]
            self._db.write(partial(_store, job=job, found=over))
            done += len(over)
            control.say(f"{done:,} of {row.total:,} items")
            control.look()

        await store_as_they_come(self._looked(job, from_params(row.params, row.budget), row.params, control), commit)
        return self._result(job, row.total or 0, ended[0] if ended else None, control.stopping)

    @act("run gates", is_logged=False)
    def found(self, by: Sequence[str]) -> RunningWork[list[dict[str, Any]]]:
        """What the gates found, by gate and those of gate_report.BY; counted beside the page."""
        return self._kept.get(("found", tuple(by), self._state()), lambda: table(gate_facts.findings(self._db), by))

    @act("run gates", is_logged=False)
    def calibrated(self) -> RunningWork[list[dict[str, Any]]]:
        """How each gate's flags did against people; worked out beside the page."""
        return self._kept.get(("calibrated", self._state()), lambda: calibrations(gate_facts.findings(self._db)))

    def close(self) -> None:
        """Wait for what is under way."""
        self._kept.close()

    def _check(self, wanted: GateRequest) -> None:
        check(wanted)
        for agent in wanted.agents if wanted.asked else ():
            self._agents.check(agent, {}, wanted.budget)

    def _ids(self, chosen: Chosen) -> list[str]:
        found = self._find.ids(chosen.search, chosen.like) if isinstance(chosen, All) else list(dict.fromkeys(chosen))
        if not found:
            raise BenchError("No item is chosen: take a filter away, or tick some.")
        return found

    def _state(self) -> tuple[Any, ...]:
        return gate_facts.mark(self._db)

    def _previewed(self, wanted: GateRequest, ids: Sequence[str]) -> dict[str, Any]:
        agents = [self._agents.check(name, {}, None) for name in wanted.agents]
        of_task = gate_facts.of_tasks(self._db, ids)
        told = estimate(wanted, agents, of_task, partial(items.load_items, self._db), self._corpus, self._agents.ledger)
        return told | {"items": len(ids), "mark": _mark(wanted, ids)}

    async def _looked(self, job: str, wanted: GateRequest, params: dict[str, Any], control: Control) -> AsyncIterator[Looked]:
        """One outcome an item, as they finish."""
        waiting = [piece.key for piece in jobs.pieces(self._db, job) if piece.state != "done"]
        panel = await asyncio.to_thread(
            hire,
            self._agents,
            wanted.asks if wanted.asked else Asks(),
            {},
            budget=self._agents.budget(wanted.budget, job),
            job=job,
            pinned=params.get("saved"),
        )
        known = KnownItems()
        if "duplicate" in wanted.free:
            known = await asyncio.to_thread(lambda: KnownItems(items.list_items(self._db)))
        nearest = NearestInStore(self._db) if set(ON_REQUEST) & set(wanted.free) else None
        ground = GateContext(text_of=self._corpus.text, known=known, nearest=nearest)
        width = panel.width if wanted.asked else FREE_AT_ONCE
        pending: set[asyncio.Task[Looked]] = set()
        over = False
        try:
            while waiting or pending:
                over = over or control.stopping
                while waiting and not over and len(pending) < width:
                    pending.add(asyncio.create_task(self._one(waiting.pop(0), wanted, panel, ground)))
                if not pending:
                    return
                finished, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for one in finished:
                    looked = one.result()
                    over = over or bool(looked.ends)
                    yield looked
        finally:  # pending holds something only when an error ended it
            for unfinished in pending:
                unfinished.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            await panel.close()

    async def _one(self, id_: str, wanted: GateRequest, panel: GateAgents, ground: GateContext) -> Looked:
        """The item as it is now."""
        item = next(iter(await asyncio.to_thread(items.load_items, self._db, [id_])), None)
        task = tasks().get(item.task) if item else None
        if item is None or task is None:
            return Looked(id_, why="no task of ours")
        own = [name for name in wanted.free if name in (*task.gates, *ON_REQUEST)]
        context = AskedContext(
            text_of=self._corpus.text,
            whole=lambda one: self._corpus.document(one).text,
            task=task,
            judges=panel.judges,
            samples=wanted.samples,
            seed=wanted.seed,
        )
        verdicts: tuple[Verdict, ...] = ()
        try:
            if own:
                verdicts = await asyncio.to_thread(run_gates, item, own, ground)
            verdicts += await ask_gates(item, wanted.asked, context)
        except BudgetReached as error:
            return Looked(id_, why=str(error), ends="budget")
        except AgentError as error:
            return Looked(id_, why=str(error), ends="endpoint")
        return Looked(id_, verdicts, "" if verdicts else "no such gate for its task")

    def _result(self, job: str, total: int, ended: Looked | None, cancelled: bool) -> dict[str, Any]:
        """The job's JSON."""
        counts: dict[str, Counter[str]] = {}
        left: Counter[str] = Counter()
        results = [result for _, result in jobs.results(self._db, job)]
        for result in results:
            left[result["why"]] += bool(result["why"])
            for gate, outcome in result["found"].items():
                counts.setdefault(gate, Counter())[outcome] += 1
        stopped = ended.ends if ended else "cancelled" if cancelled and len(results) < total else None
        return {
            "looked": len(results),
            "gates": counts,
            "left_out": {why: n for why, n in left.items() if n},
            "calls": self._agents.ledger.calls(job),
            "cost_usd": self._agents.ledger.cost(job),
            "stopped": stopped,
            "message": _sentence(len(results), total, counts, left, stopped, ended.why if ended else ""),
        }


def _store(cursor: Cursor, job: str, found: Sequence[Looked]) -> None:
    insert_verdicts(cursor, [verdict for one in found for verdict in one.verdicts])
    jobs.insert_items(
        cursor,
        job,
        [
            (one.item, "done", {"why": one.why, "found": {verdict.gate: verdict.outcome for verdict in one.verdicts}})
            for one in found
        ],
    )


def _sentence(done: int, total: int, counts: dict[str, Counter[str]], left: Counter[str], stopped: str | None, why: str) -> str:
    """Every item accounted for, in a sentence."""
    words = {"pass": "passed", "flag": "flagged", "refuse": "would be refused", "not run": "not run"}
    each = [
        f"{gate.replace('_', ' ')} {', '.join(f'{n:,} {words[outcome]}' for outcome, n in found.items())}"
        for gate, found in sorted(counts.items())
    ]
    each += [f"{n:,} left out ({reason})" for reason, n in left.items() if n]
    told = f"looked at {done:,} of {total:,} items" + (f": {'; '.join(each)}." if each else ".")
    end = f"Stopped ({stopped}): {why}" if why else f"Stopped ({stopped})." if stopped else ""
    return f"{told} {end}".strip()


def _mark(wanted: GateRequest, ids: Sequence[str]) -> str:
    return content_hash([to_params(wanted), list(ids)])
