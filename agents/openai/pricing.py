"""Estimates the tokens and price of a request before it is sent, and computes them after the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agents.openai.openai_settings import OpenAISettings
from core.agent import Completion, Sampling
from core.ids import canonical_json
from core.nouns import Message, Prompt

PRICE_MARGIN = 1.3
"""Factor by which the estimated tokens of a request are multiplied for an upper bound on its price."""
MESSAGE_TOKENS = 4
"""Approximate number of tokens with which a chat format delimits one message."""


def count_request_tokens(messages: Sequence[Message], prompt: Prompt, sampling: Sampling) -> int:
    """Estimate the input tokens of a request: messages, functions and reply schema, in whichever way the schema is sent."""
    from core.text.text import count_tokens

    schema = count_tokens(canonical_json(prompt.schema), "en") if prompt.schema else 0
    more = count_tokens(canonical_json(sampling.continuation), prompt.language) if sampling.tools or sampling.turns else 0
    return schema + more + sum(count_tokens(message.content, prompt.language) + MESSAGE_TOKENS for message in messages)


def price_request(settings: OpenAISettings, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
    """Return the highest price of a request in US dollars, which includes a reply of max_tokens tokens, or None if prices are
    unknown."""
    if settings.price_in is None or settings.price_out is None:
        return None
    tokens_in = PRICE_MARGIN * count_request_tokens(prompt.fill(inputs), prompt, sampling)
    return (tokens_in * settings.price_in + sampling.max_tokens * settings.price_out) / 1e6


def price_reply(
    settings: OpenAISettings,
    last: Completion,
    cut: Sequence[Completion],
    attempts: int,
    seconds: float,
    waited: float,
    retrying: float,
) -> Completion:
    """Return the final reply with its times and price. The reply's token counts include those of earlier replies that were cut
    off."""
    counts: dict[str, Any] = {
        name: _sum_known([getattr(reply, name) for reply in (*cut, last)])
        for name in ("tokens_in", "tokens_out", "tokens_thinking")
    }
    prices = ((settings.price_in, counts["tokens_in"]), (settings.price_out, counts["tokens_out"]))
    is_priced = all(price is not None and count is not None for price, count in prices)
    return replace(
        last,
        **counts,
        seconds=seconds,
        waited=waited,
        retrying=retrying,
        price=sum((price or 0.0) * (count or 0) for price, count in prices) / 1e6 if is_priced else None,
        attempts=attempts,
    )


def _sum_known(counts: Sequence[int | None]) -> int | None:
    """Return the sum of the counts, or None if any of them is unknown."""
    return None if None in counts else sum(count or 0 for count in counts)
