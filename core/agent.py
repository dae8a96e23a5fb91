"""The interface of agents, which complete prompts: the sampling settings that an agent gets (Sampling) and the result that it
returns (Completion). The module also supports work that waits for a batch of requests: all independent calls are made before
the work pauses, so that one batch contains all these calls."""

import json
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from core.errors import WaitsForBatch
from core.nouns import Prompt

T = TypeVar("T")

PrefillMode = Literal["message", "text"]
"""How the beginning of a reply is sent to an endpoint: message = as an unfinished last message (continue_final_message); text =
together with all other messages, as one text for /v1/completions."""
Capability = Literal["logprobs", "attention", "tools"]
"""Kind of output that an agent may return besides text, such as log-probabilities or function calls."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """Settings for sampling one completion from an agent."""

    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 512
    seed: int | None = None
    stop: tuple[str, ...] = ()
    logprobs: bool = False
    top_logprobs: int = 0
    """If log-probabilities are requested: number of likeliest tokens to return for each position; 0 = none."""
    index: int = 0
    """Number of this sample among several samples of the same request; part of the key under which the ledger stores the
    call."""
    prefill: str = ""
    """Beginning of the reply, which the caller writes; the completion contains only the text after this beginning."""
    prefill_mode: PrefillMode = "message"
    """How the beginning of the reply (`prefill`) is sent to an endpoint; a local model continues any text and ignores this
    field."""
    tools: tuple[Mapping[str, Any], ...] = ()
    """Functions that the model may call, in the form of the `tools` of an OpenAI-compatible endpoint."""
    turns: tuple[Mapping[str, Any], ...] = ()
    """Messages that follow the prompt's messages, in the endpoint's form: earlier function calls and their results."""

    @property
    def continuation(self) -> dict[str, Any]:
        """The beginning of the reply, the functions and the further messages, as JSON values of the request; empty if the
        request has none of these."""
        request: dict[str, Any] = {}
        if self.prefill or self.prefill_mode == "text":
            request |= {"begun": self.prefill, "begun_as": self.prefill_mode}
        return request | {name: list(map(dict, part)) for name in ("tools", "turns") if (part := getattr(self, name))}


class Action(NamedTuple):
    """A function call that a model requests in its reply."""

    id: str
    name: str
    arguments: str
    """Arguments of the function call exactly as the model wrote them; they should be JSON."""
    extra_content: Mapping[str, Any] | None = None
    """Further fields that the endpoint expects back with the function call, such as the signature of a Gemini call."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The reply of an agent, in the same form for all kinds of agents and endpoints."""

    text: str
    """Text of the reply, without the model's thinking."""
    tokens_in: int | None = None
    """Number of tokens in the request, as the endpoint counts them, or None if the endpoint gives no count."""
    tokens_out: int | None = None
    """Number of tokens in the reply, including thinking, as the endpoint counts them, or None if the endpoint gives no
    count."""
    tokens_thinking: int | None = None
    """Number of the tokens in `tokens_out` that the model spent on thinking, or None if the endpoint gives no count."""
    thinking: str = ""
    """The model's thinking (its reasoning before the answer), if the endpoint returns it; never scored, and not part of
    `text`."""
    not_taken: tuple[str, ...] = ()
    """Requested settings that the endpoint does not support, each as part of a sentence: "temperature 0 requested, but not
    adjustable on this model"."""
    seconds: float | None = 0.0
    """Duration of the last request in seconds, or None for a reply from a batch, for which it is not measured."""
    waited: float = 0.0
    """Seconds before the last request was sent: waiting for permission to send it, pauses after status 429, and earlier
    requests."""
    retrying: float = 0.0
    """Part of `waited` after the first request was sent, in seconds, which failures caused. The other seconds of `waited` are
    the wait for permission to send the first request."""
    finish: str = "stop"
    """Why the reply ends: stop, length, filter, or the endpoint's own word."""
    logprobs: tuple[tuple[str, float], ...] | None = None
    """Each token of the reply as (token, natural log of its probability). None if log-probabilities were not requested or not
    returned."""
    alternatives: tuple[tuple[float, ...], ...] | None = None
    """For each position of `logprobs`, the likeliest tokens with the natural logs of their probabilities. None if they were not
    requested or not returned."""
    price: float | None = None
    """Cost of the reply in US dollars, or None if the price per token is unknown; 0.0 for agents that cost nothing."""
    attempts: int = 1
    """Number of requests sent for the reply; 0 if none was sent."""
    call: str | None = None
    """Id of the call in the ledger, set when the ledger stores the call."""
    cached: bool = False
    """Whether the completion was read from the ledger of earlier calls, so that no request was sent."""
    raw: Mapping[str, Any] | None = None
    """The whole reply of the endpoint as decoded JSON, or None."""
    vectors: Any = None
    """Vectors of an embedding endpoint as a float32 array of shape (texts, dimensions). Vectors have their own cache, so a
    completion read from the ledger has None."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """The function calls that the reply requests, in order; () if there are none."""
        choices = (self.raw or {}).get("choices") or [{}]
        actions = []
        for call in (choices[0].get("message") or {}).get("tool_calls") or ():
            function = call.get("function") or {}
            arguments = function.get("arguments")
            if not isinstance(arguments, str):  # some endpoints send an object in place of text
                arguments = json.dumps(arguments or {}, ensure_ascii=False)
            extra = call.get("extra_content")
            signed = extra if isinstance(extra, dict) else None
            actions.append(Action(str(call.get("id") or ""), str(function.get("name") or ""), arguments, signed))
        return tuple(actions)


class Agent(Protocol):
    """The interface of every agent, which is anything that completes a prompt."""

    @property
    def name(self) -> str:
        """Name of the agent as it is given on the command line: offline, recorded, openai:MODEL ..."""

    @property
    def is_offline(self) -> bool:
        """Whether the agent works without a language model; scores and drafts of such agents are marked as such."""

    @property
    def context(self) -> int | None:
        """Size of the agent's context window in tokens, or None if the size is unknown or unlimited."""

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        """Return everything that determines the reply as JSON values, without secrets. The ledger stores a call under the hash
        of the returned value, so two requests that may get different replies must have different values."""

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        """Return the highest possible cost of a call in US dollars, which is reserved in the budget before the call; 0.0 if the
        call is free, or None if prices are unknown."""

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Return the completion of the prompt. Raises AgentError if the call fails after all retries, and BenchError if the
        inputs do not fit the prompt."""


def estimate_price(agent: Agent, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
    """Return the cost in US dollars of a call whose reply has the maximum length, max_tokens; unlike `worst_price`, the cost
    does not include further tokens for thinking."""
    price = getattr(agent, "plain_price", agent.worst_price)(prompt, inputs, sampling)
    return None if price is None else float(price)


def describe_headroom(agents: Iterable[Agent]) -> list[str]:
    """Return one sentence for each agent whose model thinks before it answers. Each sentence says how many thinking tokens the
    upper cost estimate includes per reply."""
    thinking = {agent.name: tokens for agent in agents if (tokens := int(getattr(agent, "headroom", 0)))}
    return [
        f"{name} is a thinking model: the upper estimate counts {tokens:,} tokens of thinking with every reply."
        for name, tokens in thinking.items()
    ]


def can_complete(agent: Agent, prompt: Prompt) -> bool:
    """Return whether the agent can complete the prompt, as its method `is_able` says; an agent without this method can complete
    every prompt."""
    check = getattr(agent, "is_able", None)
    return check is None or bool(check(prompt))


class WaitingCalls:
    """Collects the calls in one piece of work that wait for the replies of a batch."""

    def __init__(self) -> None:
        self._first: WaitsForBatch | None = None

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Context manager for one call: if the call waits for a batch, the error WaitsForBatch is stored and not raised, so
        that the next call is made too."""
        try:
            yield
        except WaitsForBatch as waits:
            self._first = self._first or waits

    def raise_first(self) -> None:
        """Raise the first error WaitsForBatch that `hold` stored; do nothing if no call waits for a batch. Call this method
        after all calls were made."""
        if self._first is not None:
            raise self._first


async def await_each(works: Iterable[Awaitable[T]]) -> list[T]:
    """Return the results of independent awaitables, which are awaited one after another. If any awaitable waits for a batch,
    raises WaitsForBatch only after the last awaitable, so that the batch contains all requests; any other error is raised at
    once."""
    waiting, results = WaitingCalls(), list[T]()
    for work in works:
        with waiting.hold():
            results.append(await work)
    waiting.raise_first()
    return results


async def gather_each(works: Iterable[Awaitable[T]]) -> list[T]:
    """Return the results of independent awaitables, which run concurrently. After all awaitables have ended, raises the first
    error other than WaitsForBatch. Without such an error, raises WaitsForBatch if an awaitable waits for a batch."""
    import asyncio  # not at the top: --help loads this module, and calls no agent

    results = await asyncio.gather(*works, return_exceptions=True)
    errors = [result for result in results if isinstance(result, BaseException)]
    if errors:
        raise min(errors, key=lambda error: isinstance(error, WaitsForBatch))
    return [result for result in results if not isinstance(result, BaseException)]
