"""The drafting of a trial: each window goes to both sides at once, each side in its own words and with its own agent, and
neither sees what the other drafted."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from builders.known_items import KnownBeside, KnownItems
from builders.task import Kit, Window, tasks
from core.agent import Completion, Sampling
from core.catalog import pick
from core.ids import derived_id
from core.nouns import Prompt, Verdict
from core.records import item_record
from store.drafting import trials
from store.drafting.trials import SIDES, Side, Trial, TrialPair
from store.engine.database import Database
from store.items import items
from store.jobs import jobs
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.drafting import Drafter, WindowOutcome
from workbench.control import Control
from workbench.setup.agents import Agents, Hired
from workbench.setup.prompts import PromptStage
from workbench.stream import store_as_they_come


@dataclass(slots=True)
class Metered:
    """An agent whose answers to one draft are counted, each call of the ledger once, whenever it was paid."""

    agent: Hired
    calls: dict[str, Completion] = field(default_factory=dict)

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        answer = await self.agent.ask(prompt, inputs, sampling)
        self.calls[answer.call or str(len(self.calls))] = answer
        return answer

    @property
    def price(self) -> float | None:
        """US dollars; None when any is unknown."""
        prices = [answer.price for answer in self.calls.values()]
        known = [price for price in prices if price is not None]
        return sum(known) if len(known) == len(prices) else None


@dataclass(frozen=True, slots=True)
class Hand:
    """One side at work."""

    side: Side
    agent: Hired
    kit: Kit
    known: KnownItems
    words: Mapping[str, str]
    """Prompt name -> hash of the edited words that it is asked in."""


class TrialWork:
    """The body of a trial's job."""

    def __init__(self, database: Database, agents: Agents, corpus: CorpusStage, drafter: Drafter, prompts: PromptStage) -> None:
        self._db, self._agents, self._corpus, self._drafter, self._prompts = database, agents, corpus, drafter, prompts

    async def work(self, job: str, trial: Trial, budget: float | None, saved: Any, control: Control) -> dict[str, Any]:
        """Draft windows on both sides until there are enough pairs, the windows run out, or something ends it. A window that
        was not finished on both sides is done again; answered calls are not paid twice."""
        ended: list[WindowOutcome] = []

        def commit(found: list["TrialPair | WindowOutcome"]) -> None:
            ended.extend(one for one in found if isinstance(one, WindowOutcome))
            made = [one for one in found if isinstance(one, TrialPair)]
            self._store(job, trial, made)
            control.say(f"{len(trials.pairs(self._db, trial.id))} of {trial.windows} windows drafted on both sides")
            control.look()

        await store_as_they_come(self._pairs(job, trial, budget, saved, control), commit)
        made, ledger = trials.pairs(self._db, trial.id), self._agents.ledger
        stopped = ended[0].state if ended else "cancelled" if control.stopping and len(made) < trial.windows else None
        return {
            "job": job,
            "trial": trial.id,
            "asked": trial.windows,
            "windows": len(made),
            "calls": ledger.calls(job),
            "cost_usd": ledger.cost(job),
            "stopped": stopped,
            "message": told(trial.windows, made, ended[0].message if ended else "", stopped),
        }

    async def _pairs(
        self, job: str, trial: Trial, budget: float | None, saved: Any, control: Control
    ) -> AsyncIterator["TrialPair | WindowOutcome"]:
        task = pick(tasks(), trial.task, "task")
        before = await asyncio.to_thread(trials.pairs, self._db, trial.id)
        purse = self._agents.budget(budget, job)
        params = {"task": trial.task, "domain": trial.domain, "seed": trial.seed, "settings": trial.settings}
        hired = [
            self._agents.hire(side["agent"], trial.settings, budget=purse, job=job, documents=self._corpus.every, pinned=saved)
            for side in trial.sides
        ]
        ground = await asyncio.to_thread(lambda: KnownItems(items.list_items(self._db)))
        hands = [
            Hand(side, agent, self._drafter.kit(agent, params), KnownBeside(ground), given["words"])
            for side, agent, given in zip(SIDES, hired, trial.sides, strict=True)
        ]
        contexts = [agent.context for agent in hired if agent.context is not None]
        queue = await asyncio.to_thread(
            self._drafter.windows,
            trial.task,
            task,
            params,
            min(contexts, default=None),
            items.load_tried_windows(self._db, trial.task),
        )
        number, wanted = max((pair.number for pair in before), default=0), trial.windows - len(before)
        pending: set[asyncio.Task[TrialPair | WindowOutcome]] = set()
        width, over = max(1, min(agent.width for agent in hired)), False
        try:
            while True:
                while not over and len(pending) < width and wanted > 0:
                    window = None if control.stopping else next((w for w in queue if not w.unfit), None)
                    if window is None:
                        over = True
                        break
                    number, wanted = number + 1, wanted - 1
                    pending.add(asyncio.create_task(self._pair(trial, number, window, hands)))
                if not pending:
                    return
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for finished in done:
                    over = over or isinstance(finished.result(), WindowOutcome)
                    yield finished.result()
        finally:  # pending holds something only when an error ended it
            for unfinished in pending:
                unfinished.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            for agent in hired:
                await agent.close()

    async def _pair(self, trial: Trial, number: int, window: Window, hands: Sequence[Hand]) -> "TrialPair | WindowOutcome":
        """The window on both sides; the outcome that ends the job, where one does."""
        came = await asyncio.gather(*(asyncio.create_task(self._one(trial, window, hand)) for hand in hands))
        for outcome, _ in came:
            if outcome.ends:
                return outcome
        drafts = {hand.side: draft for hand, (_, draft) in zip(hands, came, strict=True)}
        spans, language = window.spans, window.language
        return TrialPair(f"{trial.id}/{window.key}", number, window.key, language, spans, drafts, first(trial.seed, window.key))

    async def _one(self, trial: Trial, window: Window, hand: Hand) -> tuple[WindowOutcome, dict[str, Any]]:
        """In a task of its own, so that its words are its own."""
        meter, task = Metered(hand.agent), pick(tasks(), trial.task, "task")
        with self._prompts.in_force(hand.words):
            kit = replace(hand.kit, ask=meter.ask)
            outcome = await self._drafter.one(trial.task, task, window, kit, hand.known)
        draft: dict[str, Any] = {
            "state": outcome.state,
            "message": outcome.message,
            "gates": outcome.gates,
            "item": None,
            "verdicts": [],
            "price": meter.price,
            "seconds": sum(a.seconds for a in meter.calls.values()),
            "calls": len(meter.calls),
        }
        kept = sorted(outcome.drafted, key=lambda made: made.item.status != "drafted")
        if kept and outcome.state in ("drafted", "refused"):
            id_ = derived_id("trial", trial.id, hand.side, kept[0].item.id)
            item = replace(kept[0].item, id=id_, labels={**kept[0].item.labels, "trial": trial.id, "trial_side": hand.side})
            draft["item"] = item_record(item, self._corpus.text)
            draft["verdicts"] = [verdict_record(verdict) for verdict in kept[0].verdicts]
        return outcome, draft

    def _store(self, job: str, trial: Trial, made: Sequence[TrialPair]) -> None:
        """Pairs, tried windows and the job's own rows, in one transaction."""

        def write(cursor: Any) -> None:
            trials.insert_pairs(cursor, trial.id, made)
            items.insert_tried(cursor, trial.task, [pair.window for pair in made], job)
            jobs.insert_items(cursor, job, [(pair.window, "done", {"pair": pair.key}) for pair in made])

        self._db.write(write)


def first(seed: int, window: str) -> Side:
    """Which side's draft of that window stands on the left."""
    return random.Random(f"{seed}:{window}").choice(SIDES)


def told(asked: int, made: Sequence[TrialPair], why: str, stopped: str | None) -> str:
    """One sentence in which every window stands once."""
    states = Counter(tuple(pair.drafts[side]["state"] for side in SIDES) for pair in made)
    both = states.pop(("drafted", "drafted"), 0)
    parts = [f"{n} with A {_word(a)} and B {_word(b)}" for (a, b), n in states.most_common()]
    if len(made) < asked and not stopped:
        parts.append("no further window")
    sentence = f"asked {asked} windows, drafted {both} on both sides" + (f": {', '.join(parts)}" if parts else "") + "."
    return f"{sentence} Stopped ({stopped}): {why}" if why else f"{sentence} Stopped ({stopped})." if stopped else sentence


def _word(state: str) -> str:
    return {"none": "finding nothing worth asking"}.get(state, state)


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    """A verdict as it is kept with a draft that is no item yet."""
    return {
        "gate": verdict.gate,
        "version": verdict.version,
        "outcome": verdict.outcome,
        "why": verdict.why,
        "details": dict(verdict.details),
        "calls": list(verdict.calls),
    }
