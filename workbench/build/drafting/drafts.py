"""Draft many items in one job, from one window (passage) after another; each draft is stored with its verdicts as soon as it is
made. If the job was killed, it continues after its last stored window and does not draft from finished windows again."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from agents.kind import full_names
from builders.drafting.turns import WindowTurn
from builders.ingest import domain_name
from builders.near_duplicate_index import NearDuplicateIndex
from builders.task import Window, tasks
from core.agent import can_complete
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError, SearchFailed
from core.ids import Shard
from core.installation import COMMAND
from core.quality.conversations import TASK as CONVERSATION
from core.records import item_record
from core.text.language import UNKNOWN, describe, explain_missing, rows
from eval.settings import read_flag, read_number, read_text, read_whole_number
from prompts.prompt import load
from store.corpus import documents
from store.drafting import tried_windows
from store.engine.database import Database
from store.items import items
from store.jobs import jobs
from workbench import settings as keys
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.corpus.search import SETTINGS as SEARCH_SETTINGS
from workbench.build.corpus.search import SearchStage
from workbench.build.drafting.drafting import ANY_ACCEPTED, Drafter, WindowOutcome
from workbench.build.drafting.llm_gates import SETTINGS as GATE_SETTINGS
from workbench.build.drafting.llm_gates import LlmGateChoice, bind_drafting_agents, choice_to_params, resolve_choice
from workbench.control import Control, describe_stop
from workbench.roles import requires
from workbench.setup.agents import Agents
from workbench.stream import store_as_they_come

FLAGS = ("rag_check", "run_on", "from_items")
KNOWN_SETTINGS = (
    *FLAGS,
    "window_tokens",
    "language",
    "temperature",
    "reason",
    "places",
    "first_turn",
    *SEARCH_SETTINGS,
    *GATE_SETTINGS,
)
MAX_ITEMS = 1_000_000
"""Maximum number of items that one job may draft."""


class DraftStage:
    """Methods that check, plan and run drafting jobs."""

    def __init__(self, database: Database, agents: Agents, corpus: CorpusStage, search: SearchStage) -> None:
        self._db, self._agents, self._corpus, self._search = database, agents, corpus, search
        self.drafter = Drafter(database, corpus, search)

    @requires(
        "draft items",
        lambda arguments: f"{arguments['count']} of {arguments['task']} in {arguments['domain']}",
        notes=["agent", "budget"],
    )
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
        corpus: str | None = None,
        shard: Shard | None = None,
    ) -> str:
        """Return the id of the drafting job for these parameters: an unfinished one, or else a new one. If copies of a
        workspace draft in shards, `corpus` is the hash of that workspace; the id of a finished job with the same parameters is
        then returned too. `shard` is the part of the windows from which the job drafts (None = all). Raises BenchError if the
        job cannot start."""
        params = self.build_params(
            task=task, domain=domain, count=count, agent=agent, seed=seed, budget=budget, settings=settings, corpus=corpus
        )
        states = jobs.UNFINISHED_STATES if corpus is None else (*jobs.UNFINISHED_STATES, "done")
        params |= {} if shard is None else {"shard": list(shard)}
        return jobs.find_or_create(self._db, "draft", params, budget, count, states)

    @requires("draft items", is_logged=False)
    def build_params(
        self,
        *,
        task: str,
        domain: str,
        count: int,
        agent: str,
        seed: int,
        budget: float | None,
        settings: dict[str, Any],
        corpus: str | None = None,
    ) -> dict[str, Json]:
        """Return the parameters of a drafting job, with the current LLM gates and saved agents. Raises BenchError if the job
        cannot start."""
        domain = self.check(task, domain, agent, settings, count, budget)
        gates = self.choose_llm_gates(task, settings)
        return {
            "task": task,
            "domain": domain,
            "count": count,
            "agent": agent,
            "seed": seed,
            "settings": settings,
            **choice_to_params(gates),
            **self._agents.pin([agent, *gates.agents]),
            **({} if corpus is None else {"corpus": corpus}),
        }

    def check(
        self, task: str, domain: str, agent: str, settings: dict[str, Any], count: int = 1, budget: float | None = None
    ) -> str:
        """Return the domain's name in the spelling in which it is stored. Raises BenchError if a drafting job with these
        parameters cannot start."""
        kind = pick(tasks(), task, "task")
        check_settings(settings, f"Drafting {task}")
        own: Mapping[str, Any] = keys.select_own(settings)
        self._search.check(own)
        if not 1 <= count <= MAX_ITEMS:
            raise BenchError(f"--count is {count}: ask for at least one item, and at most {MAX_ITEMS} at a time.")
        domain = domain if domain == "all" else domain_name(domain)
        language = own.get("language")
        counts = documents.count_documents(self._db)
        spoken = {c.language for c in counts if domain in ("all", c.domain) and language in (None, c.language)}
        if not spoken:
            of, option = ("", "") if domain == "all" else (f" of domain {domain!r}", f" --domain {domain}")
            raise BenchError(
                f"No document{of} in this workspace{f' in {language}' if language else ''}: add some on the corpus page, or "
                f"with `{COMMAND} add{option}`."
            )
        if first := read_text(own, "first_turn"):
            self._check_first_turn(task, first, domain, language)
        source = None if kind.window.adds_texts else kind.window.source_task
        if source and not self._has_sources(source, domain, language):
            first, second = (f"{tasks()[name].label['en']} ({name})" for name in (task, source))
            place = "there is none" if domain == "all" else f"domain {domain!r} has none"
            raise BenchError(f"{first} starts from items of {second}, and {place}: draft those first.")
        drafting = self._agents.check(agent, settings, budget)
        if kind.prompt and not can_complete(drafting, load(kind.prompt, "en")):
            others = " or ".join(full_names(lambda agent_kind: agent_kind.has_model))
            raise BenchError(
                f"The agent {agent} has no rules to draft {task}: name one with a language model ({others}), "
                f"or recorded, which has replies for the samples."
            )
        if kind.prompt and not any(can_complete(drafting, load(kind.prompt, spoken_language)) for spoken_language in spoken):
            why = explain_missing(f"The agent {agent} has rules to draft", min(spoken))
            raise BenchError(f"{why} Choose an agent that uses a language model.")
        for judge in self.choose_llm_gates(task, settings).agents:
            self._agents.check(judge, settings, budget, "judge")
        return domain

    def _check_first_turn(self, task: str, first: str, domain: str, language: str | None) -> None:
        """Raise BenchError if the setting first_turn is for another task, or if no accepted item fits it."""
        if task != CONVERSATION:
            raise BenchError(f"The setting first_turn is for the task {CONVERSATION}, not for {task}: leave it out.")
        if not self.drafter.list_first_turns(first, domain, language):
            what = "No item can" if first == ANY_ACCEPTED else f"The item {first!r} cannot"
            of = "" if domain == "all" else f" of domain {domain}"
            raise BenchError(
                f"{what} begin a conversation{of}: it must be accepted, with evidence and a short answer, and no turn of a "
                f"conversation. Accept such an item, or leave first_turn out."
            )

    def choose_llm_gates(self, task: str, settings: Mapping[str, Any]) -> LlmGateChoice:
        """Return the LLM gates that run on every draft of `task` with these settings. Raises BenchError if a gate is
        unknown."""
        return resolve_choice(self._db, pick(tasks(), task, "task"), keys.select_own(settings))

    def _has_sources(self, task: str, domain: str, language: str | None) -> bool:
        return any(
            c.task == task
            and domain in ("all", c.domain)
            and language in (None, c.language)
            and c.status in ("drafted", "accepted")
            for c in items.count_items(self._db)
        )

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Run the drafting job until there are enough drafts, until no window is left, or until the job is stopped."""
        row = jobs.get(self._db, job)
        task, wanted = row.params["task"], row.params["count"]
        ended: list[WindowOutcome] = []
        tally = self._tally(job)

        def commit(outcomes: list[WindowOutcome]) -> None:
            ended.extend(outcome for outcome in outcomes if outcome.is_open)
            finished = [outcome for outcome in outcomes if not outcome.is_open]
            self.drafter.store(job, task, finished)
            tally.update(outcome.state for outcome in finished)
            control.say(f"{task}: {tally['drafted']} of {wanted} drafted from {sum(tally.values())} windows tried")
            control.look()

        await store_as_they_come(self._draft_windows(job, row.params, row.budget, control), commit)
        end = min(ended, key=lambda outcome: not outcome.ends, default=None)
        return self._result(job, row.params, end, control.stopping)

    async def _draft_windows(
        self, job: str, params: dict[str, Any], budget: float | None, control: Control
    ) -> AsyncIterator[WindowOutcome]:
        """Yield the results of the windows in order, so that a job that was killed continues with the same windows. The job
        tries at most twice as many windows as items are wanted, and never drafts from more windows in parallel than may still
        be needed."""
        name, wanted = params["task"], params["count"]
        task = pick(tasks(), name, "task")
        before = self._tally(job)
        drafted, tried = before["drafted"], sum(before.values()) - before["unfit"]
        agent, bound = bind_drafting_agents(self._agents, params, budget=budget, job=job, documents=self._corpus.load_documents)
        known = await asyncio.to_thread(lambda: NearDuplicateIndex(items.list_items(self._db)))
        results = jobs.load_results(self._db, job)
        tried_before = {
            *await asyncio.to_thread(tried_windows.load_windows, self._db, name),
            *(key for key, result in results if result["state"] in ("unfit", "failed")),
        }
        shard = Shard(*params["shard"]) if "shard" in params else None
        done = {key for key, _ in results} if shard else frozenset[str]()
        queue = await asyncio.to_thread(self.drafter.windows, name, task, params, agent.context, tried_before - done)
        if shard is not None:
            queue = _select_windows(queue, shard, wanted, done)
        kit = self.drafter.kit(agent, params, bound.judges)
        pending: dict[asyncio.Task[WindowOutcome], WindowTurn] = {}
        """Dict from the running task of each window to the window's turn, in order; a finished window waits for those before
        it."""
        turns = [*self._past_turns(job, known)]
        at_first = len(known) - before["drafted"]
        is_over, taken, in_batch = False, set(tried_before), 0
        unspoken = set[str]()
        """Ids of the documents that were left out, because the agent has no rules for their language."""
        try:
            while True:
                while (
                    not is_over
                    and len(pending) < agent.width
                    and tried < 2 * wanted
                    and drafted + in_batch + sum(not future.done() or future.result().counts for future in pending) < wanted
                ):
                    if control.stopping or (window := next(queue, None)) is None:
                        is_over = True
                        break
                    try:
                        window = await self.drafter.gather(task, window, kit, taken)
                    except SearchFailed as error:
                        tried += 1
                        yield WindowOutcome(window.key, "failed", message=str(error))
                        continue
                    taken.add(window.key)
                    if task.prompt and not window.unfit and not agent.agent.is_able(load(task.prompt, window.language)):
                        if not unspoken.isdisjoint(span.document for span in window.spans):
                            continue  # each document is reported once
                        unspoken.update(span.document for span in window.spans)
                        window = replace(window, unfit=f"{describe(window.language)}, for which {agent.name} has no rules")
                    if window.unfit:  # costs nothing, so it does not count as an attempt
                        yield await self.drafter.draft(name, task, window, kit, known)
                        continue
                    tried += 1
                    is_late = len(turns) >= agent.width and not agent.is_batched and not shard  # else all are asked at once
                    among = turns[-agent.width].known if is_late else at_first
                    asked = known.list_asked(name, window.spans, among=among)
                    turns.append(turn := WindowTurn(asked, pending.values()))
                    drafting = self.drafter.draft(name, task, window, kit, known, turn)
                    pending[asyncio.create_task(drafting)] = turn
                if not pending:
                    return
                if unfinished := [future for future in pending if not future.done()]:
                    await asyncio.wait(unfinished, return_when=asyncio.FIRST_COMPLETED)
                is_over = is_over or any(future.done() and future.result().ends for future in pending)
                while pending and (first := next(iter(pending))).done():
                    del pending[first]
                    drafted += first.result().state == "drafted"
                    in_batch += first.result().state == "batch"
                    yield first.result()
        finally:  # tasks are left only after an error
            for future in pending:
                future.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            await bound.close()

    def _past_turns(self, job: str, known: NearDuplicateIndex) -> Iterator[WindowTurn]:
        """Yield a WindowTurn for each window that this job tried before it was interrupted; it determines the earlier drafts
        that a prompt lists. The job's drafts are the last items in `known`."""
        states = [
            result["state"] for _, result in jobs.load_results(self._db, job) if result["state"] not in ("unfit", "failed")
        ]
        so_far = len(known) - states.count("drafted")
        for state in states:
            so_far += state == "drafted"
            yield WindowTurn(known=so_far)

    def _tally(self, job: str) -> Counter[str]:
        """Return the number of the job's finished windows in each state."""
        return Counter(result["state"] for _, result in jobs.load_results(self._db, job))

    def _result(self, job: str, params: dict[str, Any], ended: WindowOutcome | None, cancelled: bool) -> dict[str, Json]:
        """Return the result of the job as JSON: its numbers, its cost, a message and its drafted items."""
        results = [result for _, result in jobs.load_results(self._db, job)]
        tally = Counter(result["state"] for result in results)
        refused = Counter(gate for r in results if r["state"] == "refused" for gate in r["gates"])
        stopped = ended.state if ended else "cancelled" if cancelled and tally["drafted"] < params["count"] else None
        made = items.load_items(self._db, [item for result in results for item in result["items"]])
        return {
            "job": job,
            "asked": params["count"],
            "drafted": tally["drafted"],
            "refused": [{"gate": gate, "n": n} for gate, n in sorted(refused.items())],
            **{state: tally[state] for state in ("none", "unreadable", "failed")},
            **self._agents.ledger.describe_spending(job),
            "stopped": stopped,
            "message": describe_shortfall(params["count"], results, ended.message if ended else "", stopped),
            "items": [item_record(item, self._corpus.text) for item in made if item.status != "refused"],
        }


def _select_windows(queue: Iterator[Window], shard: Shard, most: int, done: Collection[str]) -> Iterator[Window]:
    """Yield the windows from which this shard drafts: of the first `most` suitable windows, those on the shard's documents that
    are not in `done`. All windows of a document belong to one shard, because a prompt lists earlier questions about the
    document."""
    for window in islice((window for window in queue if not window.unfit), most):
        if window.key not in done and shard.has_item(window.spans[0].document):
            yield window


def describe_shortfall(asked: int, results: Sequence[Mapping[str, Any]], why: str = "", stopped: str | None = None) -> str:
    """Return sentences that say how many items were requested and drafted, and why some are missing. A window that several
    gates refused is counted once, with the names of all these gates."""
    tally = Counter(result["state"] for result in results)
    refused = Counter(" and ".join(sorted(r["gates"])) for r in results if r["state"] == "refused")
    parts = [f"{n} {gates}" for gates, n in refused.most_common()]
    words = {"unreadable": "unreadable", "failed": "failed", "none": "with nothing worth asking"}
    parts += [f"{tally[state]} {word}" for state, word in words.items() if tally[state]]
    unfit = Counter(r["message"] for r in results if r["state"] == "unfit")
    parts += [f"{n} {'document' if n == 1 else 'documents'} {reason}" for reason, n in unfit.most_common()]
    if tally["drafted"] < asked and not stopped and sum(tally.values()) < 2 * asked:
        parts.append("no further window")
    sentence = f"asked {asked}, drafted {tally['drafted']}" + (f": {', '.join(parts)}" if parts else "") + "."
    failed = next((r["message"] for r in results if r["state"] in ("failed", "unreadable") and r["message"]), "")
    sentences = (sentence, describe_stop(stopped, why), f"First failure: {failed}" if failed else "")
    return " ".join(filter(None, sentences))


def check_settings(settings: dict[str, Any], what: str) -> None:
    """Raise BenchError if a setting of drafting is unknown or its value is invalid."""
    own = keys.select_own(settings)
    keys.check_owners(settings, {"judge": bool(own.get("asks_by"))})
    keys.check_known(own, KNOWN_SETTINGS, what)
    read_whole_number(own, "window_tokens", 1, low=1)
    read_number(own, "temperature", 0.0)
    read_text(own, "reason")
    places = own.get("places")
    if places is not None and not (isinstance(places, list) and places and all(map(_is_place, places))):
        raise BenchError("Give the setting `places` as a list of at least one [document id, start, end], in characters.")
    for name in FLAGS:
        read_flag(own, name, True)
    if own.get("language") not in (None, UNKNOWN, *rows()):
        raise BenchError(f"The setting language is {own['language']!r}: give one of {', '.join(rows())}, {UNKNOWN}.")


def _is_place(place: Any) -> bool:
    if not isinstance(place, list) or len(place) != 3 or not isinstance(place[0], str):
        return False
    return all(type(n) is int for n in place[1:]) and 0 <= place[1] < place[2]
