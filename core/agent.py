"""The protocol of an agent, which completes a filled prompt: what goes in (Sampling) and what comes out (Completion)."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Protocol

from core.nouns import Prompt

PrefillMode = Literal["message", "text"]
"""message = an unfinished last message (continue_final_message); text = all messages as one text, /v1/completions."""
Capability = Literal["logprobs", "attention", "tools"]
"""What an agent may return besides its words."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to sample one completion."""

    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 512
    seed: int | None = None
    stop: tuple[str, ...] = ()
    logprobs: bool = False
    top_logprobs: int = 0
    """With logprobs: number of likeliest tokens to return for each position; 0 = none."""
    index: int = 0
    """Which of several samples of one request this is; part of the ledger's key."""
    prefill: str = ""
    """Beginning of the reply; the completion is the text that follows it."""
    prefill_mode: PrefillMode = "message"
    """How an endpoint receives the prefill. A local model ignores this: it continues its own text."""
    tools: tuple[Mapping[str, Any], ...] = ()
    """Functions that the model may call, as the `tools` of an OpenAI-compatible endpoint."""
    turns: tuple[Mapping[str, Any], ...] = ()
    """Messages after the prompt's, in the endpoint's form: the calls made so far and their results."""

    @property
    def continuation(self) -> dict[str, Any]:
        """Prefill, tools and turns as JSON values of the request; empty for a plain request."""
        request: dict[str, Any] = {}
        if self.prefill or self.prefill_mode == "text":
            request |= {"begun": self.prefill, "begun_as": self.prefill_mode}
        return request | {name: list(map(dict, part)) for name in ("tools", "turns") if (part := getattr(self, name))}


class Action(NamedTuple):
    """A function call that the model asks for."""

    id: str
    name: str
    arguments: str
    """As the model wrote them; should be JSON."""
    extra_content: Mapping[str, Any] | None = None
    """What the endpoint wants back with the call; Gemini signs its calls."""


@dataclass(frozen=True, slots=True)
class Completion:
    """An agent's reply: the one form in which systems, judges, gates and pages see it, whatever the endpoint sends."""

    text: str
    """Without thinking."""
    tokens_in: int | None = None
    """As the endpoint counted them; None when it did not say."""
    tokens_out: int | None = None
    """With those of its thinking."""
    tokens_thinking: int | None = None
    """Part of `tokens_out` that was spent on thinking; None when the endpoint did not say."""
    thinking: str = ""
    """What the model thought before its text, where it shows that; never scored, and no part of `text`."""
    not_taken: tuple[str, ...] = ()
    """What was asked for and the endpoint does not take, each as half a sentence: "temperature 0 asked, not adjustable on this
    model"."""
    seconds: float = 0.0
    """Service time of the last attempt."""
    waited: float = 0.0
    """Seconds before the last attempt: for a free place, after a 429, between attempts."""
    retrying: float = 0.0
    """Part of `waited` after the first attempt was sent: the cost of failures. The rest is the wait for a free place."""
    finish: str = "stop"
    """stop, length, filter, or the endpoint's own word."""
    logprobs: tuple[tuple[str, float], ...] | None = None
    """(token, natural log of its probability); None unless requested and returned."""
    alternatives: tuple[tuple[float, ...], ...] | None = None
    """Natural logs of the likeliest tokens at each position of `logprobs`; None unless requested and returned."""
    price: float | None = None
    """US dollars; None when the price per token is unknown; 0.0 for agents without one."""
    attempts: int = 1
    """Requests sent for it; 0 when none was."""
    call: str | None = None
    """Id of the ledger's call, set by the ledger."""
    cached: bool = False
    """True when it came from the ledger and no request was sent."""
    raw: Mapping[str, Any] | None = None
    """The endpoint's whole reply."""
    vectors: Any = None
    """Of an embedding endpoint: float32 array (texts, d). They are kept as vectors, not in the ledger: None for a reply that
    came from there."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """The function calls of the reply, in order; () when there are none."""
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
    """Anything that completes a filled prompt."""

    @property
    def name(self) -> str:
        """Name as on the command line: offline, recorded, openai:MODEL, ..."""

    @property
    def is_offline(self) -> bool:
        """True when it uses no LLM; its scores and drafts are marked."""

    @property
    def context(self) -> int | None:
        """Context window in tokens; None when unknown or without limit."""

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        """The whole request as JSON values, without secrets. The ledger's key is its hash: requests that may get different
        replies must differ here."""

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        """Highest cost of the call in US dollars, reserved before it; None when prices are unknown, 0.0 when free."""

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Complete the prompt. Raises AgentError after all attempts, BenchError when the inputs do not fit the prompt."""


def estimate_price(agent: Agent, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
    """US dollars of a call whose reply has all of max_tokens, without the headroom that its worst price counts for thinking."""
    price = getattr(agent, "plain_price", agent.worst_price)(prompt, inputs, sampling)
    return None if price is None else float(price)


def describe_headroom(agents: Iterable[Agent]) -> list[str]:
    """For an estimate: which agents think, and what its upper end counts for that, a sentence each."""
    thinking = {agent.name: tokens for agent in agents if (tokens := int(getattr(agent, "headroom", 0)))}
    return [
        f"{name} thinks: the upper end counts {tokens:,} tokens of thinking with every reply."
        for name, tokens in thinking.items()
    ]


def can_complete(agent: Agent, prompt: Prompt) -> bool:
    """Whether the agent can complete such a prompt; only agents that work by rules know this before they try."""
    check = getattr(agent, "is_able", None)
    return check is None or bool(check(prompt))
