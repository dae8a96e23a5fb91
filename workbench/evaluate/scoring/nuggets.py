"""Let people view, draft and change nugget sets: short facts that a good answer to an item's question must contain (vital) or
may contain (okay). An agent drafts the nuggets from question, gold answer and evidence, in a job or while a run is scored.
People change the draft. The next time that answers are scored with the metric nuggets, the changed set is used."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from builders.task import tasks
from core.agent import Agent, describe_headroom
from core.as_json import Json
from core.catalog import pick
from core.errors import AgentError, BenchError, CallNotSent
from core.nouns import IMPORTANCES, Item, Span
from core.text.numbered import Sentence
from eval.scoring.nuggets import DRAFT, MAX_NUGGETS, cut_evidence, draft_nuggets
from prompts.prompt import load
from store.corpus import documents
from store.engine.database import Cursor, Database
from store.formats._outside import LEVELS
from store.items import items
from store.jobs import jobs
from store.runs import nugget_sets
from store.runs.gold_sets import gold_key
from store.runs.nugget_sets import (
    PAGE_SIZE,
    STATES,
    TABLE,
    Nugget,
    NuggetFilter,
    NuggetRow,
    NuggetSet,
    NuggetState,
)
from workbench import settings as keys
from workbench.build.drafting.call_estimate import UNKNOWN_REPLY_TOKENS, CallSum, Rehearsal, WorkEstimate
from workbench.control import Control, describe_stop, name_stop
from workbench.evaluate.scoring.gold_nuggets import METRIC, place_nuggets
from workbench.evaluate.scoring.gold_sets import check_author, find_following, store_version
from workbench.evaluate.scoring.nugget_rows import NuggetFields, encode_rows, merge_rows, read_nuggets
from workbench.roles import requires
from workbench.setup.agents import Agents, BoundAgent
from workbench.stream import store_pieces, work_side_by_side

__all__ = [
    "IMPORTANCES",
    "LONG_ANSWER_TASKS",
    "MAX_NUGGETS",
    "METRIC",
    "PAGE_SIZE",
    "STATES",
    "DraftRequest",
    "Nugget",
    "NuggetCard",
    "NuggetFields",
    "NuggetFilter",
    "NuggetRow",
    "NuggetSet",
    "NuggetStage",
    "NuggetState",
    "NuggetsEstimate",
    "encode_rows",
    "merge_rows",
]

KIND = "nuggets"
SAMPLED_ITEMS = 5
"""Number of items whose prompts are filled in to make an estimate."""
LONG_ANSWER_TASKS = ("summary", "implicit_rationale", "explicit_rationale")
"""Names of the tasks whose gold answers are so long that they have several nuggets; items of other tasks may have nuggets
too."""


class NuggetCard(NamedTuple):
    """An item with the nugget sets for its gold answer."""

    item: Item
    sentences: Sequence[Sentence]
    """Sentences of the item's evidence, in order, followed by further passages that a nugget of any version cites. A nugget
    cites these sentences by number, from 1."""
    versions: Sequence[NuggetSet]
    """All versions of the nugget set, oldest first; empty if the item has none."""

    @property
    def current(self) -> NuggetSet | None:
        """Return the newest version of the nugget set, or None if the item has none."""
        return self.versions[-1] if self.versions else None


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftRequest:
    """A request to draft a nugget set for each accepted item that has none."""

    agent: str
    only: NuggetFilter = field(default_factory=NuggetFilter)
    """Filter that selects the items; the state in this filter is ignored."""
    items: tuple[str, ...] = ()
    """Ids of the items; empty means all items that the filter selects."""
    limit: int | None = None
    """Maximum number of items, or None for all."""
    budget: float | None = None
    """Maximum cost in US dollars, or None without a limit."""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NuggetsEstimate(WorkEstimate):
    """The estimate for drafting nuggets with one LLM call per item, whose reply comes at once."""

    items: int
    """Number of items whose nuggets are drafted."""


class DraftedSet(NamedTuple):
    """What came of drafting the nuggets of one item."""

    item: str
    set: NuggetSet | None = None
    why: str = ""
    """Reason why no nugget set was made; "" if one was."""
    ends: str = ""
    """Reason why the job must end: batch, budget or endpoint; "" if it can continue."""


class NuggetStage:
    """Methods with which people list, view, draft and change nugget sets."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._db, self._agents = database, agents

    def page(self, only: NuggetFilter = NuggetFilter(), number: int = 1) -> tuple[list[NuggetRow], int]:
        """Return (page `number` of the accepted items that the filter selects, number of all these items), each item with its
        nugget set."""
        return nugget_sets.load_page(self._db, only, number)

    def count_states(self, only: NuggetFilter = NuggetFilter()) -> dict[str, int]:
        """Return a dict from "none", "drafted" and "written" to the number of accepted items whose nugget set is in this state.
        The state that the filter itself selects is ignored."""
        return nugget_sets.count_states(self._db, only)

    def find_next(self, item: str, only: NuggetFilter) -> str | None:
        """Return the id of the next item after `item` that the filter selects; after the last item, return the first. Return
        None if there is no other item."""
        wanted = set(nugget_sets.list_items(self._db, only))
        return find_following(item, nugget_sets.list_items(self._db, only._replace(state="all")), wanted)

    def card(self, item: str) -> NuggetCard:
        """Return the item with all versions of its nugget set. Raises BenchError if the item does not exist or has no gold
        answer."""
        found = items.get(self._db, item)
        answer = _get_gold(found)
        versions = TABLE.load_versions(self._db, item, gold_key(answer, found.language))
        cited = [span for one in versions for nugget in one.nuggets for span in nugget.evidence]
        return NuggetCard(found, self._load_sentences(found, cited), versions)

    @requires("edit nuggets", "item")
    def save(self, item: str, rows: Sequence[Mapping[str, Any]], *, seen: int, by: str) -> NuggetSet:
        """Store the rows, each {"text", "importance", "evidence": [[document, start, end]]}, as the next version of the item's
        nugget set; return the version that is then current.

        `seen` is the number of the version that the person edited, or 0 if there was none. Rows without text are left out; an
        empty importance stands for vital. If the rows equal the current version and a person wrote that version, no new version
        is stored. If the rows equal an agent's version, a new version is stored, because the person has confirmed it. Raises
        BenchError and stores nothing if the person's name is empty, if no row has text, if a row is invalid, or if another
        person changed the set in the meantime."""
        author = check_author(by, "nugget set")
        found = items.get(self._db, item)
        answer = _get_gold(found)
        nuggets = read_nuggets(rows)
        if not nuggets:
            raise BenchError(
                f"No nugget was given for {item}: write one or more, because a set without nuggets scores no answer."
            )
        self._check_evidence(nuggets)
        versions = TABLE.load_versions(self._db, item, gold_key(answer, found.language))
        current = versions[-1] if versions else None
        if current and current.is_written and nuggets == current.nuggets and seen == current.number:
            return current
        return store_version(self._db, TABLE, NuggetSet(item, answer, found.language, nuggets, author), seen)

    @requires("draft nuggets", lambda arguments: arguments["asked"].agent)
    def plan(self, asked: DraftRequest) -> str:
        """Return the id of the queued job that drafts nuggets for those requested items that have no set that the agent could
        use. Raises BenchError if the job cannot start."""
        _, ids = self._check(asked)
        params = {**asdict(asked), "only": asked.only._asdict(), **self._agents.pin([asked.agent])}
        del params["budget"], params["items"]
        return jobs.create(self._db, KIND, params, budget=asked.budget, total=len(ids), pieces=ids)

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job: draft nuggets for as many items in parallel as the agent allows, and store each set when it is ready."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        total, done = row.total or 0, sum(piece.state == "done" for piece in jobs.load_pieces(self._db, job))

        def store(results: list[DraftedSet]) -> None:
            self._db.write(partial(_store_drafts, job=job, results=results))

        results = self._draft_sets(job, row.params, row.budget, control)
        end = await store_pieces(results, lambda result: result.ends, store, done, total, control)
        return self._result(job, total, end, control.stopping)

    @requires("draft nuggets", is_logged=False)
    def estimate(self, asked: DraftRequest) -> NuggetsEstimate:
        """Estimate what the request costs, with prompts that are filled in for a few of the items. Raises BenchError if the job
        cannot start. The function reads evidence, which takes time: call it in the background."""
        agent, ids = self._check(asked)
        typical = self._agents.ledger.load_typical_calls(agent.name)
        samples = []
        for item in items.load_items(self._db, ids[:: max(1, len(ids) // SAMPLED_ITEMS)][:SAMPLED_ITEMS]):
            rehearsal = Rehearsal(agent, typical)
            sentences = self._load_sentences(item)
            asyncio.run(draft_nuggets(rehearsal.ask, item.question, item.answers[0], item.language, sentences))
            samples.append(rehearsal.calls)
        total = CallSum.mean(samples).times(len(ids)).on_clock([agent])
        replies = f"Length and time of replies are those of earlier answers of {agent.name}."
        if not typical:
            replies = f"{agent.name} has not answered here yet: a reply is assumed to have {UNKNOWN_REPLY_TOKENS} tokens."
        notes = [f"Prompts filled with {len(samples)} of the items.", replies, *describe_headroom([agent])]
        return NuggetsEstimate(total, total.add_thinking(), notes, len(ids))

    def _check(self, asked: DraftRequest) -> tuple[Agent, list[str]]:
        """Return (the agent, the ids of the items whose nuggets it will draft). Raises BenchError if the job cannot start."""
        agent = self._agents.check(asked.agent, asked.settings, asked.budget)
        for task in asked.only.tasks:
            pick(tasks(), task, "task")
        if asked.only.level is not None:
            pick({str(level): level for level in LEVELS if level}, str(asked.only.level), "level")
        keys.check_known(keys.select_own(asked.settings), set(), "Drafting nuggets")
        if asked.limit is not None and asked.limit < 1:
            raise BenchError(f"{asked.limit} items were asked for: ask for 1 or more.")
        ids = self._list_open(asked, agent.is_offline)[: asked.limit]
        if not ids:
            if not nugget_sets.list_items(self._db, asked.only._replace(state="all")):
                raise BenchError("No accepted item of that kind has a gold answer: choose another task or level.")
            raise BenchError("All accepted items of this task and level have nuggets already: choose another task or level.")
        return agent, ids

    def _list_open(self, asked: DraftRequest, is_offline: bool) -> list[str]:
        """Return the ids of those requested items that have no nugget set that the agent could use."""
        ids = nugget_sets.list_items(self._db, asked.only._replace(state="all"))
        if asked.items:
            if unknown := [id_ for id_ in asked.items if id_ not in set(ids)]:
                raise BenchError(f"{unknown[0]} is no accepted item of that kind with a gold answer: name another item.")
            ids = list(dict.fromkeys(asked.items))
        there = TABLE.load_counting_sets(self._db, ids, is_offline)
        golds = {item.id: gold_key(item.answers[0], item.language) for item in items.load_items(self._db, ids)}
        return [id_ for id_ in ids if (id_, golds[id_]) not in there]

    async def _draft_sets(
        self, job: str, params: Mapping[str, Any], budget: float | None, control: Control
    ) -> AsyncIterator[DraftedSet]:
        """Yield the drafted nugget sets in the order in which they are finished."""
        waiting = [piece.key for piece in jobs.load_pieces(self._db, job) if piece.state != "done"]
        bind = partial(self._agents.bind, params["agent"], params["settings"], job=job, pinned=params.get("saved"))
        agent = await asyncio.to_thread(lambda: bind(budget=self._agents.budget(budget, job)))
        try:
            draft = partial(self._draft_set, agent=agent)
            working = work_side_by_side(
                iter(waiting), draft, agent.width, control, lambda result: result.ends not in ("", "batch")
            )
            async with aclosing(working) as results:
                async for result in results:
                    yield result
        finally:
            await agent.close()

    async def _draft_set(self, id_: str, agent: BoundAgent) -> DraftedSet:
        """Draft the nuggets of the current revision of the item with this id."""
        item = await asyncio.to_thread(items.get, self._db, id_)
        if not item.answers or not item.answers[0].strip():
            return DraftedSet(id_, why="it has no gold answer")
        sentences = await asyncio.to_thread(self._load_sentences, item)
        try:
            draft = await draft_nuggets(agent.ask, item.question, item.answers[0], item.language, sentences)
        except (AgentError, CallNotSent) as error:
            return DraftedSet(id_, why=str(error), ends=name_stop(error))
        if draft.nuggets is None:
            return DraftedSet(id_, why="the reply is unreadable")
        nuggets, prompts = place_nuggets(draft.nuggets, sentences), (load(DRAFT, item.language).identity,)
        made = NuggetSet(id_, item.answers[0], item.language, nuggets, agent.name, prompts, agent.is_offline)
        return DraftedSet(id_, made)

    def _load_sentences(self, item: Item, cited: Sequence[Span] = ()) -> list[Sentence]:
        """Return the sentences of the item's evidence, followed by the cited passages that are not among them, each once. A
        passage of a document that is not stored has no text."""
        wanted = list(dict.fromkeys(span.document for span in (*item.evidence, *cited)))
        known = {document.id: document for document in documents.load_documents(self._db, wanted)}

        def cut(span: Span) -> str:
            return known[span.document].text[span.start : span.end] if span.document in known else ""

        sentences = {sentence.span: sentence for sentence in cut_evidence(item.evidence, cut, item.language)}
        for span in cited:
            sentences.setdefault(span, Sentence(span, cut(span)))
        titles = {id_: document.title for id_, document in known.items()}
        return [replace(one, title=titles.get(span.document, span.document)) for span, one in sentences.items()]

    def _check_evidence(self, nuggets: Sequence[Nugget]) -> None:
        """Raise BenchError if a nugget cites a passage that is in no stored document."""
        cited = [(place, span) for place, nugget in enumerate(nuggets, 1) for span in nugget.evidence]
        wanted = list(dict.fromkeys(span.document for _, span in cited))
        sizes = {document.id: len(document.text) for document in documents.load_documents(self._db, wanted)}
        for place, span in cited:
            if span.document not in sizes:
                raise BenchError(
                    f"Nugget {place} cites the document {span.document}, which is not in this workspace: name another one."
                )
            if not 0 <= span.start < span.end <= sizes[span.document]:
                raise BenchError(
                    f"Nugget {place} cites characters {span.start} to {span.end} of {span.document}, which has "
                    f"{sizes[span.document]:,} characters: give a place within the text."
                )

    def _result(self, job: str, total: int, ended: DraftedSet | None, cancelled: bool) -> dict[str, Json]:
        """Return the result of the job as JSON: its numbers, its cost and a message."""
        results = [result for _, result in jobs.load_results(self._db, job)]
        failed = Counter(result["why"] for result in results if result["why"])
        drafted = len(results) - failed.total()
        stopped = ended.ends if ended else "cancelled" if cancelled and len(results) < total else None
        nuggets = sum(result["nuggets"] for result in results)
        message = f"{drafted:,} of {total:,} items have drafted nuggets, {nuggets:,} in all."
        if failed:
            reasons = [f"{n:,} ({why.rstrip('.')})" for why, n in failed.most_common(3)]
            message += f" Failed: {'; '.join(reasons)}."
        return {
            "asked": total,
            "drafted": drafted,
            "nuggets": nuggets,
            "failed": failed.total(),
            **self._agents.ledger.describe_spending(job),
            "stopped": stopped,
            "message": f"{message} {describe_stop(stopped, ended.why if ended else '')}".strip(),
        }


def _get_gold(item: Item) -> str:
    """Return the gold answer that the item's nuggets are about. Raises BenchError if the item has no gold answer."""
    if not item.answers or not item.answers[0].strip():
        raise BenchError(f"{item.id} has no gold answer, and nuggets are about one: give the item an answer first.")
    return item.answers[0]


def _store_drafts(cursor: Cursor, job: str, results: Sequence[DraftedSet]) -> None:
    TABLE.insert_sets(cursor, [result.set for result in results if result.set is not None])
    rows = [
        (r.item, "failed" if r.why else "done", {"why": r.why, "nuggets": len(r.set.nuggets) if r.set else 0}) for r in results
    ]
    jobs.insert_items(cursor, job, rows)
