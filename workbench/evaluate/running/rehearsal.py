"""Rehearse a run to estimate its calls, tokens and price: a system answers real questions with real passages, but a stand-in
that counts calls replaces the agent. The system's own code and the real prompts determine the calls. Nothing is sent or
stored."""

import asyncio
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from typing import Any

from core.agent import Agent, Completion, Sampling, estimate_price
from core.errors import BenchError, CallTooLarge
from core.functions.functions import Registry
from core.ids import content_hash
from core.nouns import Document, Hit, Prompt, Span
from core.retrieval.chunks import chunk
from core.retrieval.search_tags import BEGIN_QUERY, END_QUERY
from core.text.language import may_match
from core.text.text import count_tokens, split_sentences
from eval.environment import EnvironmentSources, open_environments
from eval.metric import ScoringCase, metrics
from eval.retriever import Search
from eval.running.retrieval import CHUNK_TOKENS, make_tools
from eval.system import Question, SystemAdapter, SystemFailed

MAX_DOCUMENT_CHARACTERS = 40_000
"""Number of characters at a document's beginning from which a rehearsal cuts passages."""
VERDICT_TOKENS = 12
"""Estimated number of tokens of a structured reply, such as a verdict, if none was measured."""
LIST_SHARE = 8
"""Divisor of the token limit that estimates the length of a judge's list of verdicts."""
FUNCTION_CALLS = 2
"""Estimated number of function calls of a workflow before it ends."""
NO_DOCUMENT = Document(content_hash("A page."), "A page.", "A page")
UNSURE_LOGPROB = math.log(0.5)
"""Log probability that every token has in a rehearsal. It is so low that systems that search when unsure search once."""


@dataclass(frozen=True, slots=True)
class CallTotals:
    """Sums over calls: their number, tokens and cost."""

    calls: float = 0
    tokens_in: float = 0
    tokens_out: float = 0
    price: float | None = 0.0
    """Cost in US dollars if replies have the expected length, too high rather than too low, or None if unknown."""
    most: float | None = 0.0
    """Cost in US dollars if every reply has the maximum length, or None if unknown."""

    def add(self, other: "CallTotals") -> "CallTotals":
        return CallTotals(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            add_known(self.price, other.price),
            add_known(self.most, other.most),
        )

    def scale(self, factor: float) -> "CallTotals":
        prices = [None if price is None else price * factor for price in (self.price, self.most)]
        return CallTotals(self.calls * factor, self.tokens_in * factor, self.tokens_out * factor, *prices)


@dataclass(slots=True)
class RunRehearsal:
    """The calls and the failures that a rehearsal counted."""

    questions: int
    totals: CallTotals = field(default_factory=CallTotals)
    failed: int = 0
    why: str = ""
    """Error sentence of the first question that the rehearsal could not answer."""
    too_large: int = 0
    """Number of questions with a call that the agent could never send."""
    replies: str = ""
    """What the expected length of a reply is based on, in words."""
    building: CallTotals = field(default_factory=CallTotals)
    """Calls with which the system reads the whole corpus before the first question; zero for most systems."""
    passages: dict[tuple[str, str | None], tuple[str, ...]] = field(default_factory=dict)
    """Dict from (item, variant) to the texts of the passages that the answer would use."""


def add_known(a: float | None, b: float | None) -> float | None:
    """Return the sum of two numbers, or None if either of them is None (unknown)."""
    return None if a is None or b is None else a + b


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
) -> RunRehearsal:
    """Return the rehearsal of the system on the given questions. If the system builds something from the corpus, the rehearsal
    builds from the beginnings of the documents, and scales these calls up to `characters`, the length of the whole corpus.
    `typical` is the number of tokens of the agent's usual reply, or None if the agent has never answered; then the length of
    the gold answers is used. Passages are cut from the given documents as the retriever cuts them."""
    rehearsal = RunRehearsal(
        len(questions), replies="the agent's earlier replies" if typical else "the length of the gold answers"
    )
    passages = {q.language: _search_any(documents, q.language, settings) for q in questions} if searches else {}
    functions = _open_functions(adapter, documents)
    tools_for = make_tools(documents, passages, None, agent.context if agent else None, functions=functions)
    counter = _CountingAgent([agent] if agent else [], typical)
    ask = counter.ask if agent else None

    async def answer_all() -> None:
        opened = settings
        if adapter.build is not None and questions:
            counter.gold = "Name"
            beginnings = _cut_documents(documents)
            try:
                opened = await adapter.build(beginnings, replace(tools_for(questions[0]), ask=ask, retrieve=None), settings)
            except (BenchError, SystemFailed) as error:
                rehearsal.failed, rehearsal.why = len(questions), str(error)
                return
            rehearsal.building = counter.totals.scale(characters / max(1, sum(len(document.text) for document in beginnings)))
            counter.totals = CallTotals()
        for question in questions:
            counter.gold = next(iter(question.answers), "")
            tools = replace(tools_for(question), ask=ask)
            try:
                answer = await adapter.answer(question, tools, opened)
                rehearsal.passages[question.item, question.variant] = tuple(map(tools.text, answer.retrieved or ()))
            except (BenchError, SystemFailed) as error:
                rehearsal.failed += 1
                rehearsal.too_large += isinstance(error, CallTooLarge)
                rehearsal.why = rehearsal.why or str(error)

    asyncio.run(answer_all())
    rehearsal.totals = counter.totals
    return rehearsal


def rehearse_judging(
    wanted: Sequence[tuple[Question, Sequence[str]]],
    judges: Sequence[Agent],
    votes: int,
    passages: Mapping[tuple[str, str | None], tuple[str, ...]],
) -> CallTotals:
    """Return the totals of every judge's calls for the pairs (question, metrics), with the gold answer and citations in place
    of an answer. A request that two metrics share counts once. `passages` are the passages that the rehearsed answers
    retrieved. Raises CallTooLarge if all calls of the judges are too large to send."""
    counter = _CountingAgent(judges, None, asks_once=True)
    too_large: list[CallTooLarge] = []

    async def judge_all() -> None:
        for question, names in wanted:
            counter.gold = next(iter(question.answers), "")
            case = ScoringCase(
                question.item,
                _cite(counter.gold, question.language),
                question.answers,
                question.language,
                question.text,
                contexts=passages.get((question.item, question.variant), ()),
            )
            for judge in (metrics()[name].judge for name in names):
                if judge is not None:
                    try:
                        await judge(case, counter.ask, votes)
                    except CallTooLarge as error:
                        too_large.append(error)

    asyncio.run(judge_all())
    if too_large and not counter.totals.calls:
        raise too_large[0]
    return counter.totals


def _open_functions(adapter: SystemAdapter, documents: Sequence[Document]) -> Callable[[Question], Registry] | None:
    """Return the function that creates the callable functions of a question for a rehearsal, or None for a system that calls no
    functions. The functions always read the given documents, even if the run provides other functions, because only the number
    and length of calls matter. Questions that need only tables get a made-up page in place of documents."""
    sources = EnvironmentSources(documents or [NO_DOCUMENT])
    if not adapter.needs_functions:
        return None
    return lambda question: open_environments(["documents"], sources, None, question.language)


class _CountingAgent:
    """Replaces agents in a rehearsal: counts the prompts, and returns plausible replies."""

    def __init__(self, agents: Sequence[Agent], typical: float | None, asks_once: bool = False) -> None:
        self.agents, self.typical = agents, typical
        self.keys: set[str] | None = set() if asks_once else None
        self.gold = ""
        self.totals = CallTotals()

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        tokens_in = sum(count_tokens(message.content, prompt.language) for message in prompt.fill(inputs))
        tokens_out = max(1, min(sampling.max_tokens, round(self._expect_tokens(prompt, sampling))))
        if self._is_new(prompt, inputs, sampling):
            for agent in self.agents:
                if check_size := getattr(agent, "check_size", None):
                    check_size(prompt, inputs, sampling)
                price = estimate_price(agent, prompt, inputs, replace(sampling, max_tokens=tokens_out))
                most = agent.worst_price(prompt, inputs, sampling)
                self.totals = self.totals.add(CallTotals(1, tokens_in, tokens_out, price, most))
        text, raw = self._reply(prompt, inputs, sampling)
        logs = ((text, UNSURE_LOGPROB),) if sampling.logprobs else None
        tops = ((UNSURE_LOGPROB, UNSURE_LOGPROB),) if sampling.top_logprobs else None
        return Completion(text, tokens_in=tokens_in, tokens_out=tokens_out, logprobs=logs, alternatives=tops, raw=raw)

    def _expect_tokens(self, prompt: Prompt, sampling: Sampling) -> float:
        if prompt.skill in ("extract", "rewrite", "workflow"):
            return sampling.max_tokens / 2
        if prompt.schema and any(kind.get("type") == "array" for kind in prompt.schema.get("properties", {}).values()):
            return sampling.max_tokens / LIST_SHARE
        return VERDICT_TOKENS if prompt.schema else self.typical or count_tokens(self.gold, prompt.language)

    def _reply(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> tuple[str, Mapping[str, Any] | None]:
        """Return (text of the reply, the endpoint's raw reply if it calls a function)."""
        if "functions" in inputs:
            return _act_in_words(self.gold, inputs), None
        if sampling.tools:
            return "", _call_function(self.gold, sampling)
        if sampling.stop:
            return _search_by_tags(self.gold, is_first=not (inputs.get("so_far") or sampling.prefill)), None
        # A judge splits its input text.
        return _fill_schema(prompt, self.gold if self.keys is None else str(inputs.get("text", self.gold))), None

    def _is_new(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> bool:
        """Return whether the request has not occurred before in the rehearsal, so that the real call would cost money."""
        if self.keys is None:
            return True
        key = content_hash([prompt.identity, {name: str(value) for name, value in inputs.items()}, sampling.index])
        is_new = key not in self.keys
        self.keys.add(key)
        return is_new


def _cite(text: str, language: str) -> str:
    """Add a citation marker before the end of each sentence, so that the answer differs from the gold answer."""
    sentences = [text[start:end].rstrip() for start, end in split_sentences(text, language)]
    bare = [sentence.rstrip(".!?。！？") for sentence in sentences]
    return " ".join(f"{words} [1]{sentence[len(words) :]}" for words, sentence in zip(bare, sentences, strict=True))


def _act_in_words(words: str, inputs: Mapping[str, object]) -> str:
    """Return the reply of a workflow that writes its actions as text: first searches, then the action that ends the workflow.
    For a workflow that writes a program, the first reply is the answer."""
    if "steps" not in inputs:
        return repr(words or None)
    is_first = str(inputs["steps"]).count("Observation:") < FUNCTION_CALLS
    return f"Action: Search[{words or '-'}]" if is_first else f"Action: Finish[{words}]"


def _call_function(words: str, sampling: Sampling) -> Mapping[str, Any]:
    """Return the raw reply of an endpoint that supports function calls: first calls of Search, then a call of Finish."""
    is_first = sum(turn["role"] == "tool" for turn in sampling.turns) < FUNCTION_CALLS
    ends = {"return_type": "give_answer", "final_answer": words or "-"}
    name, arguments = ("Search", {"entity": words or "-"}) if is_first else ("Finish", ends)
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"choices": [{"message": {"tool_calls": [{"id": "call", "function": function}]}}]}


def _search_by_tags(words: str, is_first: bool) -> str:
    """Return the reply of a model that writes its searches in tags: first one search, then the answer."""
    return f"{BEGIN_QUERY}{words or '-'}{END_QUERY}" if is_first else f"\\boxed{{{words}}}"


def _fill_schema(prompt: Prompt, words: str) -> str:
    """Return a reply that fits the prompt's schema, so that the steps that use the reply are rehearsed too."""
    if not prompt.schema:
        return words or "-"
    return json.dumps(_fill_value({"type": "object", "properties": prompt.schema.get("properties", {})}, words))


def _fill_value(schema: Mapping[str, Any], words: str) -> Any:
    kind = schema.get("type")
    if kind == "array":
        return [_fill_value(schema.get("items", {}), words)]
    if kind == "object":
        return {name: _fill_value(inner, words) for name, inner in schema.get("properties", {}).items()}
    if kind == "string" and "enum" in schema:
        return schema["enum"][0]
    return {"integer": 1, "number": 1, "boolean": True}.get(str(kind), words)


def _cut_documents(documents: Iterable[Document]) -> list[Document]:
    """Return the documents with texts cut to MAX_DOCUMENT_CHARACTERS."""
    return [replace(document, text=document.text[:MAX_DOCUMENT_CHARACTERS]) for document in documents]


def _search_any(documents: Sequence[Document], language: str, settings: Mapping[str, Any]) -> Search:
    """Return a search function that finds passages of the right length for any query. The content of these passages does not
    matter in a rehearsal."""
    tokens, overlap = settings.get("chunk_tokens", CHUNK_TOKENS), settings.get("chunk_overlap", 0)
    own = _cut_documents(document for document in documents if may_match(document.language, language))
    passages: list[Span] = [span for document in own for span in chunk(document, tokens, overlap)]

    def search(query: str, k: int) -> list[Hit]:
        return [Hit(span, 0.0) for span in islice(cycle(passages), min(k, 200))]

    return search
