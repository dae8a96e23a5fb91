"""The protocol of an agent, which completes a filled prompt; its input (Sampling) and its output (Completion). Works that
wait for a batch go on past each other, so that one batch holds all requests that do not depend on each other."""

import json
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from core.errors import WaitsForBatch
from core.nouns import Prompt

T = TypeVar("T")

PrefillMode = Literal["message", "text"]
"""message = an unfinished last message (continue_final_message); text = all messages as one text, /v1/completions."""
Capability = Literal["logprobs", "attention", "tools"]
"""Kind of output of an agent besides its words."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """The settings for sampling one completion."""

    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 512
    seed: int | None = None
    stop: tuple[str, ...] = ()
    logprobs: bool = False
    top_logprobs: int = 0
    """With logprobs: number of likeliest tokens to return for each position; 0 = none."""
    index: int = 0
    """Number of this sample among several samples of one request; part of the ledger's key."""
    prefill: str = ""
    """Beginning of the reply. The completion holds only the text after it."""
    prefill_mode: PrefillMode = "message"
    """How an endpoint receives the prefill. A local model continues its own text and ignores this field."""
    tools: tuple[Mapping[str, Any], ...] = ()
    """Functions that the model may call, as the `tools` of an OpenAI-compatible endpoint."""
    turns: tuple[Mapping[str, Any], ...] = ()
    """Messages after the prompt's messages, in the endpoint's form: earlier function calls and their results."""

    @property
    def continuation(self) -> dict[str, Any]:
        """Return the prefill, tools and turns as JSON values of the request; empty for a plain request."""
        request: dict[str, Any] = {}
        if self.prefill or self.prefill_mode == "text":
            request |= {"begun": self.prefill, "begun_as": self.prefill_mode}
        return request | {name: list(map(dict, part)) for name in ("tools", "turns") if (part := getattr(self, name))}


class Action(NamedTuple):
    """A function call that the model requests."""

    id: str
    name: str
    arguments: str
    """The arguments exactly as the model wrote them; should be JSON."""
    extra_content: Mapping[str, Any] | None = None
    """Further fields that the endpoint expects back with the call, such as the signature of a Gemini call."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The reply of an agent in one form for systems, judges, gates and pages, regardless of what the endpoint returns."""

    text: str
    """The reply without its thinking."""
    tokens_in: int | None = None
    """Tokens of the request, as the endpoint counts them, or None when the endpoint gives no count."""
    tokens_out: int | None = None
    """Tokens of the reply, including thinking, as the endpoint counts them, or None when the endpoint gives no count."""
    tokens_thinking: int | None = None
    """Part of `tokens_out` that the model spent on thinking, or None when the endpoint gives no count."""
    thinking: str = ""
    """The model's thinking, if the endpoint returns it; never scored, and not part of `text`."""
    not_taken: tuple[str, ...] = ()
    """Requested settings that the endpoint does not support, each as half a sentence: "temperature 0 asked, not adjustable on
    this model"."""
    seconds: float | None = 0.0
    """Seconds of the last attempt, or None for a reply from a batch, whose time nobody measured."""
    waited: float = 0.0
    """Seconds before the last attempt: waiting for a free place, after a 429, and between attempts."""
    retrying: float = 0.0
    """Part of `waited` after the first attempt was sent: the time lost to failures. The rest is the wait for a free place."""
    finish: str = "stop"
    """Reason why the reply ends: stop, length, filter, or the endpoint's own word."""
    logprobs: tuple[tuple[str, float], ...] | None = None
    """(token, natural log of its probability) of each token, or None unless requested and returned."""
    alternatives: tuple[tuple[float, ...], ...] | None = None
    """Natural logs of the likeliest tokens at each position of `logprobs`, or None unless requested and returned."""
    price: float | None = None
    """Cost in US dollars, or None when the price per token is unknown; 0.0 for agents that cost nothing."""
    attempts: int = 1
    """Number of requests sent; 0 when no request was sent."""
    call: str | None = None
    """Id of the ledger's call, set by the ledger."""
    cached: bool = False
    """True when the completion comes from the ledger and no request was sent."""
    raw: Mapping[str, Any] | None = None
    """The endpoint's whole reply."""
    vectors: Any = None
    """float32 array (texts, d) from an embedding endpoint. Vectors have their own cache, so a reply from the ledger has
    None."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """Return the function calls in the reply, in order; () if there are none."""
        choices = (self.raw or {}).get("choices") or [{}]
        actions = []
        for call in (choices[0].get("message") or {}).get("tool_calls") or ():
            function = call.get("function") or {}
            arguments = function.get("arguments")
            if not isinstance(arguments, str):  # some endpoints send an object
                arguments = json.dumps(arguments or {}, ensure_ascii=False)
            extra = call.get("extra_content")
            signed = extra if isinstance(extra, dict) else None
            actions.append(Action(str(call.get("id") or ""), str(function.get("name") or ""), arguments, signed))
        return tuple(actions)

    def mark_stored(self, call: str, cached: bool) -> "Completion":
        return replace(self, call=call, cached=cached)


class Agent(Protocol):
    """The interface of every agent, that is, of everything that completes a prompt."""

    @property
    def name(self) -> str:
        """Return the name as on the command line: offline, recorded, openai:MODEL, ..."""

    @property
    def is_offline(self) -> bool:
        """Return True if the agent uses no LLM; scores and drafts of such agents are marked."""

    @property
    def context(self) -> int | None:
        """Return the size of the context window in tokens, or None if it is unknown or unlimited."""

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        """Return the whole request as JSON values, without secrets. The key in the ledger is the hash of this value, so two
        requests that may get different replies must differ."""

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        """Return the highest possible cost of the call in US dollars, which is reserved before the call, or None if prices are
        unknown, 0.0 if the call is free."""

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Complete the prompt. Raises AgentError if all attempts fail, and BenchError if the inputs do not fit the prompt."""


def estimate_price(agent: Agent, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
    """Return the cost in US dollars of a call whose reply uses all of max_tokens, without the tokens for thinking that
    `worst_price` includes."""
    price = getattr(agent, "plain_price", agent.worst_price)(prompt, inputs, sampling)
    return None if price is None else float(price)


def describe_headroom(agents: Iterable[Agent]) -> list[str]:
    """Return one sentence for an estimate for each agent that thinks, with the number of tokens that the upper limit includes
    for thinking."""
    thinking = {agent.name: tokens for agent in agents if (tokens := int(getattr(agent, "headroom", 0)))}
    return [
        f"{name} is a thinking model: the upper estimate counts {tokens:,} tokens of thinking with every reply."
        for name, tokens in thinking.items()
    ]


def can_complete(agent: Agent, prompt: Prompt) -> bool:
    """Check whether the agent can complete the prompt. An agent without the method `is_able` is assumed to be able."""
    check = getattr(agent, "is_able", None)
    return check is None or bool(check(prompt))


class WaitingCalls:
    """The calls of one piece of work that wait for their batch."""

    def __init__(self) -> None:
        self._first: WaitsForBatch | None = None

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold back the error of a call that waits, so that the next call is asked too."""
        try:
            yield
        except WaitsForBatch as waits:
            self._first = self._first or waits

    def raise_first(self) -> None:
        """Raise WaitsForBatch if a call waits, once all calls were asked."""
        if self._first is not None:
            raise self._first


async def await_each(works: Iterable[Awaitable[T]]) -> list[T]:
    """Return the results of works that do not depend on each other, done one after another. Raises WaitsForBatch after the last
    work if any of them waits, so that the batch holds the requests of all; any other error ends the rest."""
    waiting, results = WaitingCalls(), list[T]()
    for work in works:
        with waiting.hold():
            results.append(await work)
    waiting.raise_first()
    return results


async def gather_each(works: Iterable[Awaitable[T]]) -> list[T]:
    """Return the results of works that are done at the same time. Raises the first error once all works have ended;
    WaitsForBatch only without another error."""
    import asyncio  # --help loads this module, and asks nothing

    results = await asyncio.gather(*works, return_exceptions=True)
    errors = [result for result in results if isinstance(result, BaseException)]
    if errors:
        raise min(errors, key=lambda error: isinstance(error, WaitsForBatch))
    return [result for result in results if not isinstance(result, BaseException)]
