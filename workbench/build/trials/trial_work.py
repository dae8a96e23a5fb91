"""Draft items from the pieces of documents (windows) of a prompt trial. Both sides draft from each window at the same time,
each with its own prompt and agent, and neither sees the drafts of the other."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from builders.near_duplicate_index import NearDuplicateIndex, NearDuplicateOverlay
from builders.task import Kit, Window, tasks
from core.agent import Completion, Sampling
from core.as_json import Json
from core.catalog import pick
from core.ids import derived_id
from core.nouns import Prompt
from core.records import item_record
from store.drafting import trials, tried_windows
from store.drafting.trials import SIDES, Side, Trial, TrialPair
from store.engine.database import Database
from store.items import items
from store.jobs import jobs
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.drafting import Drafter, WindowOutcome
from workbench.control import Control, describe_stop
from workbench.setup.agents import Agents, BoundAgent
from workbench.setup.prompts import PromptStage
from workbench.stream import store_as_they_come, work_side_by_side


@dataclass(slots=True)
class MeteredAgent:
    """Wraps an agent to count the calls for one draft, and what they cost. Each call is counted exactly once, even if its reply
    was paid for before."""

    agent: BoundAgent
    calls: dict[str, Completion] = field(default_factory=dict)

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        answer = await self.agent.ask(prompt, inputs, sampling)
        self.calls[answer.call or str(len(self.calls))] = answer
        return answer

    @property
    def price(self) -> float | None:
        """Return the cost in US dollars of the counted calls, or None if a price is unknown."""
        known = [answer.price for answer in self.calls.values() if answer.price is not None]
        return sum(known) if len(known) == len(self.calls) else None


@dataclass(frozen=True, slots=True)
class DraftingSide:
    """One side of a trial: its agent, its prompts, and its index of earlier drafts."""

    side: Side
    agent: BoundAgent
    kit: Kit
    known: NearDuplicateIndex
    words: Mapping[str, str]
    """Dict from prompt name to the hash of the edited prompt that this side uses."""


class TrialWork:
    """Runs the job that drafts for a prompt trial on both of its sides."""

    def __init__(self, database: Database, agents: Agents, corpus: CorpusStage, drafter: Drafter, prompts: PromptStage) -> None:
        self._db, self._agents, self._corpus, self._drafter, self._prompts = database, agents, corpus, drafter, prompts

    async def work(self, job: str, trial: Trial, budget: float | None, pinned: Any, control: Control) -> dict[str, Json]:
        """Draft from windows on both sides until the trial has enough pairs, until no window is left, or until the job ends. If
        one side did not finish a window, the window is tried again; calls that were answered are not paid twice."""
        ended: list[WindowOutcome] = []

        def commit(results: list["TrialPair | WindowOutcome"]) -> None:
            ended.extend(result for result in results if isinstance(result, WindowOutcome))
            self._store(job, trial, [result for result in results if isinstance(result, TrialPair)])
            control.say(f"{len(trials.load_pairs(self._db, trial.id))} of {trial.windows} windows drafted on both sides")
            control.look()

        await store_as_they_come(self._draft_pairs(job, trial, budget, pinned, control), commit)
        pairs, ledger = trials.load_pairs(self._db, trial.id), self._agents.ledger
        stopped = ended[0].state if ended else "cancelled" if control.stopping and len(pairs) < trial.windows else None
        return {
            "job": job,
            "trial": trial.id,
            "asked": trial.windows,
            "windows": len(pairs),
            **ledger.describe_spending(job),
            "stopped": stopped,
            "message": _describe(trial.windows, pairs, ended[0].message if ended else "", stopped),
        }

    async def _draft_pairs(
        self, job: str, trial: Trial, budget: float | None, pinned: Any, control: Control
    ) -> AsyncIterator["TrialPair | WindowOutcome"]:
        task = pick(tasks(), trial.task, "task")
        before = await asyncio.to_thread(trials.load_pairs, self._db, trial.id)
        cap, load = self._agents.budget(budget, job), self._corpus.load_documents
        params = {"task": trial.task, "domain": trial.domain, "seed": trial.seed, "settings": trial.settings}
        bound = [
            self._agents.bind(side["agent"], trial.settings, budget=cap, job=job, documents=load, pinned=pinned)
            for side in trial.sides
        ]
        known = await asyncio.to_thread(lambda: NearDuplicateIndex(items.list_items(self._db)))
        sides = [
            DraftingSide(side, agent, self._drafter.kit(agent, params), NearDuplicateOverlay(known), record["words"])
            for side, agent, record in zip(SIDES, bound, trial.sides, strict=True)
        ]
        context = min((agent.context for agent in bound if agent.context is not None), default=None)
        tried = tried_windows.load_windows(self._db, trial.task)
        every = await asyncio.to_thread(self._drafter.windows, trial.task, task, params, context, tried)
        first = max((pair.number for pair in before), default=0) + 1
        numbers = range(first, first + trial.windows - len(before))
        windows = zip(numbers, (window for window in every if not window.unfit), strict=False)

        async def draft(numbered: tuple[int, Window]) -> "TrialPair | WindowOutcome":
            return await self._draft_pair(trial, *numbered, sides)

        width = max(1, min(agent.width for agent in bound))
        try:
            working = work_side_by_side(windows, draft, width, control, lambda result: isinstance(result, WindowOutcome))
            async with aclosing(working) as results:
                async for result in results:
                    yield result
        finally:
            for agent in bound:
                await agent.close()

    async def _draft_pair(
        self, trial: Trial, number: int, window: Window, sides: Sequence[DraftingSide]
    ) -> "TrialPair | WindowOutcome":
        """Draft from the window on both sides; return the pair of drafts, or the result that ends the job."""
        results = await asyncio.gather(*(asyncio.create_task(self._draft_side(trial, window, side)) for side in sides))
        for outcome, _ in results:
            if outcome.ends:
                return outcome
        drafts = {side.side: draft for side, (_, draft) in zip(sides, results, strict=True)}
        key, left = f"{trial.id}/{window.key}", choose_left_side(trial.seed, window.key)
        return TrialPair(key, number, window.key, window.language, window.spans, drafts, left)

    async def _draft_side(self, trial: Trial, window: Window, side: DraftingSide) -> tuple[WindowOutcome, dict[str, Any]]:
        """Draft from the window on one side; return the result and the record of the draft. Each side runs in a separate
        asyncio task, so that only its own prompts apply there."""
        meter, task = MeteredAgent(side.agent), pick(tasks(), trial.task, "task")
        with self._prompts.in_force(side.words):
            kit = replace(side.kit, ask=meter.ask)
            outcome = await self._drafter.draft(trial.task, task, window, kit, side.known)
        draft: dict[str, Any] = {
            "state": outcome.state,
            "message": outcome.message,
            "gates": outcome.gates,
            "item": None,
            "verdicts": [],
            "price": meter.price,
            "seconds": sum(answer.seconds for answer in meter.calls.values()),
            "calls": len(meter.calls),
        }
        if outcome.drafted and outcome.state in ("drafted", "refused"):
            item, verdicts = min(outcome.drafted, key=lambda drafted: drafted.item.status != "drafted")
            labels = {**item.labels, "trial": trial.id, "trial_side": side.side}
            item = replace(item, id=derived_id("trial", trial.id, side.side, item.id), labels=labels)
            draft["item"] = item_record(item, self._corpus.text)
            draft["verdicts"] = [
                {
                    "gate": verdict.gate,
                    "version": verdict.version,
                    "outcome": verdict.outcome,
                    "why": verdict.why,
                    "details": dict(verdict.details),
                    "calls": list(verdict.calls),
                }
                for verdict in verdicts
            ]
        return outcome, draft

    def _store(self, job: str, trial: Trial, pairs: Sequence[TrialPair]) -> None:
        """Store the pairs, the windows that were tried, and the job's record of each window, in one transaction."""

        def write(cursor: Any) -> None:
            trials.insert_pairs(cursor, trial.id, pairs)
            tried_windows.insert_windows(cursor, trial.task, [pair.window for pair in pairs], job)
            jobs.insert_items(cursor, job, [(pair.window, "done", {"pair": pair.key}) for pair in pairs])

        self._db.write(write)


def choose_left_side(seed: int, window: str) -> Side:
    """Choose at random, with the seed, which side's draft from this window is on the left."""
    return random.Random(f"{seed}:{window}").choice(SIDES)


def _describe(asked: int, pairs: Sequence[TrialPair], why: str, stopped: str | None) -> str:
    """Return a sentence that says from how many windows both sides drafted, and what happened with the others."""
    states = Counter(tuple(pair.drafts[side]["state"] for side in SIDES) for pair in pairs)
    both = states.pop(("drafted", "drafted"), 0)
    words = {"none": "finding nothing worth asking"}
    parts = [f"{n} with A {words.get(a, a)} and B {words.get(b, b)}" for (a, b), n in states.most_common()]
    if len(pairs) < asked and not stopped:
        parts.append("no further window")
    sentence = f"asked {asked} windows, drafted {both} on both sides" + (f": {', '.join(parts)}" if parts else "") + "."
    return f"{sentence} {describe_stop(stopped, why)}".strip()
