"""Drafts a question from one piece of text (a window) at a time: a person reads it, starts a draft, watches it arrive, and can
ask for another draft with a reason. The drafting is a job, so a closed tab loses no paid work."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar, cast

from builders.drafting.prompting import REASONS
from builders.near_duplicate_index import NearDuplicateIndex
from builders.task import Kit, Task, Window, tasks
from core.agent import Completion
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError, SearchFailed, Unreadable
from core.ids import derived_id
from core.nouns import Item, Prompt, Verdict
from prompts.reply import parse
from store.corpus import documents
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
from workbench.control import Control
from workbench.roles import requires
from workbench.setup.agents import Agents

T = TypeVar("T")
KIND = "draft_one"
SEED = 7
"""Initial seed of the page; the recorded agent's replies were written for the windows of this seed."""
MAX_LIVE_DRAFTS = 50
"""Maximum number of drafts whose text stays in memory during drafting and shortly after."""
STOP_CHECK_SECONDS = 0.2
"""Seconds between checks whether a person wants to stop a draft."""
STOP_GRACE_SECONDS = 2.0
"""Seconds that a running call may take to end after a person stops a draft; the call is then cancelled."""


@dataclass(slots=True)
class AnswerPart:
    """One answer as it arrives."""

    prompt: Prompt
    text: str


@dataclass(slots=True)
class LiveDraft:
    """The state of one draft so far."""

    began: float = field(default_factory=time.monotonic)
    parts: list[AnswerPart] = field(default_factory=list)

    def add_text(self, prompt: Prompt, text: str) -> None:
        """Set the text of the last answer; a prompt with other messages starts a new part."""
        if self.parts and (last := self.parts[-1]).prompt.messages == prompt.messages and last.prompt.name == prompt.name:
            last.text = text
        else:
            self.parts.append(AnswerPart(prompt, text))

    def explain_none(self) -> str:
        """Return the agent's reason for not asking a question; "" if the agent's last draft gives no reason."""
        part = next((part for part in reversed(self.parts) if part.prompt.skill == "draft"), None)
        if part is None:
            return ""
        try:
            return str(parse(part.prompt, Completion(part.text)).get("none", ""))
        except Unreadable:
            return ""


class DraftTask(NamedTuple):
    """A task that can be drafted."""

    name: str
    title: str
    """Label of the task with its level."""
    definition: str
    searches: bool
    """Whether drafting uses the search provider."""


@dataclass(frozen=True, slots=True)
class DraftChoices:
    """The options for a draft."""

    tasks: Mapping[str, DraftTask]
    """Tasks by name, sorted by level."""
    domains: Sequence[str]
    languages: Sequence[str]
    reasons: Sequence[str]
    """Reasons for requesting another draft."""


@dataclass(frozen=True, slots=True)
class DraftWindow:
    """A window for display, with its sentences loaded separately."""

    key: str
    domain: str
    language: str
    tokens: int
    sentences: int
    documents: Sequence[WindowDocument]
    source: Item | None
    """Stored item that the draft starts from."""


class WindowLine(NamedTuple):
    """A sentence of a window."""

    n: int
    """Number of the sentence, from 1."""
    title: str
    """Title of the document in its first sentence; else ""."""
    text: str


@dataclass(frozen=True, slots=True)
class DraftState:
    """The state of one job's draft."""

    job: str
    state: str
    """working, an outcome as in WindowOutcome, or the state of the job."""
    job_state: str
    message: str
    none: str
    """Reason of the agent for proposing no question."""
    parts: Sequence[AnswerPart]
    text: str
    """Raw reply, as far as it has arrived."""
    seconds: float | None
    item: Item | None
    evidence: Sequence[str]
    """Texts of the item's evidence."""
    verdicts: Sequence[Verdict]
    request: WindowRequest
    agent: str
    window: str
    reason: str
    """Reason for rejecting the previous draft; "" = no previous draft."""


class OneDraftStage:
    """Verbs on one draft."""

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
        """Return tasks, domains, languages and reasons."""
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
        """Return the key of the next window behind the given one without a draft of the task. Raises BenchError when there is
        none, or when such a draft cannot start."""
        domain = self._drafts.check(request.task, request.domain, agent, dict(request.settings))
        window = self._sampler.find_next(request._replace(domain=domain), agent, after)
        self._sampler.sentences(window)
        return window.key

    @requires("draft items", is_logged=False)
    def window(self, request: WindowRequest, agent: str, key: str) -> DraftWindow:
        """Return the window of that key. Raises BenchError when the window no longer exists. The call takes no time if
        `has_window` is true."""
        window = self._sampler.find(request, agent, key)
        sentences = len(self._sampler.sentences(window))
        shown = self._sampler.documents(window)
        return DraftWindow(key, window.domain, window.language, window.tokens, sentences, shown, window.source)

    def has_window(self, key: str) -> bool:
        """Return whether `window` and `lines` of that key take no time."""
        return self._sampler.get(key) is not None

    @requires("draft items", is_logged=False)
    def lines(self, key: str, first: int, count: int) -> list[WindowLine]:
        """Return `count` sentences of a window that `window` returned, from `first` (0 = the beginning) on."""
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
        """Return the job that drafts that window, for that reason; a repeated plan returns the same job.

        `after` is the job on the screen, which the new job follows. A stored answer is never requested again, so that a further
        draft needs a higher `attempt`, which is added to the agent's seed. Raises BenchError when the job cannot start."""
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
        """Return the job that drafts the same window once more for that reason. The person first discards the draft on the
        screen, unless a gate or a person has done so. Raises BenchError without a name or a reason, or when the draft is
        saved."""
        reason = " ".join(reason.split())
        if not reason:
            raise BenchError("Say why you want another draft: the reason goes into the prompt.")
        params, item = jobs.get(self._db, job).params, self._load_item(job)
        if item is not None and item.status == "accepted":
            raise BenchError("This draft is saved already: sample another window for a new one.")
        if item is not None and item.status == "drafted":
            self._discard(item, person, f"regenerated: {reason}", job)
        return self._plan_after(job, params, reason=reason, previous=item.question if item else "")

    @requires("draft items", "job", is_logged=False)
    def plan_again(self, job: str) -> str:
        """Return the job that drafts the same window once more in the same way, after a failure. If the ledger holds the same
        reply word for word, the job requests a reply with another seed."""
        params = jobs.get(self._db, job).params
        attempt = params["attempt"] + (self.look(job).state in ("unreadable", "none"))
        reason = params["settings"].get("reason", "")
        return self._plan_after(job, params, reason=reason, previous=params["previous"], attempt=attempt)

    def _plan_after(self, job: str, params: Mapping[str, Any], **changes: Any) -> str:
        """Plan the job that drafts the window of that job again."""
        request, rag_check = _request_of(params), params["settings"].get("rag_check", True)
        return self.plan(request, params["agent"], params["window"], rag_check=rag_check, after=job, **changes)

    def _discard(self, item: Item, person: str, reason: str, job: str) -> None:
        """Discard the draft, with the active seconds that the desk has sent so far."""
        unsent = unsent_edits.get(self._db, person, item.id)
        key, answer = derived_id("again", job, person, reason), item.answers[0] if item.answers else ""
        words = (item.question, answer, item.evidence, reason)
        seconds = unsent.seconds if unsent else None
        self._reviews.settle(DecisionRequest(key, person, item.id, item.revision, "discard", *words, seconds=seconds))

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Draft the window and store the outcome, all or nothing."""
        params = jobs.get(self._db, job).params
        if stored := jobs.load_results(self._db, job):  # an earlier process has stored the result
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
        """Return the outcome of the window, or None when somebody stopped it."""
        known = await self._known.load()
        name, kit = params["task"], replace(kit, seed=kit.seed + params["attempt"])
        is_new = not (params["after"] or params["attempt"])
        taken = await asyncio.to_thread(items.load_tried_windows, self._db, name) if is_new else ()
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
        """Return the outcome of the window, drafted with the documents that belong to it."""
        try:
            window = await self._drafter.gather(task, window, kit, taken)
        except SearchFailed as error:
            return WindowOutcome(window.key, "failed", message=str(error))
        if window.unfit:
            message = f"Nothing is drafted from a document {window.unfit}: take another."
            return WindowOutcome(window.key, "unfit", message=message)
        return await self._drafter.draft(name, task, window, kit, known)

    def _result(self, job: str, record: Mapping[str, Any], stopped: str | None = None) -> dict[str, Json]:
        """Return the result of the job as JSON. The item ids are under "made", because upkeep removes "items"."""
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
        """Load the state of that job's draft."""
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
        """Return the result of work that reads whole documents, such as `sample`, `window` and estimates; an error is kept like
        a result, so that the key has to distinguish presses."""
        return self._cache.get(key, make, keeps_errors=True)

    def close(self) -> None:
        """Wait for the background work."""
        self._cache.close()

    def _load_item(self, job: str) -> Item | None:
        """Load the current item of that job, or None."""
        made = [item for _, result in jobs.load_results(self._db, job) for item in result["items"]]
        return next(iter(items.load_items(self._db, made)), None)


def _request_of(params: Mapping[str, Any]) -> WindowRequest:
    settings = params["settings"]
    return WindowRequest(params["task"], params["domain"], settings.get("language"), params["seed"], settings.get("search"))
