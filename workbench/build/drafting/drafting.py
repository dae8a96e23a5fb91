"""One window becomes an outcome and its rows: what drafting in bulk and drafting one at a time share."""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from builders.drafting.drafting import draft_window
from builders.drafting.turns import WindowTurn
from builders.drafting.windows import windows
from builders.known_items import KnownItems
from builders.llm_gate import GateJudge
from builders.task import Drafted, Holding, Holds, Kit, Task, Window, nobody_asked, tasks
from core.errors import AgentError, BudgetReached, SearchFailed, Unreadable
from core.nouns import Hit, Item, Span
from core.retrieval.chunks import chunk
from core.retrieval.search import Bm25Index
from core.text.numbered import Sentence
from core.text.text import split_sentences
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.items.verdicts import insert_verdicts
from store.jobs import jobs
from workbench import settings as keys
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.corpus.search import SearchStage
from workbench.build.drafting.asks import asks_of, look
from workbench.setup.agents import Hired

PASSAGE_TOKENS = 256


@dataclass(frozen=True, slots=True)
class WindowOutcome:
    """What one window came to."""

    window: str
    state: str
    """drafted, refused, none (nothing worth asking), unfit (the window itself), unreadable, failed; budget or endpoint end the
    job."""
    drafted: tuple[Drafted, ...] = ()
    message: str = ""
    ends: bool = field(default=False)
    text: str = ""
    """The raw reply of an unreadable one."""

    @property
    def gates(self) -> list[str]:
        """The gates that refused."""
        return sorted({v.gate for d in self.drafted for v in d.verdicts if v.outcome == "refuse"})


class Drafter:
    """Cuts windows, drafts one, stores what it came to."""

    def __init__(self, database: Database, corpus: CorpusStage, search: SearchStage) -> None:
        self._db, self._corpus, self._search = database, corpus, search

    def windows(
        self, name: str, task: Task, params: dict[str, Any], context: int | None, tried: Collection[str]
    ) -> Iterator[Window]:
        """The windows of the job's task, domain, seed and settings, none of those that were tried; only those that begin in the
        setting `places` ([[document, start, end], ...]), where there is one."""
        own: Mapping[str, Any] = keys.own(params["settings"])
        rule = replace(task.window, tokens=own["window_tokens"]) if "window_tokens" in own else task.window
        return windows(
            self._corpus.chosen(params["domain"], own.get("language")),
            name,
            rule,
            seed=params["seed"],
            tried=tried,
            agent_context=context,
            sources=self.sources(task, params["domain"]) if own.get("from_items", True) else (),
            run_on=own.get("run_on", True),
            places=[Span(*place) for place in own.get("places", ())],
        )

    def sources(self, task: Task, domain: str) -> list[Item]:
        """The stored items that drafts of this task may start from."""
        if task.window.source_task is None:
            return []
        found = items.list_items(self._db, task=task.window.source_task, domain=None if domain == "all" else domain)
        return [item for item in found if item.status in ("drafted", "accepted")]

    def kit(self, agent: Hired, params: dict[str, Any], judges: Sequence[GateJudge] = ()) -> Kit:
        """The tools of one job's drafts; `judges` are whom the gates ask that look at every draft."""
        own: Mapping[str, Any] = keys.own(params["settings"])
        asks = asks_of(params)

        @lru_cache(maxsize=64)
        def index(given: tuple[str, ...]) -> Bm25Index:
            found = [self._corpus.document(document) for document in given]
            spans = [span for document in found for span in chunk(document, PASSAGE_TOKENS)]
            return Bm25Index(spans, [self._corpus.text(span) for span in spans], found[0].language)

        def search(given: tuple[str, ...], query: str, k: int) -> list[Hit]:
            return index(given).search(query, k) if given else []

        searching = self._search.opened(own, params["seed"])
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
            find=searching.find,
            provider=searching.provider,
            keep=searching.keep,
            likeness=searching.likeness,
            holds=self.holds(),
            look=look(asks, judges, tasks()[params["task"]], params["seed"], self._corpus.text, self._corpus.document)
            if asks.gates
            else nobody_asked,
        )

    def holds(self) -> Holds:
        """Counts documents by the names in them, each name once."""
        counted: dict[str, int] = {}

        async def count(names: Sequence[str]) -> Holding:
            new = [name for name in names if name not in counted]
            counted.update(await asyncio.to_thread(documents.count_holding, self._db, new))
            every = await asyncio.to_thread(documents.counts, self._db)
            return Holding(sum(count.documents for count in every), {name: counted[name] for name in names})

        return count

    def cut(self, span: Span) -> tuple[Sentence, ...]:
        """The sentences of a span."""
        document, text = self._corpus.document(span.document), self._corpus.text(span)
        return tuple(
            Sentence(Span(span.document, span.start + a, span.start + b), text[a:b], document.title)
            for a, b in split_sentences(text, document.language)
        )

    async def gather(self, task: Task, window: Window, kit: Kit, taken: Collection[str]) -> Window:
        """The window that is drafted of the one that was cut, its group found; unfit where there is none, or where the group
        was drafted before. Raises SearchFailed."""
        if task.gather is None or window.unfit:
            return window
        found = await task.gather(window, kit)
        return replace(window, unfit="whose group was drafted already") if found.key in taken else found

    async def one(
        self, name: str, task: Task, window: Window, kit: Kit, known: KnownItems, turn: WindowTurn | None = None
    ) -> WindowOutcome:
        """Draft one window, in its turn where it has one; what went wrong is an outcome, too."""
        made: list[Drafted] = []
        if window.unfit:
            return WindowOutcome(window.key, "unfit", message=window.unfit)
        try:
            async for drafted in draft_window(name, task, window, kit, known, self._corpus.text, turn):
                made.append(drafted)
        except Unreadable as error:
            return WindowOutcome(window.key, "unreadable", tuple(made), str(error), text=error.text)
        except SearchFailed as error:
            return WindowOutcome(window.key, "failed", tuple(made), str(error))
        except BudgetReached as error:
            return WindowOutcome(window.key, "budget", tuple(made), str(error), ends=True)
        except AgentError as error:
            return WindowOutcome(
                window.key, "endpoint" if error.stops_job else "failed", tuple(made), str(error), ends=error.stops_job
            )
        if any(d.item.status == "drafted" for d in made):
            return WindowOutcome(window.key, "drafted", tuple(made))
        return WindowOutcome(window.key, "refused" if made else "none", tuple(made))

    def store(
        self, job: str, task: str, outcomes: Sequence[WindowOutcome], more: Sequence[dict[str, Any]] | None = None
    ) -> None:
        """Items, verdicts, tried windows and the job's own rows with what `more` says of each, in one transaction."""
        told = more or [{}] * len(outcomes)

        def write(cursor: Any) -> None:
            items.insert(cursor, [d.item for o in outcomes for d in o.drafted])
            insert_verdicts(cursor, [v for o in outcomes for d in o.drafted for v in d.verdicts])
            items.insert_tried(
                cursor, task, [o.window for o in outcomes if o.state not in ("failed", "unfit") and not o.ends], job
            )
            jobs.insert_items(
                cursor,
                job,
                [
                    (
                        o.window,
                        "done",
                        {"state": o.state, "gates": o.gates, "message": o.message, "items": [d.item.id for d in o.drafted]}
                        | one,
                    )
                    for o, one in zip(outcomes, told, strict=True)
                ],
            )

        self._db.write(write)
