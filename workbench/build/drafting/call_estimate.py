"""Estimate the tokens, cost and time of LLM calls before they are made. Real inputs are filled into the prompts, and replies
are assumed to be as long and as slow as earlier replies of the same agent. An estimate sends nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, NamedTuple

from core.agent import Agent, Completion, Sampling, estimate_price
from core.ids import canonical_json
from core.nouns import Prompt
from core.text.numbered import NumberedSentences
from core.text.text import count_tokens
from store.ledger.calls import TypicalCall

UNKNOWN_REPLY_TOKENS = 160
"""Number of tokens that a reply is assumed to have if the agent has no earlier replies, unless the limit of the call is
lower."""


class CallSum(NamedTuple):
    """Tokens, cost and time of one call, or the sums over several calls; a value is None if it is unknown."""

    calls: float | None = 0.0
    """Number of calls, which, unlike the other values, is always known."""
    tokens_in: float | None = 0.0
    tokens_out: float | None = 0.0
    price: float | None = 0.0
    """Cost of the calls in US dollars, or None if unknown."""
    seconds: float | None = 0.0
    thinking_tokens: float | None = 0.0
    """Tokens that a model may spend on thinking; no other field contains them."""
    thinking_price: float | None = 0.0

    def add_thinking(self) -> "CallSum":
        """Return the upper bound of the sums, if each call spends the maximum number of tokens on thinking."""
        tokens, price = self.thinking_tokens or 0.0, self.thinking_price
        return self._replace(
            tokens_out=None if self.tokens_out is None else self.tokens_out + tokens,
            price=None if self.price is None or price is None else self.price + price,
        )

    @staticmethod
    def total(sums: Iterable["CallSum"]) -> "CallSum":
        """Return the sum of several CallSums; a value is None (unknown) if it is unknown in any of them."""
        return CallSum(*map(_sum_known, zip(*sums, strict=True)))

    @staticmethod
    def mean(samples: Sequence[Sequence["CallSum"]]) -> "CallSum":
        """Return the mean over `samples`; each sample is the list of calls for one window or item."""
        return CallSum.total(map(CallSum.total, samples)).times(1 / len(samples)) if samples else CallSum()

    def times(self, factor: float) -> "CallSum":
        """Return the sums of tokens, cost and time, multiplied by `factor`."""
        return CallSum(*(None if value is None else value * factor for value in self))

    def on_clock(self, agents: Sequence[Agent]) -> "CallSum":
        """Return the sums with `seconds` as time on the clock, because calls run in parallel and within the agents' limits of
        calls per minute."""
        rates = [rate for agent in agents if (rate := getattr(getattr(agent, "settings", None), "rpm", None))]
        by_rate = 60.0 * (self.calls or 0.0) / min(rates) if rates else 0.0
        width = min(map(count_calls_at_once, agents), default=1)
        return self._replace(seconds=None if self.seconds is None else max(self.seconds / width, by_rate))


def _sum_known(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


@dataclass(frozen=True, slots=True)
class WorkEstimate:
    """Minimum and maximum cost, tokens and time of a job before it runs; `seconds` is time on the clock."""

    least: CallSum
    most: CallSum
    notes: Sequence[str]
    """Sentences that name the basis of the estimate."""


def count_calls_at_once(agent: Agent) -> int:
    """Return how many calls of the agent run in parallel when a job starts."""
    limits = getattr(agent, "limits", None)
    return max(1, int(limits.width if limits else getattr(agent, "width", 1)))


@dataclass(slots=True)
class Rehearsal:
    """Takes the place of an agent in an estimate: it records what each call would cost, and returns the simplest reply that the
    prompt's schema allows."""

    agent: Agent
    typical: Mapping[str, TypicalCall]
    calls: list[CallSum] = field(default_factory=list)
    unknown_tokens: int = UNKNOWN_REPLY_TOKENS
    """Number of tokens that a reply is assumed to have if the agent has no earlier replies."""
    _words: Any = field(default_factory=count)

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        if prompt.messages[-2].role == "assistant":  # a second request needs the words of the text, which are unknown here
            return Completion("", price=0.0)
        sent = sum(count_tokens(message.content, prompt.language) for message in prompt.fill(inputs))
        stem = prompt.name.rpartition(".")[0]
        other_languages = (earlier for name, earlier in self.typical.items() if name.rpartition(".")[0] == stem)
        earlier = self.typical.get(prompt.name) or next(other_languages, None)
        received = float(min(self.unknown_tokens, sampling.max_tokens))
        if earlier and earlier.tokens_out is not None:
            received = earlier.tokens_out
        thinking = int(getattr(self.agent, "headroom", 0))
        sizes = [replace(sampling, max_tokens=round(received) + more) for more in (0, thinking)]
        price, most = (estimate_price(self.agent, prompt, inputs, size) for size in sizes)
        extra = None if price is None or most is None else most - price
        self.calls.append(CallSum(1, sent, received, price, earlier.seconds if earlier else None, thinking, extra))
        sentences = inputs.get("sentences")
        n = len(sentences) if isinstance(sentences, NumberedSentences) else 0
        reply = "words" if prompt.schema is None else canonical_json(self._simplest_value(prompt.schema, n))
        return Completion(reply, price=0.0)

    def _simplest_value(self, schema: Mapping[str, Any], sentences: int) -> Any:
        """Return the simplest value that fits the schema. A list of integers contains the number of every sentence, and all
        strings are different."""
        kind = schema.get("type", "string")
        kind = next(k for k in kind if k != "null") if isinstance(kind, list) else kind
        if "enum" in schema:
            return schema["enum"][0]
        if kind == "object":
            parts = schema.get("properties", {}).items()
            return {name: self._simplest_value(part, sentences) for name, part in parts if name != "none"}
        if kind == "array":
            inside = schema.get("items", {})
            if inside.get("type") == "integer" and sentences:  # evidence from every document
                return list(range(1, sentences + 1))
            return [self._simplest_value(inside, sentences) for _ in range(max(1, schema.get("minItems", 1)))]
        if kind in ("integer", "number"):
            return max(1, schema.get("minimum", 1))
        return True if kind == "boolean" else f"w{next(self._words)}"
