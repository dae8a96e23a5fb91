"""Drafting one at a time: a person looks at a window, has a draft made of it, watches it come, and has it made again for a
reason. The drafting is a job of its own, so a closed tab loses nothing that was paid."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any, cast

from builders.drafting.prompting import REASONS
from builders.known_items import KnownItems
from builders.task import Kit, Task, Window, tasks
from core.agent import Completion
from core.catalog import pick
from core.errors import BenchError, SearchFailed, Unreadable
from core.ids import derived_id
from core.nouns import Item, Prompt
from core.records import item_record
from prompts.reply import parse
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.items.verdicts import verdicts_of
from store.jobs import jobs
from store.reviews import unsent_edits
from workbench.annotate.desk.pressing import DecisionRequest
from workbench.annotate.reviewing.reviews import ReviewStage
from workbench.aside import Aside
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.asks import Drafting, GateAgents, asks_of, hire, params_of
from workbench.build.drafting.drafting import Drafter, WindowOutcome
from workbench.build.drafting.drafts import DraftStage
from workbench.build.drafting.known_drafts import KnownDrafts
from workbench.build.drafting.sampling import Sampler, Wish
from workbench.control import Control
from workbench.roles import act
from workbench.setup.agents import Agents, Hired

KIND = "draft_one"
SEED = 7
"""The seed that a page begins with: the recorded agent's replies were written for its windows."""
LIVE = 50
"""Texts kept while they come, and a little longer."""
LOOK = 0.2
"""Seconds between two looks at whether somebody wants a draft stopped."""
GRACE = 2.0
"""Seconds that a call under way has to end in when a person stops a draft; after that it is broken off."""


@dataclass(slots=True)
class AnswerPart:
    """One answer as it comes."""

    prompt: Prompt
    text: str


@dataclass(slots=True)
class Live:
    """What has come of one draft so far."""

    began: float = field(default_factory=time.monotonic)
    parts: list[AnswerPart] = field(default_factory=list)

    def hear(self, prompt: Prompt, text: str) -> None:
        """More of an answer; a question asked once more is a part of its own."""
        if self.parts and (last := self.parts[-1]).prompt.messages == prompt.messages and last.prompt.name == prompt.name:
            last.text = text
        else:
            self.parts.append(AnswerPart(prompt, text))

    def drafted(self) -> AnswerPart | None:
        """The last answer to a drafting prompt."""
        return next((part for part in reversed(self.parts) if part.prompt.skill == "draft"), None)


class OneDraftStage:
    """Verbs on one draft."""

    def __init__(
        self, database: Database, agents: Agents, corpus: CorpusStage, drafts: DraftStage, reviews: ReviewStage
    ) -> None:
        self._db, self._agents, self._corpus, self._drafts, self._reviews = database, agents, corpus, drafts, reviews
        self._drafter: Drafter = drafts.drafter
        self._sampler = Sampler(database, agents, self._drafter)
        self._known = KnownDrafts(database)
        self._live: OrderedDict[str, Live] = OrderedDict()
        self.aside = Aside()

    @act("draft items", is_logged=False)
    def choices(self) -> dict[str, Any]:
        """{"tasks": those that can be drafted, by level, "domains": [{"name", "documents"}], "languages", "reasons"}."""
        counts = documents.counts(self._db)
        names = sorted({count.domain for count in counts})
        kinds = [
            {
                "name": name,
                "label": task.label["en"],
                "definition": task.definition["en"],
                "level": task.level,
                "searches": task.searches,
                "source": None if task.window.texts_too else task.window.source_task,
            }
            for name, task in tasks().items()
            if task.gates
        ]
        return {
            "tasks": sorted(kinds, key=lambda kind: (str(kind["level"]), kind["name"])),
            "domains": [{"name": name, "documents": sum(c.documents for c in counts if c.domain == name)} for name in names],
            "languages": sorted({count.language for count in counts}),
            "reasons": tuple(REASONS),
        }

    @act("draft items", is_logged=False)
    def sample(self, wish: Wish, agent: str, after: str = "") -> str:
        """The key of the next window behind that one from which the task was never drafted. Raises BenchError when there is
        none, or when such a draft cannot begin. For `aside`: it reads whole documents."""
        domain = self._drafts.check(
            task=wish.task, domain=wish.domain, count=1, agent=agent, budget=None, settings=wish.params["settings"]
        )
        window = self._sampler.after(wish._replace(domain=domain), agent, after)
        self._sampler.lines(window)
        return window.key

    @act("draft items", is_logged=False)
    def window(self, wish: Wish, agent: str, key: str) -> dict[str, Any]:
        """The window of that key as a page shows it, its lines apart. Raises BenchError when it is gone. For `aside`, unless
        `has_window`."""
        window = self._sampler.find(wish, agent, key)
        lines = self._sampler.lines(window)
        return {
            "key": key,
            "task": wish.task,
            "domain": window.domain,
            "language": window.language,
            "tokens": window.tokens,
            "sentences": len(lines),
            "documents": self._sampler.documents(window),
            "source": _source(window),
        }

    def has_window(self, key: str) -> bool:
        """Whether `window` and `lines` of that key take no time."""
        return self._sampler.kept(key) is not None

    @act("draft items", is_logged=False)
    def lines(self, key: str, first: int, count: int) -> list[dict[str, Any]]:
        """Sentences of a window that `window` gave: {"n" from 1, "title" where a document begins, "text"}."""
        window = self._sampler.kept(key)
        found = self._sampler.lines(window) if window is not None else ()
        shown = []
        for place in range(first, min(first + count, len(found))):
            begins = place == 0 or found[place - 1].span.document != found[place].span.document
            shown.append(
                {"n": place + 1, "title": found[place].title if begins else "", "text": " ".join(found[place].text.split())}
            )
        return shown

    @act("draft items", lambda given: f"one of {given['wish'].task} in {given['wish'].domain}", notes=["agent"])
    def plan(
        self,
        wish: Wish,
        agent: str,
        window: str,
        *,
        rag_check: bool = True,
        reason: str = "",
        previous: str = "",
        after: str = "",
        attempt: int = 0,
    ) -> str:
        """The job that drafts that window, for that reason; asked twice it is one. `after` is the job on the screen, which this
        one follows. A stored answer is never asked for again, so whoever wants another one counts `attempt` up: it is added to
        the seed that the agent is given. Raises BenchError when it cannot begin."""
        settings: dict[str, Any] = {**wish.params["settings"], "rag_check": rag_check}
        if reason.strip():
            settings["reason"] = " ".join(reason.split())
        domain = self._drafts.check(task=wish.task, domain=wish.domain, count=1, agent=agent, budget=None, settings=settings)
        asks = self._drafts.asks(wish.task, settings)
        params = {
            "task": wish.task,
            "domain": domain,
            "agent": agent,
            "seed": wish.seed,
            "settings": settings,
            "window": window,
            "previous": previous,
            "after": after,
            "attempt": attempt,
            **params_of(asks),
            **self._agents.pinned([agent, *asks.agents]),
        }
        return jobs.create_once(self._db, KIND, params, total=1)

    @act("draft items", "job", is_logged=False)
    def again(self, job: str, person: str, reason: str) -> str:
        """The job that drafts the same window once more for that reason. The draft on the screen is discarded by that person
        first, unless a gate or somebody has done so. Raises BenchError without a name or a reason, or when it is saved."""
        reason = " ".join(reason.split())
        if not reason:
            raise BenchError("Say why you want another draft: the reason goes into the prompt.")
        params, item = jobs.get(self._db, job).params, self._item(job)
        if item is not None and item.status == "accepted":
            raise BenchError("This draft is saved already: sample another window for a new one.")
        if item is not None and item.status == "drafted":
            self._discard(item, person, f"regenerated: {reason}", job)
        return self.plan(
            _wish(params),
            params["agent"],
            params["window"],
            rag_check=params["settings"]["rag_check"],
            reason=reason,
            previous=item.question if item else "",
            after=job,
        )

    def _discard(self, item: Item, person: str, reason: str, job: str) -> None:
        """With the active seconds that the desk has told of so far."""
        left = unsent_edits.get(self._db, person, item.id)
        self._reviews.settle(
            DecisionRequest(
                derived_id("again", job, person, reason),
                person,
                item.id,
                item.revision,
                "discard",
                item.question,
                item.answers[0] if item.answers else "",
                item.evidence,
                reason,
                seconds=left.seconds if left else None,
            )
        )

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        """Draft the window and store what came of it, all or nothing."""
        params = jobs.get(self._db, job).params
        done = jobs.results(self._db, job)
        if done:  # stored before its process ended
            return self._result(job, done[0][1])
        live = self._live[job] = Live()
        while len(self._live) > LIVE:
            self._live.popitem(last=False)
        wish = _wish(params)
        window = await asyncio.to_thread(self._sampler.find, wish, params["agent"], params["window"])
        agent = await asyncio.to_thread(
            self._agents.hire,
            params["agent"],
            params["settings"],
            job=job,
            documents=self._corpus.every,
            pinned=params.get("saved"),
            on_text=live.hear,
        )
        panel = await asyncio.to_thread(
            hire,
            self._agents,
            asks_of(params),
            params["settings"],
            budget=self._agents.budget(None, job),
            job=job,
            pinned=params.get("saved"),
            drafting=Drafting(params["agent"], agent),
        )
        outcome = await self._draft(wish, params, window, agent, panel, control)
        if outcome is None:
            return self._result(job, {"state": "cancelled", "message": "Stopped before the draft was done."}, "cancelled")
        made = {"none": _why_none(live), "text": outcome.text or _raw(live, outcome), "seconds": time.monotonic() - live.began}
        kept = WindowOutcome(
            outcome.window,
            outcome.state,
            outcome.drafted if outcome.state in ("drafted", "refused") else (),
            outcome.message,
            outcome.ends,
        )
        if not outcome.ends:
            await asyncio.to_thread(self._drafter.store, job, wish.task, [kept], [made])
        told = {
            "state": outcome.state,
            "message": outcome.message,
            "gates": outcome.gates,
            "items": [d.item.id for d in kept.drafted],
            **made,
        }
        return self._result(job, told, outcome.state if outcome.ends else None)

    async def _draft(
        self, wish: Wish, params: dict[str, Any], window: Window, agent: Hired, panel: GateAgents, control: Control
    ) -> WindowOutcome | None:
        """What the window came to; None when somebody stopped it."""
        known = await self._known.now()
        task, kit = pick(tasks(), wish.task, "task"), self._drafter.kit(agent, params, panel.judges)
        kit = replace(kit, seed=kit.seed + params["attempt"])
        is_new = not (params["after"] or params["attempt"])
        taken = await asyncio.to_thread(items.load_tried_windows, self._db, wish.task) if is_new else ()
        drafting = asyncio.create_task(self._gathered(wish.task, task, window, kit, known, taken))
        try:
            while not (await asyncio.wait([drafting], timeout=LOOK))[0]:
                if await asyncio.to_thread(control.look):
                    await asyncio.wait([drafting], timeout=GRACE)
                    break
            return drafting.result() if drafting.done() else None
        finally:
            if not drafting.done():
                drafting.cancel()
                await asyncio.gather(drafting, return_exceptions=True)
                panel.break_off()
                agent.break_off()
            await panel.close()
            await agent.close()

    async def _gathered(
        self, name: str, task: Task, window: Window, kit: Kit, known: KnownItems, taken: Collection[str]
    ) -> WindowOutcome:
        """What the window came to, with the documents that belong to it."""
        try:
            window = await self._drafter.gather(task, window, kit, taken)
        except SearchFailed as error:
            return WindowOutcome(window.key, "failed", message=str(error))
        if window.unfit:
            return WindowOutcome(
                window.key, "unfit", message=f"Nothing is drafted from a document {window.unfit}: take another."
            )
        return await self._drafter.one(name, task, window, kit, known)

    def _result(self, job: str, told: dict[str, Any], stopped: str | None = None) -> dict[str, Any]:
        """The job's own JSON. Its item ids stand under "made": upkeep keeps no "items"."""
        ledger = self._agents.ledger
        state = told["state"]
        ends = {"refused": f"A gate refused the draft: {', '.join(told.get('gates', []))}.", "none": "Nothing worth asking."}
        return {
            "job": job,
            "asked": 1,
            "drafted": int(state == "drafted"),
            "state": state,
            "made": told.get("items", []),
            "message": told["message"] or ends.get(state, ""),
            "none": told.get("none", ""),
            "text": told.get("text", ""),
            "seconds": told.get("seconds"),
            "calls": ledger.calls(job),
            "cost_usd": ledger.cost(job),
            "stopped": stopped,
        }

    @act("draft items", "job", is_logged=False)
    def look(self, job: str) -> dict[str, Any]:
        """How the draft stands, for a page: {"state": "working" or what came of it, "parts": [{"prompt", "skill", "text"}],
        "seconds", "message", "text", "none", "item": its JSON or None, "verdicts", "reason", "wish", "agent", "window"}."""
        row, live = jobs.get(self._db, job), self._live.get(job)
        result = cast(dict[str, Any], row.result or {})
        state = {"queued": "working", "running": "working"}.get(row.state, result.get("state", row.state))
        item = self._item(job)
        return {
            "job": row.id,
            "state": state,
            "job_state": row.state,
            "message": result.get("message") or row.error or "",
            "none": result.get("none", ""),
            "parts": [
                {"prompt": part.prompt.name, "skill": part.prompt.skill, "text": part.text}
                for part in tuple(live.parts if live else ())
            ],
            "text": result.get("text") or (live.parts[-1].text if live and live.parts else ""),
            "seconds": result.get("seconds") or (time.monotonic() - live.began if live else None),
            "item": item_record(item, self._corpus.text) if item else None,
            "verdicts": [
                {"gate": v.gate, "outcome": v.outcome, "why": v.why, "details": dict(v.details)}
                for v in verdicts_of(self._db, [item.id])
                if v.revision == item.revision
            ]
            if item
            else [],
            "wish": _wish(row.params),
            "agent": row.params["agent"],
            "window": row.params["window"],
            "attempt": row.params["attempt"],
            "previous": row.params["previous"],
            "reason": row.params["settings"].get("reason", ""),
            "rag_check": row.params["settings"].get("rag_check", True),
        }

    def waiting(self, item: str) -> float | None:
        """Seconds that somebody waited for the calls behind an item as it was drafted; None when the ledger has none."""
        found = items.get(self._db, item)
        calls = [call for v in verdicts_of(self._db, [item]) if v.revision == 1 for call in v.calls]
        return self._agents.ledger.seconds([*found.provenance.calls, *calls])

    def close(self) -> None:
        """Wait for what is done beside the pages."""
        self.aside.close()

    def _item(self, job: str) -> Item | None:
        """The item of that job as it is now, or None."""
        made = [item for _, result in jobs.results(self._db, job) for item in result["items"]]
        return next(iter(items.load_items(self._db, made)), None)


def _wish(params: dict[str, Any]) -> Wish:
    settings = params["settings"]
    return Wish(params["task"], params["domain"], settings.get("language"), params["seed"], settings.get("search"))


def _source(window: Window) -> dict[str, Any] | None:
    if (item := window.source) is None:
        return None
    return {"id": item.id, "task": item.task, "question": item.question, "answers": list(item.answers)}


def _raw(live: Live, outcome: WindowOutcome) -> str:
    """What came of an answer that broke off."""
    return live.parts[-1].text if live.parts and outcome.state in ("failed", "endpoint") else ""


def _why_none(live: Live) -> str:
    """The agent's words for asking nothing."""
    part = live.drafted()
    if part is None:
        return ""
    try:
        return str(parse(part.prompt, Completion(part.text)).get("none", ""))
    except Unreadable:
        return ""
