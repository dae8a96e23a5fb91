"""What a drafting job will come to, before it begins: its prompts are filled with real windows of this corpus, and answers are
taken to be as long and as slow as earlier ones of the same agent, where there are any. Nothing is sent."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count, islice
from statistics import fmean
from typing import Any

from builders.drafting.rag_check import rag_check
from builders.drafting.windows import join_documents
from builders.llm_gate import GateJudge
from builders.task import FoundDocument, Kit, Task, Window, nobody_asked, tasks
from core.agent import Agent, Completion, Sampling
from core.catalog import pick
from core.errors import BenchError, Unreadable
from core.ids import canonical_json
from core.nouns import Hit, Prompt
from core.retrieval.chunks import chunk
from core.text.numbered import Numbered
from core.text.text import count_tokens
from store.engine.database import Database
from store.items import items
from store.ledger.calls import Typical
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.asks import look
from workbench.build.drafting.drafting import PASSAGE_TOKENS, Drafter
from workbench.build.drafting.drafts import DraftStage
from workbench.roles import act
from workbench.setup.agents import Agents

SEEN = 4
"""Windows looked at per task and domain."""
REPLY = 160
"""Tokens taken for a reply where no earlier one is known, or the most that the prompt allows."""
MOST_WINDOWS = 2
"""A job tries at most so many windows for each item wanted."""


@dataclass(frozen=True, slots=True)
class EstimatedCall:
    """One call that drafting a window takes."""

    tokens_in: int
    tokens_out: float
    price: float | None
    seconds: float | None


@dataclass(slots=True)
class Rehearsal:
    """Stands in for the agent: counts what it is asked, and gives the plainest reply that the form allows."""

    agent: Agent
    typical: Mapping[str, Typical]
    asked: list[EstimatedCall] = field(default_factory=list)
    _words: Any = field(default_factory=count)

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        if prompt.messages[-2].role == "assistant":  # asked again: no reply of ours can hold a text's own words
            return Completion("", price=0.0)
        sent = sum(count_tokens(message.content, prompt.language) for message in prompt.fill(inputs))
        stem = prompt.name.rpartition(".")[0]
        alike = (found for name, found in self.typical.items() if name.rpartition(".")[0] == stem)
        known = self.typical.get(prompt.name) or next(alike, None)  # in another language when it must be
        received = known.tokens_out if known and known.tokens_out is not None else float(min(REPLY, sampling.max_tokens))
        price = self.agent.worst_price(prompt, inputs, replace(sampling, max_tokens=round(received)))
        given = inputs.get("sentences")
        shown = len(given) if isinstance(given, Numbered) else 0
        self.asked.append(EstimatedCall(sent, received, price, known.seconds if known else None))
        plainest = "words" if prompt.schema is None else canonical_json(self._plainest(prompt.schema, shown))
        return Completion(plainest, price=0.0)

    def _plainest(self, schema: Mapping[str, Any], shown: int) -> Any:
        """A value of that schema, its lists of numbers those of all `shown` sentences; no two texts of it are alike."""
        kind = schema.get("type", "string")
        kind = next(k for k in kind if k != "null") if isinstance(kind, list) else kind
        if "enum" in schema:
            return schema["enum"][0]
        if kind == "object":
            return {name: self._plainest(part, shown) for name, part in schema.get("properties", {}).items() if name != "none"}
        if kind == "array":
            if schema.get("items", {}).get("type") == "integer" and shown:  # evidence of every document
                return list(range(1, shown + 1))
            return [self._plainest(schema.get("items", {}), shown) for _ in range(max(1, schema.get("minItems", 1)))]
        if kind in ("integer", "number"):
            return max(1, schema.get("minimum", 1))
        return True if kind == "boolean" else f"w{next(self._words)}"


class DraftEstimate:
    """Makes estimates."""

    def __init__(self, database: Database, agents: Agents, corpus: CorpusStage, drafts: DraftStage) -> None:
        self._db, self._agents, self._corpus, self._drafts = database, agents, corpus, drafts
        self._drafter: Drafter = drafts.drafter

    @act("draft items", is_logged=False)
    def of(
        self,
        *,
        names: Sequence[str],
        domains: Sequence[str],
        count: int,
        agent: str,
        seed: int,
        budget: float | None,
        settings: dict[str, Any],
    ) -> dict[str, Any]:
        """{"jobs": one a task and domain, "calls", "tokens_in", "tokens_out", "price", "seconds": [least, most], None where
        nobody knows, "rests": sentences, "troubles": why some of it cannot begin}. Reads whole documents: for `aside`."""
        made = self._agents.check(agent, settings, None)
        typical = self._agents.ledger.load_typical_calls(made.name)
        rows: list[dict[str, Any]] = []
        troubles: list[str] = []
        for name in names:
            for domain in domains:
                try:
                    self._drafts.check(task=name, domain=domain, count=count, agent=agent, budget=budget, settings=settings)
                    rows.append(self._one(name, domain, count, seed, settings, made, typical))
                except BenchError as error:
                    troubles.append(str(error))
        width = calls_at_once(made)
        sums = ("calls", "tokens_in", "tokens_out", "price")
        total: dict[str, Any] = {key: _between(row[key] for row in rows) for key in sums}
        total["seconds"] = on_the_clock(_between(row["seconds"] for row in rows), total["calls"], width, per_minute(made))
        return total | {
            "jobs": rows,
            "troubles": list(dict.fromkeys(troubles)),
            "width": width,
            "rests": _rests(rows, typical, made, agent, width),
        }

    def _one(
        self,
        name: str,
        domain: str,
        wanted: int,
        seed: int,
        settings: dict[str, Any],
        agent: Agent,
        typical: Mapping[str, Typical],
    ) -> dict[str, Any]:
        """One job: what each of its windows takes, times the windows that it tries at least and at most."""
        task = pick(tasks(), name, "task")
        params = {"task": name, "domain": domain, "seed": seed, "settings": settings}
        every = self._drafter.windows(name, task, params, agent.context, items.load_tried_windows(self._db, name))
        left = (window for window in every if not window.unfit)
        found = list(islice(left, min(SEEN, wanted)))
        there = len(found)
        if there == min(SEEN, wanted):  # items and whole documents are counted; a text has windows beyond any count
            is_counted = task.window.source_task or task.window.whole
            there = there + sum(1 for _ in islice(left, wanted - there)) if is_counted else wanted
        least, most = min(wanted, there), min(MOST_WINDOWS * wanted, there if there < wanted else MOST_WINDOWS * wanted)
        grouped = _grouped(name, task, found)
        per = [self._rehearsed(name, task, window, settings, agent, typical) for window in grouped]
        row: dict[str, Any] = {
            "task": name,
            "label": task.label["en"],
            "level": task.level,
            "domain": domain,
            "wanted": wanted,
            "windows": [least, most],
            "seen": len(found),
            "is_short": there < wanted,
            "window_tokens": fmean(window.tokens for window in grouped) if grouped else None,
        }
        for key in ("tokens_in", "tokens_out", "price", "seconds"):
            sums = [_sum(getattr(asked, key) for asked in window) for window in per]
            mean = None if None in sums or not sums else fmean(s for s in sums if s is not None)
            row[key] = [None, None] if mean is None and sums else [(mean or 0.0) * least, (mean or 0.0) * most]
        calls = fmean(map(len, per)) if per else 0.0
        return row | {"calls": [calls * least, calls * most], "calls_each": calls}

    def _rehearsed(
        self, name: str, task: Task, window: Window, settings: dict[str, Any], agent: Agent, typical: Mapping[str, Typical]
    ) -> list[EstimatedCall]:
        """The calls that this window takes when all goes well."""
        rehearsal = Rehearsal(agent, typical)
        asks = self._drafts.asks(name, settings)
        others = {
            other: Rehearsal(
                made := self._agents.check(other, settings, None, "judge"), self._agents.ledger.load_typical_calls(made.name)
            )
            for other in asks.agents
        }
        asked = list(others.values()) or [rehearsal]
        judges = [GateJudge(one.agent.name, one.ask, one.agent.is_offline) for one in asked]

        def first(given: tuple[str, ...], query: str, k: int) -> list[Hit]:
            passages = (span for document in given for span in chunk(self._corpus.document(document), PASSAGE_TOKENS))
            return [Hit(span, 1.0) for span in islice(passages, k)]

        async def none(query: str, k: int, without: frozenset[str]) -> list[FoundDocument]:
            return []

        gates = look(asks, judges, task, 0, self._corpus.text, self._corpus.document) if asks.gates else nobody_asked
        kit = Kit(rehearsal.ask, agent.name, first, self._drafter.cut, settings=settings, find=none, look=gates)

        async def run() -> None:
            async for item in task.draft(window, kit):
                if settings.get("rag_check", True):
                    await rag_check(replace(item, id="estimate", task=name), task, kit, self._corpus.text)
                await kit.look(replace(item, id="estimate", task=name))

        with suppress(Unreadable):  # a form that the plainest reply does not meet: its calls until then are counted
            asyncio.run(run())
        return [*rehearsal.asked, *(one for other in others.values() for one in other.asked)]


def _grouped(name: str, task: Task, found: Sequence[Window]) -> list[Window]:
    """The windows; of a task that drafts from groups, each with the documents of the next ones, since nothing is searched
    here."""
    starts, many = [window.start for window in found if window.start is not None], task.window.documents
    if many == 1:
        return list(found)
    turns = [[*starts[place:], *starts[:place]][:many] for place in range(len(starts))]
    return [join_documents(name, documents, ()) for documents in turns]


def _rests(rows: Sequence[Mapping[str, Any]], typical: Mapping[str, Typical], agent: Agent, name: str, width: int) -> list[str]:
    """What the figures stand on, in sentences."""
    seen = sum(row["seen"] for row in rows)
    calls = sum(known.calls for known in typical.values())
    said = [
        f"Prompts filled with {seen} real {'window' if seen == 1 else 'windows'} of this corpus; tokens are estimated from "
        f"characters, and a price counts what is sent 30 % higher."
    ]
    if calls:
        said.append(
            f"Length and time of replies are the means of {calls:,} earlier {'answer' if calls == 1 else 'answers'} of "
            f"{name}, {width} at once; a prompt it never answered is taken to bring {REPLY} tokens, its time is "
            f"unknown."
        )
    else:
        said.append(f"{name} has not answered here yet: a reply is taken to have {REPLY} tokens, and the time is unknown.")
    said.append(
        "The lower figure is one window for each item, the higher one two: a job tries no more. Replies that cannot be "
        "read are asked for again, at most twice, and come on top."
    )
    return said


def _sum(values: Any) -> float | None:
    found = list(values)
    return None if None in found else float(sum(found))


def _between(rows: Any) -> list[float | None]:
    """[least, most] of several [least, most]."""
    found = list(rows)
    return [_sum(row[0] for row in found), _sum(row[1] for row in found)]


def on_the_clock(
    seconds: Sequence[float | None], calls: Sequence[float | None], width: int, rpm: float | None
) -> list[float | None]:
    """Seconds on the clock: calls side by side, and no more of them in a minute than may be."""
    spread: list[float | None] = []
    for work, number in zip(seconds, calls, strict=True):
        by_rate = 60.0 * (number or 0.0) / rpm if rpm else 0.0
        spread.append(None if work is None else max(work / width, by_rate))
    return spread


def calls_at_once(agent: Agent) -> int:
    """Calls at once, as a job begins."""
    limits = getattr(agent, "limits", None)
    return max(1, int(limits.width if limits else getattr(agent, "width", 1)))


def per_minute(agent: Agent) -> float | None:
    found: float | None = getattr(getattr(agent, "settings", None), "rpm", None)
    return found
