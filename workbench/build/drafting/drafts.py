"""Drafting: windows go in, drafts come out, each stored with its verdicts the moment it is made. A job that was killed goes on
where it was; the windows it had finished are not asked again."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from agents.kind import full_names
from builders.drafting.turns import WindowTurn
from builders.ingest import domain_name
from builders.known_items import KnownItems
from builders.task import tasks
from core.agent import is_able
from core.catalog import pick
from core.errors import BenchError, SearchFailed
from core.nouns import LANGUAGES
from core.records import item_record
from eval.running.settings import read_flag, read_number, read_text, read_whole_number
from prompts.prompt import load
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.jobs import jobs
from workbench import settings as keys
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.corpus.search import SETTINGS, SearchStage
from workbench.build.drafting.asks import SETTINGS as ASKS
from workbench.build.drafting.asks import Asks, Drafting, asks_of, hire, params_of, resolved
from workbench.build.drafting.drafting import Drafter, WindowOutcome
from workbench.control import Control
from workbench.roles import act
from workbench.setup.agents import Agents
from workbench.stream import store_as_they_come

KNOWN_SETTINGS = (
    "rag_check",
    "run_on",
    "window_tokens",
    "language",
    "temperature",
    "reason",
    "from_items",
    "places",
    *SETTINGS,
    *ASKS,
)
MOST = 1_000_000
"""Items that one job may be asked for."""


class DraftStage:
    """Verbs on drafts."""

    def __init__(self, database: Database, agents: Agents, corpus: CorpusStage, search: SearchStage) -> None:
        self._db, self._agents, self._corpus, self._search = database, agents, corpus, search
        self.drafter = Drafter(database, corpus, search)

    @act("draft items", lambda given: f"{given['count']} of {given['task']} in {given['domain']}", notes=["agent", "budget"])
    def plan(
        self,
        *,
        task: str,
        domain: str,
        count: int,
        agent: str,
        seed: int,
        budget: float | None,
        settings: dict[str, Any],
    ) -> str:
        """The id of the job for that command: the unfinished one when there is one, else a new one. Raises BenchError when it
        cannot begin."""
        domain = self.check(task=task, domain=domain, count=count, agent=agent, budget=budget, settings=settings)
        asks = self.asks(task, settings)
        params = {
            "task": task,
            "domain": domain,
            "count": count,
            "agent": agent,
            "seed": seed,
            "settings": settings,
            **params_of(asks),
            **self._agents.pinned([agent, *asks.agents]),
        }
        return jobs.find_or_create(self._db, "draft", params, budget=budget, total=count)

    def check(self, *, task: str, domain: str, count: int, agent: str, budget: float | None, settings: dict[str, Any]) -> str:
        """The domain as it is stored. Raises BenchError when such a job cannot begin."""
        kind = pick(tasks(), task, "task")
        check_settings(settings, f"Drafting {task}")
        self._search.check(keys.own(settings))
        if not 1 <= count <= MOST:
            raise BenchError(f"--count is {count}: ask for at least one item, and at most {MOST} at a time.")
        domain = domain if domain == "all" else domain_name(domain)
        own: Mapping[str, Any] = keys.own(settings)
        language = own.get("language")
        if not any(domain in ("all", c.domain) and language in (None, c.language) for c in documents.counts(self._db)):
            raise BenchError(
                f"No document of domain {domain!r} in this workspace{f' in {language}' if language else ''}: add some on the "
                f"corpus page, or with `cli.py add --domain {domain}`."
            )
        source = None if kind.window.texts_too else kind.window.source_task
        if source and not self._has_sources(source, domain, language):
            raise BenchError(f"{task} starts from stored items of {source}, and domain {domain!r} has none: draft those first.")
        made = self._agents.check(agent, settings, budget)
        if kind.prompt and not is_able(made, load(kind.prompt, "en")):
            others = " or ".join(full_names(lambda one: one.has_model))
            raise BenchError(
                f"The agent {agent} has no rules to draft {task}: name one with a language model ({others}), "
                f"or recorded, which has some for the samples."
            )
        for judge in self.asks(task, settings).agents:
            self._agents.check(judge, settings, budget, "judge")
        return domain

    def asks(self, task: str, settings: Mapping[str, Any]) -> Asks:
        """The gates that would ask an agent about every draft of that task. Raises BenchError on one there is not."""
        return resolved(self._db, pick(tasks(), task, "task"), keys.own(settings))

    def _has_sources(self, task: str, domain: str, language: str | None) -> bool:
        return any(
            c.task == task
            and domain in ("all", c.domain)
            and language in (None, c.language)
            and c.status in ("drafted", "accepted")
            for c in items.counts(self._db)
        )

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        """Draft until enough is drafted, the windows run out, or something ends it."""
        row = jobs.get(self._db, job)
        ended: list[WindowOutcome] = []
        tally = self._tally(job)

        def commit(outcomes: list[WindowOutcome]) -> None:
            ended.extend(o for o in outcomes if o.ends)
            self.drafter.store(job, row.params["task"], [o for o in outcomes if not o.ends])
            tally.update(o.state for o in outcomes if not o.ends)
            control.say(
                f"{row.params['task']}: {tally['drafted']} of {row.params['count']} drafted from {sum(tally.values())} tried"
            )
            control.look()

        await store_as_they_come(self._outcomes(job, row.params, row.budget, control), commit)
        return self._result(job, row.params, ended[0] if ended else None, control.stopping)

    async def _outcomes(
        self, job: str, params: dict[str, Any], budget: float | None, control: Control
    ) -> AsyncIterator[WindowOutcome]:
        """One outcome a window, in the windows' order, so that a job that was killed goes on from a beginning of what it would
        have made; at most twice as many windows as items are wanted, and never more in flight than could still be needed."""
        task, wanted = pick(tasks(), params["task"], "task"), params["count"]
        before = self._tally(job)
        drafted, tried = before["drafted"], sum(before.values()) - before["unfit"]
        cap, saved = self._agents.budget(budget, job), params.get("saved")
        agent = self._agents.hire(
            params["agent"], params["settings"], budget=cap, job=job, documents=self._corpus.every, pinned=saved
        )
        panel = hire(
            self._agents,
            asks_of(params),
            params["settings"],
            budget=cap,
            job=job,
            pinned=saved,
            drafting=Drafting(params["agent"], agent),
        )
        known = await asyncio.to_thread(lambda: KnownItems(items.list_items(self._db)))
        tried_before = {
            *await asyncio.to_thread(items.load_tried_windows, self._db, params["task"]),
            *(key for key, result in jobs.results(self._db, job) if result["state"] in ("unfit", "failed")),
        }
        queue = await asyncio.to_thread(self.drafter.windows, params["task"], task, params, agent.context, tried_before)
        kit = self.drafter.kit(agent, params, panel.judges)
        pending: dict[asyncio.Task[WindowOutcome], WindowTurn] = {}
        """In the windows' order; one that is done waits for those before it."""
        turns = [*self._turns(job, known)]
        at_first = len(known) - before["drafted"]
        over, taken = False, set(tried_before)
        try:
            while True:
                while (
                    not over
                    and len(pending) < agent.width
                    and tried < 2 * wanted
                    and drafted + sum(not one.done() or one.result().state == "drafted" for one in pending) < wanted
                ):
                    if control.stopping or (window := next(queue, None)) is None:
                        over = True
                        break
                    try:
                        window = await self.drafter.gather(task, window, kit, taken)
                    except SearchFailed as error:
                        tried += 1
                        yield WindowOutcome(window.key, "failed", message=str(error))
                        continue
                    taken.add(window.key)
                    if window.unfit:  # costs nothing, so no try is lost on it
                        yield await self.drafter.one(params["task"], task, window, kit, known)
                        continue
                    tried += 1
                    among = turns[-agent.width].known if len(turns) >= agent.width else at_first
                    asked = known.list_asked(params["task"], window.spans, among=among)
                    turns.append(turn := WindowTurn(asked, pending.values()))
                    drafting = self.drafter.one(params["task"], task, window, kit, known, turn)
                    pending[asyncio.create_task(drafting)] = turn
                if not pending:
                    return
                if left := [one for one in pending if not one.done()]:
                    await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
                over = over or any(one.done() and one.result().ends for one in pending)
                while pending and (first := next(iter(pending))).done():
                    del pending[first]
                    drafted += first.result().state == "drafted"
                    yield first.result()
        finally:  # pending holds something only when an error ended it
            for unfinished in pending:
                unfinished.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            await panel.close()
            await agent.close()

    def _turns(self, job: str, known: KnownItems) -> Iterator[WindowTurn]:
        """The turns of the windows that the job drafted before it was broken off; the job's drafts are the last items known."""
        results = [found["state"] for _, found in jobs.results(self._db, job) if found["state"] not in ("unfit", "failed")]
        so_far = len(known) - results.count("drafted")
        for state in results:
            so_far += state == "drafted"
            yield WindowTurn(known=so_far)

    def _tally(self, job: str) -> Counter[str]:
        """How many windows of the job came to what."""
        return Counter(result["state"] for _, result in jobs.results(self._db, job))

    def _result(self, job: str, params: dict[str, Any], ended: WindowOutcome | None, cancelled: bool) -> dict[str, Any]:
        """The verb's JSON."""
        results = [result for _, result in jobs.results(self._db, job)]
        tally = Counter(result["state"] for result in results)
        refused = Counter(gate for r in results if r["state"] == "refused" for gate in r["gates"])
        ledger = self._agents.ledger
        stopped = ended.state if ended else "cancelled" if cancelled and tally["drafted"] < params["count"] else None
        ids = [i for result in results for i in result["items"]]
        found = [item for item in items.load_items(self._db, ids) if item.status != "refused"]
        return {
            "job": job,
            "asked": params["count"],
            "drafted": tally["drafted"],
            "refused": [{"gate": gate, "n": n} for gate, n in sorted(refused.items())],
            "none": tally["none"],
            "unreadable": tally["unreadable"],
            "failed": tally["failed"],
            "calls": ledger.calls(job),
            "cost_usd": ledger.cost(job),
            "stopped": stopped,
            "message": shortfall(params["count"], results, ended.message if ended else "", stopped),
            "items": [item_record(item, self._corpus.text) for item in found],
        }


def shortfall(asked: int, results: Sequence[Mapping[str, Any]], why: str = "", stopped: str | None = None) -> str:
    """One sentence: what was asked, what came of it, and why it is less. Its figures are windows, each counted once: one that
    several gates refused stands under all their names together."""
    tally = Counter(result["state"] for result in results)
    refused = Counter(" and ".join(sorted(r["gates"])) for r in results if r["state"] == "refused")
    parts = [f"{n} {gates}" for gates, n in refused.most_common()]
    parts += [
        f"{tally[k]} {word}"
        for k, word in (("unreadable", "unreadable"), ("failed", "failed"), ("none", "with nothing worth asking"))
        if tally[k]
    ]
    unfit = Counter(r["message"] for r in results if r["state"] == "unfit")
    parts += [f"{n} {'document' if n == 1 else 'documents'} {what}" for what, n in unfit.most_common()]
    if tally["drafted"] < asked and not stopped and sum(tally.values()) < 2 * asked:
        parts.append("no further window")
    sentence = f"asked {asked}, drafted {tally['drafted']}" + (f": {', '.join(parts)}" if parts else "") + "."
    failed = next((r["message"] for r in results if r["state"] in ("failed", "unreadable") and r["message"]), "")
    return " ".join(
        part
        for part in (
            sentence,
            f"Stopped ({stopped}): {why}" if why else f"Stopped ({stopped})." if stopped else "",
            f"First failure: {failed}" if failed else "",
        )
        if part
    )


def check_settings(settings: dict[str, Any], what: str) -> None:
    """Raises BenchError on a setting of drafting that is unknown or does not fit."""
    own = keys.own(settings)
    keys.check_owners(settings, {"judge": bool(own.get("asks_by"))})
    keys.only(own, KNOWN_SETTINGS, what)
    read_whole_number(own, "window_tokens", 1, least=1)
    read_number(own, "temperature", 0.0)
    read_text(own, "reason")
    places = own.get("places")
    if places is not None and not (isinstance(places, list) and places and all(map(_is_place, places))):
        raise BenchError("The setting places is a list of [document id, first character, end], at least one.")
    for name in ("rag_check", "run_on", "from_items"):
        read_flag(own, name, True)
    if own.get("language") not in (None, *LANGUAGES):
        raise BenchError(f"The setting language is {own['language']!r}: give {' or '.join(LANGUAGES)}.")


def _is_place(place: Any) -> bool:
    return (
        isinstance(place, list)
        and len(place) == 3
        and isinstance(place[0], str)
        and all(type(n) is int for n in place[1:])
        and 0 <= place[1] < place[2]
    )
