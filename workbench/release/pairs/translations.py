"""Let an agent translate accepted items with the documents of their evidence. A translation becomes a draft that people review
like any other, and a language pair with its original."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from builders.parallel.translation import (
    PASSAGE_TOKENS,
    TranslatedItem,
    explain_untranslatable,
    translate_document,
    translate_item,
)
from core.agent import Agent, describe_headroom
from core.as_json import Json
from core.errors import AgentError, BenchError, CallNotSent, Unreadable
from core.nouns import Document
from core.quality.language_pairs import LanguagePair
from core.text.language import UNKNOWN, language_name, may_match, read_language
from store.corpus import documents
from store.engine.database import Database
from store.items import items, language_pairs
from store.jobs import jobs
from workbench import settings as keys
from workbench.annotate.desk.background_gates import BackgroundGates
from workbench.annotate.desk.reading import DocumentCache
from workbench.build.drafting.call_estimate import CallSum, Rehearsal, WorkEstimate
from workbench.control import Control, describe_stop, name_stop
from workbench.roles import requires
from workbench.setup.agents import Agents, BoundAgent
from workbench.stream import store_pieces, work_side_by_side

KIND = "translate"
SAMPLED = 8
"""Number of items, and of documents, whose prompts are filled for an estimate."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TranslationRequest:
    """A request to translate accepted items that have no twin in the language."""

    agent: str
    language: str
    """Code of the language to translate into, such as zh."""
    items: tuple[str, ...] = ()
    """Ids of the items; empty means all accepted items in other languages."""
    limit: int | None = None
    """Maximum number of items, or None for all."""
    budget: float | None = None
    """Maximum cost in US dollars, or None without a limit."""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TranslationEstimate(WorkEstimate):
    """The estimate for translating items with the documents of their evidence."""

    items: int
    documents: int
    """Number of documents that are translated, each once."""


class TranslatedPiece(NamedTuple):
    """What came of one item of the job."""

    item: str
    made: TranslatedItem | None = None
    documents: Sequence[Document] = ()
    """The translated documents of the item."""
    why: str = ""
    """Reason why there is no translation; "" if there is one."""
    ends: str = ""
    """Reason why the job must end: batch, budget or endpoint; "" if it can continue."""


class TranslationStage:
    """Methods that translate items."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._db, self._agents = database, agents

    @requires("draft items", lambda arguments: arguments["asked"].agent)
    def plan(self, asked: TranslationRequest) -> str:
        """Return the id of the queued job that translates the requested items without a twin in the language. Raises BenchError
        if the job cannot start."""
        asked, _, ids = self._prepare(asked)
        params = {**asdict(asked), **self._agents.pin([asked.agent])}
        del params["budget"], params["items"]
        return jobs.create(self._db, KIND, params, budget=asked.budget, total=len(ids), pieces=ids)

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job: translate as many items in parallel as the agent allows, each document once, and store each draft when
        it is ready."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        total, done = row.total or 0, sum(piece.state == "done" for piece in jobs.load_pieces(self._db, job))
        results = self._translate(job, row.params, row.budget, control)
        end = await store_pieces(results, lambda result: result.ends, partial(self._store, job), done, total, control)
        return self._result(job, total, end, control.stopping)

    @requires("draft items", is_logged=False)
    def estimate(self, asked: TranslationRequest) -> TranslationEstimate:
        """Estimate what the request costs, with prompts that are filled for a few of the items and documents. Raises BenchError
        if the job cannot start. The function reads documents, which takes time: call it in the background."""
        asked, agent, ids = self._prepare(asked)
        typical = self._agents.ledger.load_typical_calls(agent.name)
        chosen = [item for item in items.load_items(self._db, ids) if not explain_untranslatable(item)]
        names = list(dict.fromkeys(span.document for item in chosen for span in item.evidence))
        few = chosen[:: max(1, len(chosen) // SAMPLED)][:SAMPLED]
        wanted = [
            *names[:: max(1, len(names) // SAMPLED)][:SAMPLED],
            *(span.document for item in few for span in item.evidence),
        ]
        texts = {one.id: one for one in documents.load_documents(self._db, dict.fromkeys(wanted))}
        of_documents, of_items = [], []
        for document in texts.values():
            rehearsal = Rehearsal(agent, typical, unknown_tokens=PASSAGE_TOKENS)
            asyncio.run(translate_document(rehearsal.ask, document, asked.language, agent.name))
            of_documents.append(rehearsal.calls)
        for item in few:
            rehearsal = Rehearsal(agent, typical)
            asyncio.run(translate_item(rehearsal.ask, item, texts, texts, asked.language, agent.name))
            of_items.append(rehearsal.calls[:1])
        sums = [CallSum.mean(of_documents).times(len(names)), CallSum.mean(of_items).times(len(chosen))]
        total = CallSum.total(sums).on_clock([agent])
        notes = [
            f"Prompts filled with {len(texts)} of the documents and {len(few)} of the items.",
            "A translated passage is assumed to be as long as a passage may be, unless the agent has translated here before. "
            "An item that is asked again, at most twice, costs more.",
            *describe_headroom([agent]),
        ]
        return TranslationEstimate(total, total.add_thinking(), notes, len(chosen), len(names))

    def _prepare(self, asked: TranslationRequest) -> tuple[TranslationRequest, Agent, list[str]]:
        """Return (the request with the language's code, its agent, ids of the items to translate). Raises BenchError if the job
        cannot start."""
        asked = replace(asked, language=read_language(asked.language))
        agent = self._check(asked)
        ids = self._list_open(asked)[: asked.limit]
        if not ids:
            raise BenchError(
                f"No accepted item in another language than {language_name(asked.language)} lacks a twin in it: accept items "
                "first, or choose another language."
            )
        return asked, agent, ids

    def _check(self, asked: TranslationRequest) -> Agent:
        """Return the request's agent. Raises BenchError if the job cannot start."""
        agent = self._agents.check(asked.agent, asked.settings, asked.budget)
        if agent.is_offline:
            raise BenchError(
                f"{asked.agent} works by rules and cannot translate: name an LLM, or pair items with pairs import or pairs add."
            )
        if asked.language == UNKNOWN:
            raise BenchError(f"Items cannot be translated into {UNKNOWN}, which is no language: give a code such as zh.")
        keys.check_known(keys.select_own(asked.settings), set(), "Translating")
        if asked.limit is not None and asked.limit < 1:
            raise BenchError(f"{asked.limit} items were asked for: ask for 1 or more.")
        return agent

    def _list_open(self, asked: TranslationRequest) -> list[str]:
        """Return the ids of the requested items that have no twin in the language."""
        accepted = items.list_items(self._db, status="accepted")
        known = {item.id: item for item in accepted if not may_match(item.language, asked.language)}
        if unknown := [name for name in asked.items if name not in known]:
            raise BenchError(
                f"{unknown[0]} is not an accepted item in another language than {language_name(asked.language)}: name "
                "another item."
            )
        pairs = language_pairs.load(self._db)
        named = {name for pair in pairs for name in pair[:2]}
        there = {item.id for item in items.load_items(self._db, named) if item.language == asked.language}
        done = {one for pair in pairs for one, twin in (pair[:2], pair[1::-1]) if twin in there}
        return [name for name in asked.items or known if name not in done]

    async def _translate(
        self, job: str, params: Mapping[str, Any], budget: float | None, control: Control
    ) -> AsyncIterator[TranslatedPiece]:
        """Yield what came of each item, in the order in which they are finished."""
        waiting = [piece.key for piece in jobs.load_pieces(self._db, job) if piece.state != "done"]
        bind = partial(self._agents.bind, params["agent"], params["settings"], job=job, pinned=params.get("saved"))
        agent = await asyncio.to_thread(lambda: bind(budget=self._agents.budget(budget, job)))
        translated: dict[str, asyncio.Task[Document]] = {}
        try:
            translate = partial(self._translate_one, agent=agent, language=params["language"], translated=translated)
            working = work_side_by_side(
                iter(waiting), translate, agent.width, control, lambda result: result.ends not in ("", "batch")
            )
            async with aclosing(working) as results:
                async for result in results:
                    yield result
        finally:
            for task in translated.values():
                task.cancel()
            await agent.close()

    async def _translate_one(
        self, id_: str, agent: BoundAgent, language: str, translated: dict[str, asyncio.Task[Document]]
    ) -> TranslatedPiece:
        item = await asyncio.to_thread(items.get, self._db, id_)
        if fault := explain_untranslatable(item):
            return TranslatedPiece(id_, why=fault)
        wanted = list(dict.fromkeys(span.document for span in item.evidence))
        originals = {one.id: one for one in await asyncio.to_thread(documents.load_documents, self._db, wanted)}
        for name in wanted:
            if name not in translated:
                work = translate_document(agent.ask, originals[name], language, agent.name)
                translated[name] = asyncio.create_task(work)
        try:
            own = {name: await asyncio.shield(translated[name]) for name in wanted}
            made = await translate_item(agent.ask, item, originals, own, language, agent.name)
        except Unreadable:
            return TranslatedPiece(id_, why="unreadable reply")
        except (AgentError, CallNotSent) as error:
            return TranslatedPiece(id_, why=str(error), ends=name_stop(error))
        return TranslatedPiece(id_, made, list(own.values()), made.fault or "")

    def _store(self, job: str, results: list[TranslatedPiece]) -> None:
        look = BackgroundGates(self._db, DocumentCache(self._db))
        rows = []
        for result in results:
            twin = result.made.item if result.made else None
            if twin is not None:
                documents.add(self._db, list(result.documents))
                items.add(self._db, [twin])
                source = LanguagePair(result.item, twin.id, "translated", twin.provenance.agent or "")
                language_pairs.add(self._db, [source])
                look.run_now(twin)
            rows.append(
                (result.item, "failed" if result.why else "done", {"why": result.why, "twin": twin.id if twin else None})
            )
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, rows))

    def _result(self, job: str, total: int, ended: TranslatedPiece | None, cancelled: bool) -> dict[str, Json]:
        """Return the result of the job as JSON: its numbers, its cost and a message."""
        results = [result for _, result in jobs.load_results(self._db, job)]
        refused = Counter(result["why"] for result in results if result["why"])
        drafted = len(results) - refused.total()
        stopped = ended.ends if ended else "cancelled" if cancelled and len(results) < total else None
        message = f"{drafted:,} of {total:,} items are translated; the drafts wait for review."
        if refused:
            message += f" Refused: {', '.join(f'{n:,} {why.rstrip(chr(46))}' for why, n in refused.most_common())}."
        return {
            "asked": total,
            "drafted": drafted,
            "refused": dict(refused),
            **self._agents.ledger.describe_spending(job),
            "stopped": stopped,
            "message": f"{message} {describe_stop(stopped, ended.why if ended else '')}".strip(),
        }
