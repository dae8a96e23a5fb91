"""A rehearsal: a system answers real questions with real passages while the agent is played by a counter, so that calls, tokens
and price are those that the system's own code and the real prompts make; nothing is sent and nothing stored."""

import asyncio
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from typing import Any

from core.agent import Agent, Completion, Sampling
from core.errors import BenchError
from core.functions.functions import Registry
from core.ids import content_hash
from core.nouns import Document, Hit, Prompt, Span
from core.retrieval.chunks import chunk
from core.retrieval.search_tags import BEGIN_QUERY, END_QUERY
from core.text.text import count_tokens, split_sentences
from eval.environment import EnvironmentSources, open_environments
from eval.metric import ScoringCase, metrics
from eval.running.retrieval import CHUNK_TOKENS, make_tools
from eval.system import Question, Search, SystemAdapter, SystemFailed

LONGEST = 40_000
"""Characters of a document that passages are cut from."""
VERDICT = 12
"""Tokens of a reply with fields, when none was measured."""
LISTED = 8
"""A judge's list of verdicts is taken for so small a part of what it may be."""
ACTIONS = 2
"""Calls of functions that a workflow is taken to make before it ends."""
_NO_DOCUMENT = Document(content_hash("A page."), "A page.", "A page")
UNSURE = math.log(0.5)
"""Of every token, so that a system that searches when it is unsure does so once."""


@dataclass(frozen=True, slots=True)
class Sums:
    """What calls come to."""

    calls: float = 0
    tokens_in: float = 0
    tokens_out: float = 0
    price: float | None = 0.0
    """US dollars with replies of the length expected, on the careful side; None = unknown."""
    most: float | None = 0.0
    """US dollars if every reply is as long as it may be."""

    def plus(self, other: "Sums") -> "Sums":
        return Sums(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            _plus(self.price, other.price),
            _plus(self.most, other.most),
        )

    def times(self, factor: float) -> "Sums":
        return Sums(
            self.calls * factor,
            self.tokens_in * factor,
            self.tokens_out * factor,
            None if self.price is None else self.price * factor,
            None if self.most is None else self.most * factor,
        )


@dataclass(slots=True)
class Rehearsed:
    """What a rehearsal came to."""

    asked: int
    sums: Sums = field(default_factory=Sums)
    failed: int = 0
    why: str = ""
    """The first failure's sentence."""
    replies: str = ""
    """What the expected length of a reply rests on."""
    building: Sums = field(default_factory=Sums)
    """What reading the whole corpus comes to, before the first question; nothing for a system that builds nothing."""
    passages: dict[tuple[str, str | None], tuple[str, ...]] = field(default_factory=dict)
    """(item, variant) -> texts of the passages that it answered from."""


def rehearse(
    questions: Sequence[Question],
    adapter: SystemAdapter,
    settings: Mapping[str, Any],
    documents: Sequence[Document],
    agent: Agent | None,
    typical: float | None,
    *,
    searches: bool,
    characters: int = 0,
) -> Rehearsed:
    """The system's answers to those questions. What it builds of the documents' beginnings is taken for the whole corpus, of so
    many `characters`, to be built alike. `typical` = tokens of the agent's usual reply, None where it has never answered;
    the gold answers' length stands in then. Passages are cut from the given documents as the retriever would cut them."""
    found = Rehearsed(len(questions), replies="the agent's earlier replies" if typical else "the length of the gold answers")
    passages = {q.language: _passages(documents, q.language, settings) for q in questions} if searches else {}
    functions = _functions(adapter, documents)
    tools_for = make_tools(documents, passages, None, agent.context if agent else None, functions=functions)
    counter = _Counter([agent] if agent else [], typical)

    async def all_of_them() -> None:
        opened = settings
        if adapter.build is not None and questions:
            counter.gold = "Name"
            few = [replace(document, text=document.text[:LONGEST]) for document in documents]
            sample = replace(tools_for(questions[0]), ask=counter.ask if agent else None, retrieve=None)
            try:
                opened = await adapter.build(few, sample, settings)
            except (BenchError, SystemFailed) as error:
                found.failed, found.why = len(questions), str(error)
                return
            found.building = counter.sums.times(characters / max(1, sum(len(document.text) for document in few)))
            counter.sums = Sums()
        for question in questions:
            counter.gold = question.answers[0] if question.answers else ""
            tools = replace(tools_for(question), ask=counter.ask if agent else None)
            try:
                answered = await adapter.answer(question, tools, opened)
                found.passages[question.item, question.variant] = tuple(map(tools.text, answered.retrieved or ()))
            except (BenchError, SystemFailed) as error:
                found.failed += 1
                found.why = found.why or str(error)

    asyncio.run(all_of_them())
    found.sums = counter.sums
    return found


def _functions(adapter: SystemAdapter, documents: Sequence[Document]) -> Callable[[Question], Registry] | None:
    """Of the documents, whatever the run's own are, and of a page that stands for them where questions are about tables
    alone: what counts is how often and how long the model is asked."""
    ground = EnvironmentSources(documents or [_NO_DOCUMENT])
    return (
        (lambda question: open_environments(["documents"], ground, None, question.language))
        if adapter.needs_functions
        else None
    )


def rehearse_judging(
    wanted: Sequence[tuple[Question, Sequence[str]]],
    judges: Sequence[Agent],
    votes: int,
    passages: Mapping[tuple[str, str | None], tuple[str, ...]],
) -> Rehearsed:
    """Judging answers that are as the gold ones, each sentence citing a passage, by those metrics of each, with every judge.
    What two metrics ask alike is asked once. `passages` as a rehearsal of the answering has them."""
    found = Rehearsed(len(wanted))
    counter = _Counter(judges, None, asks_once=True)

    async def all_of_them() -> None:
        for question, names in wanted:
            counter.gold = question.answers[0] if question.answers else ""
            case = ScoringCase(
                question.item,
                _citing(question.answers[0] if question.answers else "", question.language),
                question.answers,
                question.language,
                question.text,
                contexts=passages.get((question.item, question.variant), ()),
            )
            for judge in (metrics()[name].judge for name in names):
                if judge is not None:
                    await judge(case, counter.ask, votes)

    asyncio.run(all_of_them())
    found.sums = counter.sums
    return found


class _Counter:
    """Plays the agents: counts what is asked, and replies as they might."""

    def __init__(self, agents: Sequence[Agent], typical: float | None, asks_once: bool = False) -> None:
        self.agents, self.typical = agents, typical
        self.asked: set[str] | None = set() if asks_once else None
        self.gold = ""
        self.sums = Sums()

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        tokens_in = sum(count_tokens(m.content, prompt.language) for m in prompt.fill(inputs))
        expected = VERDICT if prompt.schema else self.typical or count_tokens(self.gold, prompt.language)
        if prompt.skill in ("extract", "rewrite", "workflow"):
            expected = sampling.max_tokens / 2
        elif prompt.schema and any(field.get("type") == "array" for field in prompt.schema.get("properties", {}).values()):
            expected = sampling.max_tokens / LISTED
        tokens_out = max(1, min(sampling.max_tokens, round(expected)))
        price, most = self.sums.price, self.sums.most
        for agent in self.agents:
            price = _plus(price, agent.worst_price(prompt, inputs, replace(sampling, max_tokens=tokens_out)))
            most = _plus(most, agent.worst_price(prompt, inputs, sampling))
        n = len(self.agents) if self._is_new(prompt, inputs, sampling) else 0
        if not n:
            price, most = self.sums.price, self.sums.most
        so_far = self.sums
        self.sums = Sums(so_far.calls + n, so_far.tokens_in + n * tokens_in, so_far.tokens_out + n * tokens_out, price, most)
        is_first = not (inputs.get("so_far") or sampling.prefill)
        words = self.gold if self.asked is None else str(inputs.get("text", self.gold))  # a judge takes apart what it is given
        text = _reply(prompt, words) if not sampling.stop else _searching(self.gold, is_first)
        called = None
        if "functions" in inputs:
            text = _acting(self.gold, inputs)
        elif sampling.tools:
            called, text = _calling(self.gold, sampling), ""
        logs = ((text, UNSURE),) if sampling.logprobs else None
        tops = ((UNSURE, UNSURE),) if sampling.top_logprobs else None
        return Completion(text, tokens_in=tokens_in, tokens_out=tokens_out, logprobs=logs, alternatives=tops, raw=called)

    def _is_new(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> bool:
        """Whether the ledger would not have it from before."""
        if self.asked is None:
            return True
        key = content_hash([prompt.identity, {name: str(value) for name, value in inputs.items()}, sampling.index])
        is_new = key not in self.asked
        self.asked.add(key)
        return is_new


def _citing(text: str, language: str) -> str:
    """Each sentence with a marker before its stop: as an answer would be that is not the gold one to the letter."""
    found = []
    for start, end in split_sentences(text, language):
        body = text[start:end].rstrip()
        bare = body.rstrip(".!?。！？")
        found.append(f"{bare} [1]{body[len(bare) :]}")
    return " ".join(found)


def _plus(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a + b


def _acting(words: str, inputs: Mapping[str, object]) -> str:
    """A workflow's reply in words: a search, then the end; of a program, the answer at once."""
    if "steps" not in inputs:
        return repr(words or None)
    is_first = str(inputs["steps"]).count("Observation:") < ACTIONS
    return f"Action: Search[{words or '-'}]" if is_first else f"Action: Finish[{words}]"


def _calling(words: str, sampling: Sampling) -> Mapping[str, Any]:
    """A reply of an endpoint that calls functions: searches, then the end."""
    is_first = sum(turn["role"] == "tool" for turn in sampling.turns) < ACTIONS
    ends = {"return_type": "give_answer", "final_answer": words or "-"}
    function = {"name": "Search", "arguments": json.dumps({"entity": words or "-"})}
    called = function if is_first else {"name": "Finish", "arguments": json.dumps(ends)}
    return {"choices": [{"message": {"tool_calls": [{"id": "call", "function": called}]}}]}


def _searching(words: str, is_first: bool) -> str:
    """A reply of a system that searches by markers: one search, then the answer."""
    return f"{BEGIN_QUERY}{words or '-'}{END_QUERY}" if is_first else f"\\boxed{{{words}}}"


def _reply(prompt: Prompt, words: str) -> str:
    """A reply that fits the prompt's schema, so that what comes after it is rehearsed too."""
    if not prompt.schema:
        return words or "-"
    return json.dumps({name: _value(kind, words) for name, kind in prompt.schema.get("properties", {}).items()})


def _value(schema: Mapping[str, Any], words: str) -> Any:
    kind = schema.get("type")
    if kind == "array":
        return [_value(schema.get("items", {}), words)]
    if kind == "object":
        return {name: _value(inner, words) for name, inner in schema.get("properties", {}).items()}
    return {"integer": 1, "number": 1, "boolean": True}.get(str(kind), words)


def _passages(documents: Sequence[Document], language: str, settings: Mapping[str, Any]) -> Search:
    """Passages of the right length for any query: what stands in them does not matter here."""
    tokens, overlap = settings.get("chunk_tokens", CHUNK_TOKENS), settings.get("chunk_overlap", 0)
    cut: list[Span] = []
    for document in documents:
        if document.language == language:
            cut += chunk(replace(document, text=document.text[:LONGEST]), tokens, overlap)

    def search(query: str, k: int) -> list[Hit]:
        return [Hit(span, 0.0) for span in islice(cycle(cut), min(k, 200))] if cut else []

    return search
