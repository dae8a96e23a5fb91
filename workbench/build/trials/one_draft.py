"""Let a person draft questions one at a time: read a passage (a window), start a draft, watch the reply arrive, and ask for
another draft with a reason. A job does the drafting, so that closing the browser tab loses no work that was paid for."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar, cast

from builders.drafting.prompting import REASONS
from builders.near_duplicate_index import NearDuplicateIndex
from builders.task import Kit, Task, Window, tasks
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError, SearchFailed
from core.ids import derived_id
from core.nouns import Item, Verdict
from store.corpus import documents
from store.drafting import tried_windows
from store.engine.database import Database
from store.items import items
from store.items.verdicts import load_verdicts
from store.jobs import jobs
from store.reviews import unsent_edits
from workbench.annotate.desk.decisions import DecisionRequest
from workbench.annotate.reviewing.reviews import ReviewStage
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.draft_estimate import title_task
from workbench.build.drafting.drafting import Drafter, WindowOutcome
from workbench.build.drafting.drafts import DraftStage
from workbench.build.drafting.known_drafts import KnownDrafts
from workbench.build.drafting.llm_gates import BoundAgents, bind_drafting_agents, choice_to_params
from workbench.build.drafting.sampling import Sampler, WindowDocument, WindowRequest
from workbench.build.trials.live_draft import AnswerPart, LiveDraft
from workbench.control import Control
from workbench.roles import requires
from workbench.setup.agents import Agents

T = TypeVar("T")
KIND = "draft_one"
SEED = 7
"""Seed with which the page starts. The recorded agent has replies only for the windows that this seed selects."""
MAX_LIVE_DRAFTS = 50
"""Maximum number of drafts whose text is kept in memory while it arrives."""
STOP_CHECK_SECONDS = 0.2
"""Seconds between two checks whether the person has stopped the draft."""
STOP_GRACE_SECONDS = 2.0
"""Seconds that a running call may still take after the person has stopped the draft; then it is cancelled."""


class DraftTask(NamedTuple):
    """A task for which a person can draft a question."""

    name: str
    title: str
    """Label of the task with its level, as the list of tasks shows it."""
    definition: str
    searches: bool
    """Whether drafting for this task includes a search for documents."""


@dataclass(frozen=True, slots=True)
class DraftChoices:
    """The options that a person can choose before an agent drafts an item, such as tasks, domains and languages."""

    tasks: Mapping[str, DraftTask]
    """Dict from name to task, sorted by level."""
    domains: Sequence[str]
    languages: Sequence[str]
    reasons: Sequence[str]
    """Reasons for asking for another draft, from which a person can choose."""


@dataclass(frozen=True, slots=True)
class DraftWindow:
    """A window (a passage to draft from), as the page shows it; its sentences are loaded separately."""

    key: str
    domain: str
    language: str
    tokens: int
    sentences: int
    documents: Sequence[WindowDocument]
    source: Item | None
    """The stored item that the draft starts from, or None if it starts from text alone."""


class WindowLine(NamedTuple):
    """One sentence of a window, as the page shows it."""

    n: int
    """Number of the sentence in the window; the first is 1."""
    title: str
    """Title of the document at its first sentence in the window; "" at the other sentences."""
    text: str


@dataclass(frozen=True, slots=True)
class DraftState:
    """State of the draft that one job makes, as the page shows it."""

    job: str
    state: str
    """"working" while the job runs; after that the state of the WindowOutcome or, if there is none, of the job."""
    job_state: str
    message: str
    none: str
    """Reason that the agent gave for proposing no question; "" if it gave none."""
    parts: Sequence[AnswerPart]
    text: str
    """Text of the agent's last reply, as much of it as has arrived."""
    seconds: float | None
    item: Item | None
    evidence: Sequence[str]
    """Texts of the spans that the draft cites as evidence."""
    verdicts: Sequence[Verdict]
    request: WindowRequest
    agent: str
    window: str
    reason: str
    """Reason why the person rejected the draft before this one; "" if this is the first draft."""


class OneDraftStage:
    """Methods with which a person drafts questions one at a time."""

    def __init__(
        self, database: Database, agents: Agents, corpus: CorpusStage, drafts: DraftStage, reviews: ReviewStage
    ) -> None:
        self._db, self._agents, self._corpus, self._drafts, self._reviews = database, agents, corpus, drafts, reviews
        self._drafter: Drafter = drafts.drafter
        self._sampler = Sampler(database, agents, self._drafter)
        self._known = KnownDrafts(database)
        self._live: OrderedDict[str, LiveDraft] = OrderedDict()
        self._cache = BackgroundCache(threads=2)

    @requires("draft items", is_logged=False)
    def choices(self) -> DraftChoices:
        """Return the tasks, domains, languages and reasons from which a person chooses for a draft."""
        counts = documents.count_documents(self._db)
        by_level = sorted(tasks().items(), key=lambda named: (str(named[1].level), named[0]))
        kinds = {
            name: DraftTask(name, title_task(task), task.definition["en"], task.searches)
            for name, task in by_level
            if task.gates
        }
        domains, languages = sorted({count.domain for count in counts}), sorted({count.language for count in counts})
        return DraftChoices(kinds, domains, languages, tuple(REASONS))

    @requires("draft items", is_logged=False)
    def sample(self, request: WindowRequest, agent: str, after: str = "") -> str:
        """Return the key of the next window after the one with the key `after`; the task has not been drafted from this window.
        Raises BenchError if no window is left, or if such a draft cannot start."""
        domain = self._drafts.check(request.task, request.domain, agent, dict(request.settings))
        window = self._sampler.find_next(request._replace(domain=domain), agent, after)
        self._sampler.sentences(window)
        return window.key

    @requires("draft items", is_logged=False)
    def window(self, request: WindowRequest, agent: str, key: str) -> DraftWindow:
        """Return the window with this key. The call is fast if `has_window` returns True. Raises BenchError if the window does
        not exist any more."""
        window = self._sampler.find(request, agent, key)
        sentences = len(self._sampler.sentences(window))
        shown = self._sampler.documents(window)
        return DraftWindow(key, window.domain, window.language, window.tokens, sentences, shown, window.source)

    def has_window(self, key: str) -> bool:
        """Return whether the window with this key is cached, so that `window` and `lines` are fast."""
        return self._sampler.get(key) is not None

    @requires("draft items", is_logged=False)
    def lines(self, key: str, first: int, count: int) -> list[WindowLine]:
        """Return `count` sentences of a cached window, from the position `first` on (counted from 0)."""
        window = self._sampler.get(key)
        sentences = self._sampler.sentences(window) if window is not None else ()
        lines = []
        for place in range(first, min(first + count, len(sentences))):
            sentence = sentences[place]
            begins = place == 0 or sentences[place - 1].span.document != sentence.span.document
            lines.append(WindowLine(place + 1, sentence.title if begins else "", " ".join(sentence.text.split())))
        return lines

    @requires(
        "draft items", lambda arguments: f"one of {arguments['request'].task} in {arguments['request'].domain}", notes=["agent"]
    )
    def plan(
        self,
        request: WindowRequest,
        agent: str,
        window: str,
        *,
        rag_check: bool = True,
        reason: str = "",
        previous: str = "",
        after: str = "",
        attempt: int = 0,
    ) -> str:
        """Queue the job that drafts a question from the window with the key `window`; return the job's id. The same parameters
        give the same job.

        `after` is the job whose draft is on the screen; the new job belongs after it. A request with a stored reply is never
        sent again, so a further draft needs a higher `attempt`, which is added to the agent's seed. Raises BenchError if the
        job cannot start."""
        settings: dict[str, Any] = {**request.settings, "rag_check": rag_check}
        if reason.strip():
            settings["reason"] = " ".join(reason.split())
        domain = self._drafts.check(request.task, request.domain, agent, settings)
        gates = self._drafts.choose_llm_gates(request.task, settings)
        params = {
            **request.params,
            "domain": domain,
            "agent": agent,
            "settings": settings,
            "window": window,
            "previous": previous,
            "after": after,
            "attempt": attempt,
            **choice_to_params(gates),
            **self._agents.pin([agent, *gates.agents]),
        }
        return jobs.create_once(self._db, KIND, params, total=1)

    @requires("draft items", "job", is_logged=False)
    def regenerate(self, job: str, person: str, reason: str) -> str:
        """Queue a job that drafts from the same window again because of `reason`; return its id. If the earlier draft still
        waits for review, it is discarded in the person's name. Raises BenchError if the person's name or the reason is missing,
        or if the draft was accepted."""
        reason = " ".join(reason.split())
        if not reason:
            raise BenchError("Say why you want another draft: the reason goes into the prompt.")
        params, item = jobs.get(self._db, job).params, self._load_item(job)
        if item is not None and item.status == "accepted":
            raise BenchError("This draft is saved already: sample another window for a new draft.")
        if item is not None and item.status == "drafted":
            self._discard(item, person, f"regenerated: {reason}", job)
        return self._plan_after(job, params, reason=reason, previous=item.question if item else "")

    @requires("draft items", "job", is_logged=False)
    def plan_again(self, job: str) -> str:
        """Queue a job that repeats a failed draft from the same window; return its id. If the reply was unreadable or empty,
        the job asks with another seed, because the ledger would give the same reply again."""
        params = jobs.get(self._db, job).params
        attempt = params["attempt"] + (self.look(job).state in ("unreadable", "none"))
        reason = params["settings"].get("reason", "")
        return self._plan_after(job, params, reason=reason, previous=params["previous"], attempt=attempt)

    def _plan_after(self, job: str, params: Mapping[str, Any], **changes: Any) -> str:
        """Queue a new job for the window of the earlier `job`, with some parameters changed; return its id."""
        request, rag_check = _request_of(params), params["settings"].get("rag_check", True)
        return self.plan(request, params["agent"], params["window"], rag_check=rag_check, after=job, **changes)

    def _discard(self, item: Item, person: str, reason: str, job: str) -> None:
        """Discard the draft because of `reason`, and store the seconds that the person has spent on it."""
        unsent = unsent_edits.get(self._db, person, item.id)
        key, answer = derived_id("again", job, person, reason), item.answers[0] if item.answers else ""
        words = (item.question, answer, item.evidence, reason)
        seconds = unsent.seconds if unsent else None
        self._reviews.settle(DecisionRequest(key, person, item.id, item.revision, "discard", *words, seconds=seconds))

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job: draft from the window and store the result; if the person stops the draft, store nothing."""
        params = jobs.get(self._db, job).params
        if stored := jobs.load_results(self._db, job):  # an earlier process has already stored the result
            return self._result(job, stored[0][1])
        live = self._live[job] = LiveDraft()
        while len(self._live) > MAX_LIVE_DRAFTS:
            self._live.popitem(last=False)
        request = _request_of(params)
        window = await asyncio.to_thread(self._sampler.find, request, params["agent"], params["window"])
        load, hear = self._corpus.load_documents, live.add_text
        agent, bound = await asyncio.to_thread(
            lambda: bind_drafting_agents(self._agents, params, budget=None, job=job, documents=load, on_text=hear)
        )
        outcome = await self._draft(params, window, self._drafter.kit(agent, params, bound.judges), bound, control)
        if outcome is None:
            return self._result(job, {"state": "cancelled", "message": "Stopped before the draft was done."}, "cancelled")
        broken_off = live.parts[-1].text if live.parts and outcome.state in ("failed", "endpoint") else ""
        more = {"none": live.explain_none(), "text": outcome.text or broken_off, "seconds": time.monotonic() - live.began}
        if outcome.state not in ("drafted", "refused"):
            outcome = replace(outcome, drafted=())
        if not outcome.ends:
            await asyncio.to_thread(self._drafter.store, job, request.task, [outcome], more)
        return self._result(job, outcome.record | more, outcome.state if outcome.ends else None)

    async def _draft(
        self, params: Mapping[str, Any], window: Window, kit: Kit, bound: BoundAgents, control: Control
    ) -> WindowOutcome | None:
        """Return the result of drafting from the window, or None if the person stopped the draft."""
        known = await self._known.load()
        name, kit = params["task"], replace(kit, seed=kit.seed + params["attempt"])
        is_new = not (params["after"] or params["attempt"])
        taken = await asyncio.to_thread(tried_windows.load_windows, self._db, name) if is_new else ()
        drafting = asyncio.create_task(self._gather_and_draft(name, pick(tasks(), name, "task"), window, kit, known, taken))
        try:
            while not (await asyncio.wait([drafting], timeout=STOP_CHECK_SECONDS))[0]:
                if await asyncio.to_thread(control.look):
                    await asyncio.wait([drafting], timeout=STOP_GRACE_SECONDS)
                    break
            return drafting.result() if drafting.done() else None
        finally:
            if not drafting.done():
                drafting.cancel()
                await asyncio.gather(drafting, return_exceptions=True)
                bound.break_off()
            await bound.close()

    async def _gather_and_draft(
        self, name: str, task: Task, window: Window, kit: Kit, known: NearDuplicateIndex, taken: Collection[str]
    ) -> WindowOutcome:
        """Search for the further documents that the task needs, then return the result of drafting from the window."""
        try:
            window = await self._drafter.gather(task, window, kit, taken)
        except SearchFailed as error:
            return WindowOutcome(window.key, "failed", message=str(error))
        if window.unfit:
            message = f"Nothing is drafted from a document {window.unfit}: take another."
            return WindowOutcome(window.key, "unfit", message=message)
        return await self._drafter.draft(name, task, window, kit, known)

    def _result(self, job: str, record: Mapping[str, Any], stopped: str | None = None) -> dict[str, Json]:
        """Return the job's result as JSON. The key "made" has the ids of the items, because `shorten_result` removes the key
        "items"."""
        state = record["state"]
        usual = {"refused": f"A gate refused the draft: {', '.join(record.get('gates', []))}.", "none": "Nothing worth asking."}
        return {
            "job": job,
            "asked": 1,
            "drafted": int(state == "drafted"),
            "state": state,
            "made": record.get("items", []),
            "message": record["message"] or usual.get(state, ""),
            "none": record.get("none", ""),
            "text": record.get("text", ""),
            "seconds": record.get("seconds"),
            **self._agents.ledger.describe_spending(job),
            "stopped": stopped,
        }

    @requires("draft items", "job", is_logged=False)
    def look(self, job: str) -> DraftState:
        """Load the state of the draft that the job makes."""
        row, live = jobs.get(self._db, job), self._live.get(job)
        result = cast(dict[str, Any], row.result or {})
        params, item = row.params, self._load_item(job)
        parts = tuple(live.parts if live else ())
        verdicts = load_verdicts(self._db, [item.id]) if item else []
        return DraftState(
            job=row.id,
            state={"queued": "working", "running": "working"}.get(row.state, result.get("state", row.state)),
            job_state=row.state,
            message=result.get("message") or row.error or "",
            none=result.get("none", ""),
            parts=parts,
            text=result.get("text") or (parts[-1].text if parts else ""),
            seconds=result.get("seconds") or (time.monotonic() - live.began if live else None),
            item=item,
            evidence=[self._corpus.text(span) for span in item.evidence] if item else (),
            verdicts=[verdict for verdict in verdicts if item and verdict.revision == item.revision],
            request=_request_of(params),
            agent=params["agent"],
            window=params["window"],
            reason=params["settings"].get("reason", ""),
        )

    def run_in_background(self, key: Hashable, make: Callable[[], T]) -> RunningWork[T]:
        """Run slow work in the background, such as `sample`, `window` or an estimate. An error is cached like a result, so
        `key` must be different for each click."""
        return self._cache.get(key, make, keeps_errors=True)

    def close(self) -> None:
        """Wait until the work in the background has ended."""
        self._cache.close()

    def _load_item(self, job: str) -> Item | None:
        """Return the item that the job drafted, or None if it drafted none."""
        made = [item for _, result in jobs.load_results(self._db, job) for item in result["items"]]
        return next(iter(items.load_items(self._db, made)), None)


def _request_of(params: Mapping[str, Any]) -> WindowRequest:
    settings = params["settings"]
    return WindowRequest(params["task"], params["domain"], settings.get("language"), params["seed"], settings.get("search"))
