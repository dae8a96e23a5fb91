"""What an agent is: something that completes a filled prompt. The protocol, what goes in (Sampling) and what comes out
(Completion)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Protocol

from core.nouns import Prompt

PrefillMode = Literal["message", "text"]
"""message = a last message that is not finished (continue_final_message); text = all messages as one text, /v1/completions."""
Capability = Literal["logprobs", "attention", "tools"]
"""What an agent may give beside the words."""


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
    """With logprobs: so many of the likeliest tokens at each place, too; 0 = none."""
    index: int = 0
    """Which of several samples of one request this is; part of the ledger's key."""
    prefill: str = ""
    """What the reply says already: it goes on from there, and the completion is what comes after."""
    prefill_mode: PrefillMode = "message"
    """How an endpoint is told of it. A local model goes on within its own words, whatever stands here."""
    tools: tuple[Mapping[str, Any], ...] = ()
    """Functions that may be called, as the `tools` of an OpenAI-compatible endpoint."""
    turns: tuple[Mapping[str, Any], ...] = ()
    """Messages behind the prompt's, in the endpoint's form: the calls that were made and what came of each."""

    @property
    def continuation(self) -> dict[str, Any]:
        """What makes a request that goes on another one, or may call functions, as JSON values; nothing for a plain one."""
        begun = {"begun": self.prefill, "begun_as": self.prefill_mode} if self.prefill or self.prefill_mode == "text" else {}
        tools = {"tools": [dict(tool) for tool in self.tools]} if self.tools else {}
        return {**begun, **tools, **({"turns": [dict(turn) for turn in self.turns]} if self.turns else {})}


class Action(NamedTuple):
    """A function that the model wants called."""

    id: str
    name: str
    arguments: str
    """As the model wrote them; meant to be JSON."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back."""

    text: str
    tokens_in: int | None = None
    """As the endpoint counted them; None when it did not say."""
    tokens_out: int | None = None
    seconds: float = 0.0
    """Service time of the last attempt."""
    waited: float = 0.0
    """Seconds before it: for a free place, after a 429, between attempts."""
    retrying: float = 0.0
    """Of these, the ones since the first attempt was sent: what its failing cost. The rest is the wait for a free place."""
    finish: str = "stop"
    """stop, length, filter, or the endpoint's own word."""
    logprobs: tuple[tuple[str, float], ...] | None = None
    """(token, natural log of its probability) when asked for and given."""
    alternatives: tuple[tuple[float, ...], ...] | None = None
    """The logs of the likeliest tokens at each place, beside `logprobs`, when asked for and given."""
    price: float | None = None
    """US dollars; None when the price per token is unknown; 0.0 for agents without one."""
    attempts: int = 1
    """Requests that left this process for it; 0 when none did."""
    call: str | None = None
    """Id of the ledger's call, set by the ledger."""
    cached: bool = False
    """True when the ledger had it: nothing was sent."""
    raw: Mapping[str, Any] | None = None
    """The endpoint's whole reply."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """The functions that it wants called, in order; () when it calls none."""
        choices = (self.raw or {}).get("choices") or [{}]
        called = (choices[0].get("message") or {}).get("tool_calls") or ()
        asked = [(str(one.get("id") or ""), one.get("function") or {}) for one in called]
        return tuple(Action(id_, str(f.get("name") or ""), _arguments_as_text(f.get("arguments"))) for id_, f in asked)

    def mark_stored(self, call: str, cached: bool) -> "Completion":
        return replace(self, call=call, cached=cached)


class Agent(Protocol):
    """Anything that completes a filled prompt."""

    @property
    def name(self) -> str:
        """As on the command line: offline, recorded, openai:MODEL, ..."""

    @property
    def is_offline(self) -> bool:
        """True when no LLM stands behind it; its scores and drafts carry that mark."""

    @property
    def context(self) -> int | None:
        """Context window in tokens; None when unknown or without limit."""

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        """The whole request as JSON values, without secrets: what the ledger's key is a hash of. Two requests that may be
        answered differently differ here."""

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        """US dollars that the call can cost at most, to reserve before it; None when prices are unknown, 0.0 when free."""

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Complete the prompt. Raises AgentError after its attempts, BenchError when the inputs do not fit the prompt."""


def can_complete(agent: Agent, prompt: Prompt) -> bool:
    """Whether the agent can complete such a prompt: an agent that works by rules says so before it is asked, others may try."""
    check = getattr(agent, "is_able", None)
    return check is None or bool(check(prompt))


def _arguments_as_text(arguments: object) -> str:
    """Some endpoints give the arguments as an object, where a text is due."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
