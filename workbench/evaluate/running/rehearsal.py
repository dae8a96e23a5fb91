"""Rehearse a run to estimate its LLM calls, tokens and price. A system answers real questions with real passages, but instead
of the agent it calls a stand-in that counts the calls. The calls are realistic, because the system's own code and the real
prompts make them. A rehearsal sends and stores nothing."""

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
"""Number of characters at the beginning of a document from which a rehearsal takes passages."""
VERDICT_TOKENS = 12
"""Estimated number of tokens of a structured reply, such as a verdict, if no reply has been measured."""
LIST_SHARE = 8
"""Divisor: a judge's list of verdicts is estimated at the token limit divided by this number."""
FUNCTION_CALLS = 2
"""Estimated number of function calls that a workflow makes before it ends."""
NO_DOCUMENT = Document(content_hash("A page."), "A page.", "A page")
UNSURE_LOGPROB = math.log(0.5)
"""Log probability that every token gets in a rehearsal. The value is so low that a system that searches when it is unsure
searches once."""


@dataclass(frozen=True, slots=True)
class CallTotals:
    """Sums over calls: their number, tokens and cost."""

    calls: float = 0
    tokens_in: float = 0
    tokens_out: float = 0
    price: float | None = 0.0
    """Cost in US dollars if each reply has the expected length, or None if unknown. If in doubt, the estimate is too high."""
    most: float | None = 0.0
    """Cost in US dollars if each reply has the maximum length, or None if unknown."""

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
    """The calls and failures that a rehearsal counted."""

    questions: int
    totals: CallTotals = field(default_factory=CallTotals)
    failed: int = 0
    why: str = ""
    """Error sentence of the first question that the rehearsal could not answer."""
    too_large: int = 0
    """Number of questions with a call that is too large for the agent."""
    replies: str = ""
    """Basis of the expected length of a reply, in words."""
    building: CallTotals = field(default_factory=CallTotals)
    """Calls with which the system reads the whole corpus before the first question; most systems make none."""
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
    builds it from the beginnings of the documents. The number of these calls is then scaled up to `characters`, the length of
    the whole corpus. `typical` is the usual number of tokens of the agent's replies. If the agent has never answered, it is
    None, and the length of the gold answers is used. The retriever cuts passages from the given documents as in a run."""
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
    """Return the totals of every judge's calls for the pairs (question, metrics). The gold answer and citations take the place
    of a system's answer. A request that two metrics share is counted once. `passages` are those that the rehearsed answers
    retrieved. Raises CallTooLarge if every call of the judges is too large to send."""
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
    """Return the function that creates, for a rehearsal, the functions that a system can call for a question; None if the
    system calls no functions. The functions always read the given documents, even if the run has other functions, because only
    the number and length of calls matter here. A question that needs only tables gets an invented page instead of documents."""
    sources = EnvironmentSources(documents or [NO_DOCUMENT])
    if not adapter.needs_functions:
        return None
    return lambda question: open_environments(["documents"], sources, None, question.language)


class _CountingAgent:
    """Takes the place of agents in a rehearsal: it counts the prompts and returns plausible replies."""

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
        """Return (text of the reply, the endpoint's raw reply if it contains a function call)."""
        if "functions" in inputs:
            return _act_in_words(self.gold, inputs), None
        if sampling.tools:
            return "", _call_function(self.gold, sampling)
        if sampling.stop:
            return _search_by_tags(self.gold, is_first=not (inputs.get("so_far") or sampling.prefill)), None
        # A judge that splits a text gets the same text back.
        return _fill_schema(prompt, self.gold if self.keys is None else str(inputs.get("text", self.gold))), None

    def _is_new(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> bool:
        """Return whether the request is new in this rehearsal, so that the real call would cost money."""
        if self.keys is None:
            return True
        key = content_hash([prompt.identity, {name: str(value) for name, value in inputs.items()}, sampling.index])
        is_new = key not in self.keys
        self.keys.add(key)
        return is_new


def _cite(text: str, language: str) -> str:
    """Add a citation marker at the end of each sentence, so that the answer differs from the gold answer."""
    sentences = [text[start:end].rstrip() for start, end in split_sentences(text, language)]
    bare = [sentence.rstrip(".!?。！？") for sentence in sentences]
    return " ".join(f"{words} [1]{sentence[len(words) :]}" for words, sentence in zip(bare, sentences, strict=True))


def _act_in_words(words: str, inputs: Mapping[str, object]) -> str:
    """Return the reply of a workflow that writes its actions as text: first searches, then the action with which the workflow
    ends. If the workflow writes a program, the first reply is already the answer."""
    if "steps" not in inputs:
        return repr(words or None)
    is_first = str(inputs["steps"]).count("Observation:") < FUNCTION_CALLS
    return f"Action: Search[{words or '-'}]" if is_first else f"Action: Finish[{words}]"


def _call_function(words: str, sampling: Sampling) -> Mapping[str, Any]:
    """Return the raw reply of an endpoint that can call functions: first calls of Search, then a call of Finish."""
    is_first = sum(turn["role"] == "tool" for turn in sampling.turns) < FUNCTION_CALLS
    ends = {"return_type": "give_answer", "final_answer": words or "-"}
    name, arguments = ("Search", {"entity": words or "-"}) if is_first else ("Finish", ends)
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"choices": [{"message": {"tool_calls": [{"id": "call", "function": function}]}}]}


def _search_by_tags(words: str, is_first: bool) -> str:
    """Return the reply of a model that writes its searches in tags: first a search, then the answer."""
    return f"{BEGIN_QUERY}{words or '-'}{END_QUERY}" if is_first else f"\\boxed{{{words}}}"


def _fill_schema(prompt: Prompt, words: str) -> str:
    """Return a reply that fits the prompt's schema, so that the steps that read the reply are rehearsed too."""
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
    """Return the documents with their texts cut to MAX_DOCUMENT_CHARACTERS."""
    return [replace(document, text=document.text[:MAX_DOCUMENT_CHARACTERS]) for document in documents]


def _search_any(documents: Sequence[Document], language: str, settings: Mapping[str, Any]) -> Search:
    """Return a search function that finds passages of the right length for every query. The content of the passages does not
    matter in a rehearsal."""
    tokens, overlap = settings.get("chunk_tokens", CHUNK_TOKENS), settings.get("chunk_overlap", 0)
    own = _cut_documents(document for document in documents if may_match(document.language, language))
    passages: list[Span] = [span for document in own for span in chunk(document, tokens, overlap)]

    def search(query: str, k: int) -> list[Hit]:
        return [Hit(span, 0.0) for span in islice(cycle(passages), min(k, 200))]

    return search
