"""Draft items from one window (a passage to draft from), and store them with the verdicts of gates. Jobs for many drafts and
jobs for a single draft both use this module."""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from builders.drafting.drafting import draft_window
from builders.drafting.turns import WindowTurn
from builders.drafting.windows import windows, windows_around
from builders.llm_gate import GateJudge
from builders.near_duplicate_index import NearDuplicateIndex
from builders.task import CountDocuments, DocumentFrequencies, DraftWithVerdicts, Kit, Task, Window, tasks
from core.as_json import Json
from core.errors import AgentError, BudgetReached, SearchFailed, Unreadable, WaitsForBatch
from core.nouns import Hit, Item, Span
from core.quality.conversations import read_turn
from core.retrieval.chunks import chunk
from core.retrieval.search import Bm25Index
from core.text.numbered import Sentence
from core.text.text import split_sentences
from store.corpus import documents
from store.drafting import tried_windows
from store.engine.database import Database
from store.items import items
from store.items.verdicts import insert_verdicts
from store.jobs import jobs
from workbench import settings as keys
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.corpus.search import SearchStage
from workbench.build.drafting.llm_gates import choice_from_params, make_look
from workbench.setup.agents import BoundAgent

PASSAGE_TOKENS = 256
ANY_ACCEPTED = "accepted"
"""Value of the setting `first_turn` with which conversations begin with any fitting accepted item."""


@dataclass(frozen=True, slots=True)
class WindowOutcome:
    """The result of drafting from one window (a passage to draft from)."""

    window: str
    state: str
    """One of: drafted; refused (by a gate); none (the agent found no question); unfit (an unsuitable window); unreadable;
    failed; batch (a call waits for its batch file, so that the window is tried again); budget or endpoint (the job ends)."""
    drafted: tuple[DraftWithVerdicts, ...] = ()
    message: str = ""
    ends: bool = False
    """Whether the job must end because of this result."""
    text: str = ""
    """Text of the agent's reply if it could not be read; otherwise ""."""

    @property
    def counts(self) -> bool:
        """Return whether the window gave a draft, or may still give one when its LLM requests are answered in a batch."""
        return self.state in ("drafted", "batch")

    @property
    def is_open(self) -> bool:
        """Return whether the window must be tried again."""
        return self.ends or self.state == "batch"

    @property
    def gates(self) -> list[str]:
        """Return the names of the gates that refused a draft of this window."""
        return sorted({v.gate for d in self.drafted for v in d.verdicts if v.outcome == "refuse"})

    @property
    def record(self) -> dict[str, Json]:
        """Return the result as the JSON that the job stores for this window."""
        items = [drafted.item.id for drafted in self.drafted]
        return {"state": self.state, "gates": self.gates, "message": self.message, "items": items}


class Drafter:
    """Cuts documents into windows, drafts items from a window, and stores the result."""

    def __init__(self, database: Database, corpus: CorpusStage, search: SearchStage) -> None:
        self._db, self._corpus, self._search = database, corpus, search

    def windows(
        self, name: str, task: Task, params: Mapping[str, Any], context: int | None, tried: Collection[str]
    ) -> Iterator[Window]:
        """Yield the windows for the job's task, domain, seed and settings, except those in `tried`. If the setting `places`, a
        list of [document id, start, end], is given, only windows that begin at these places are yielded."""
        own: Mapping[str, Any] = keys.select_own(params["settings"])
        rule = replace(task.window, tokens=own["window_tokens"]) if "window_tokens" in own else task.window
        texts = self._corpus.load_documents(params["domain"], own.get("language"))
        if first := own.get("first_turn"):
            sources = self.list_first_turns(first, params["domain"], own.get("language"))
            return windows_around(texts, name, rule, sources, seed=params["seed"], tried=tried, agent_context=context)
        return windows(
            texts,
            name,
            rule,
            seed=params["seed"],
            tried=tried,
            agent_context=context,
            sources=self._load_sources(task, params["domain"]) if own.get("from_items", True) else (),
            run_on=own.get("run_on", True),
            places=[Span(*place) for place in own.get("places", ())],
        )

    def list_first_turns(self, first: str, domain: str, language: str | None = None) -> list[Item]:
        """Return the accepted items with which a conversation can begin: questions with a short answer and with evidence, which
        are no turn of a conversation. `first` is the id of an item, or "accepted" for all of them."""
        within = None if domain == "all" else domain
        accepted = items.list_items(self._db, status="accepted", domain=within, language=language)
        return [
            item
            for item in accepted
            if first in (ANY_ACCEPTED, item.id)
            and item.answers
            and item.evidence
            and read_turn(item.labels) is None
            and ((task := tasks().get(item.task)) is None or task.answer_prompt == "answer/short")
        ]

    def _load_sources(self, task: Task, domain: str) -> list[Item]:
        """Return the stored items from which drafts of this task start; empty for tasks that start from documents."""
        if task.window.source_task is None:
            return []
        stored = items.list_items(self._db, task=task.window.source_task, domain=None if domain == "all" else domain)
        return [item for item in stored if item.status in ("drafted", "accepted")]

    def kit(self, agent: BoundAgent, params: Mapping[str, Any], judges: Sequence[GateJudge] = ()) -> Kit:
        """Return the functions and settings with which one job drafts. The agents in `judges` answer the questions of LLM gates
        about every draft."""
        own: Mapping[str, Any] = keys.select_own(params["settings"])
        task = tasks()[params["task"]]

        @lru_cache(maxsize=64)
        def index(given: tuple[str, ...]) -> Bm25Index:
            sources = [self._corpus.document(document) for document in given]
            spans = [span for document in sources for span in chunk(document, PASSAGE_TOKENS)]
            return Bm25Index(spans, [self._corpus.text(span) for span in spans], sources[0].language)

        def search(given: tuple[str, ...], query: str, k: int) -> list[Hit]:
            return index(given).search(query, k) if given else []

        searching = self._search.open_search(own, params["seed"])
        choice = choice_from_params(params)
        return Kit(
            agent.ask,
            agent.name,
            search,
            self.cut,
            is_offline=agent.is_offline,
            seed=params["seed"],
            reason=own.get("reason", ""),
            previous=params.get("previous", ""),
            settings=own,
            find_documents=searching.find,
            provider=searching.provider,
            add_documents=searching.keep,
            similarity=searching.similarity,
            count_documents=self._make_name_counter(),
            run_llm_gates=make_look(choice, judges, task, params["seed"], self._corpus),
        )

    def _make_name_counter(self) -> CountDocuments:
        """Return a function that counts the documents in which each of some names occurs; a job counts each name only once."""
        counted: dict[str, int] = {}

        async def count(names: Sequence[str]) -> DocumentFrequencies:
            new = [name for name in names if name not in counted]
            counted.update(await asyncio.to_thread(documents.count_documents_with, self._db, new))
            every = await asyncio.to_thread(documents.count_documents, self._db)
            return DocumentFrequencies(sum(count.documents for count in every), {name: counted[name] for name in names})

        return count

    def cut(self, span: Span) -> tuple[Sentence, ...]:
        """Return the sentences of a span of a document."""
        document, text = self._corpus.document(span.document), self._corpus.text(span)
        return tuple(
            Sentence(Span(span.document, span.start + a, span.start + b), text[a:b], document.title)
            for a, b in split_sentences(text, document.language)
        )

    async def gather(self, task: Task, window: Window, kit: Kit, taken: Collection[str]) -> Window:
        """Search for the further documents that the task needs, and return the window with these documents added. If no
        documents are found, or if the window's key is in `taken`, the window is marked as unfit. Raises SearchFailed if the
        search fails."""
        if task.gather is None or window.unfit:
            return window
        gathered = await task.gather(window, kit)
        return replace(window, unfit="whose group was drafted already") if gathered.key in taken else gathered

    async def draft(
        self, name: str, task: Task, window: Window, kit: Kit, known: NearDuplicateIndex, turn: WindowTurn | None = None
    ) -> WindowOutcome:
        """Draft items from one window; if the agent fails, the returned result says so. `turn` determines which earlier drafts
        the prompt lists."""
        drafts: list[DraftWithVerdicts] = []

        def end(state: str, error: Exception | None = None, *, ends: bool = False, text: str = "") -> WindowOutcome:
            return WindowOutcome(window.key, state, tuple(drafts), str(error or ""), ends, text)

        if window.unfit:
            return WindowOutcome(window.key, "unfit", message=window.unfit)
        try:
            async for drafted in draft_window(name, task, window, kit, known, self._corpus.text, turn):
                drafts.append(drafted)
        except Unreadable as error:
            return end("unreadable", error, text=error.text)
        except SearchFailed as error:
            return end("failed", error)
        except WaitsForBatch as waits:
            return end("batch", waits)
        except BudgetReached as error:
            return end("budget", error, ends=True)
        except AgentError as error:
            return end("endpoint" if error.stops_job else "failed", error, ends=error.stops_job)
        if any(drafted.item.status == "drafted" for drafted in drafts):
            return end("drafted")
        return end("refused" if drafts else "none")

    def store(self, job: str, task: str, outcomes: Sequence[WindowOutcome], more: Mapping[str, Any] | None = None) -> None:
        """Store the drafted items with their verdicts, the windows that were tried, and the job's record of each window (with
        `more` added), in one transaction."""
        drafts = [drafted for outcome in outcomes for drafted in outcome.drafted]
        tried = [o.window for o in outcomes if o.state not in ("failed", "unfit") and not o.ends]

        def write(cursor: Any) -> None:
            items.insert(cursor, [drafted.item for drafted in drafts])
            insert_verdicts(cursor, [verdict for drafted in drafts for verdict in drafted.verdicts])
            tried_windows.insert_windows(cursor, task, tried, job)
            jobs.insert_items(cursor, job, [(o.window, "done", {**o.record, **(more or {})}) for o in outcomes])

        self._db.write(write)
