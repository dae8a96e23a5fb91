"""Settings for one model of an endpoint: prices, limits, and values that override those of the prompts."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from agents.openai.profile import Profile


@dataclass(frozen=True, slots=True)
class OpenAISettings:
    """Settings for one model of an endpoint: prices, limits, retries and sampling."""

    price_in: float | None = None
    """Price in US dollars per million input tokens; None = unknown."""
    price_out: float | None = None
    """Price in US dollars per million output tokens; None = unknown."""
    batch_factor: float = 0.5
    """Price of a request in a batch as a share of the usual price, such as 0.5."""
    batch_price_in: float | None = None
    """Price in US dollars per million input tokens in a batch; None = the usual price times `batch_factor`."""
    batch_price_out: float | None = None
    """Price in US dollars per million output tokens in a batch; None = the usual price times `batch_factor`."""
    context: int | None = None
    """Context window of the model in tokens; None = unknown."""
    rpm: float | None = None
    """Maximum requests per minute to the endpoint; None = no limit until the endpoint reports one."""
    tpm: float | None = None
    """Maximum tokens per minute, input and output together; None = no limit until the endpoint reports one."""
    concurrency: int | None = None
    """Number of concurrent calls; None = start with 8 and grow to at most 64 while the endpoint accepts them."""
    timeout: float = 60.0
    """Timeout in seconds for one request until its answer is complete; for a streamed answer, between two pieces of it."""
    temperature: float | None = None
    """Temperature that overrides the temperature of every prompt, for models that accept only one value."""
    max_tokens: int | None = None
    """Maximum tokens of a reply, overriding the limit of every prompt."""
    structured: Literal["auto", "schema", "json", "prompt"] = "auto"
    """How JSON replies are requested: by JSON schema, as any JSON object, or in words only; auto = the first way that the
    endpoint accepts."""
    reasoning: str = "default"
    """Value of the parameter reasoning_effort: none, minimal, low, medium, high or xhigh; default = the parameter is not
    sent."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields that are merged into the body of every request."""
    thinking_tokens: int | None = None
    """Number of tokens for thinking that are added to the limit of every reply; None = DEFAULT_THINKING_TOKENS once the model
    has returned thinking."""
    takes: Profile = field(default_factory=Profile)
    """What a person set by hand about the parameters that the endpoint accepts; it overrides what is learned."""
    tries: int = 3
    """Maximum number of requests for one call; requests answered with status 429 do not count."""
    waits: int = 10
    """Number of answers with status 429 (too many requests) after which a call fails."""
    backoff: float = 1.0
    """Seconds to wait before the second request of a call; doubled before the third, with random jitter."""
    cool_down: float = 2.0
    """Seconds to pause after an answer with status 429 that has no Retry-After header."""

    @property
    def at_batch_prices(self) -> "OpenAISettings":
        """Return the settings with the prices of a batch in place of the usual prices."""
        usual, own = (self.price_in, self.price_out), (self.batch_price_in, self.batch_price_out)
        price_in, price_out = (
            batch if batch is not None else None if price is None else price * self.batch_factor
            for price, batch in zip(usual, own, strict=True)
        )
        return replace(self, price_in=price_in, price_out=price_out)
