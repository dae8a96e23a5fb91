"""Settings for one model of one endpoint: prices, limits, and overrides of the prompts' parameters."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from agents.openai.profile import Profile


@dataclass(frozen=True, slots=True)
class OpenAISettings:
    """Settings for one model of one endpoint."""

    price_in: float | None = None
    """Price in US dollars per million input tokens; None = unknown."""
    price_out: float | None = None
    """Price in US dollars per million output tokens; None = unknown."""
    batch_factor: float = 0.5
    """Price of a request of the Batch API, as a share of the usual price."""
    batch_price_in: float | None = None
    """Price in US dollars per million input tokens of the Batch API; None = the usual price times `batch_factor`."""
    batch_price_out: float | None = None
    """Price in US dollars per million output tokens of the Batch API; None = the usual price times `batch_factor`."""
    context: int | None = None
    """Context window in tokens."""
    rpm: float | None = None
    """Requests per minute."""
    tpm: float | None = None
    """Tokens per minute, input and output."""
    concurrency: int | None = None
    """Initial and maximum number of concurrent calls; None = start with 8 and grow to at most 64 while the endpoint accepts
    them."""
    timeout: float = 60.0
    """Timeout in seconds for one request, including its whole answer; when streaming, for the time between two pieces."""
    temperature: float | None = None
    """Temperature that overrides that of every prompt, for models that accept only one value."""
    max_tokens: int | None = None
    """Maximum reply tokens, overriding that of every prompt."""
    structured: Literal["auto", "schema", "json", "prompt"] = "auto"
    """Way to request JSON: by JSON schema, as any JSON object, or in words only; auto = the first that the endpoint accepts."""
    reasoning: str = "default"
    """Value of reasoning_effort: none, minimal, low, medium, high, xhigh; default = not sent."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields merged into every request."""
    thinking_tokens: int | None = None
    """Tokens for thinking, added to the limit of every reply; None = DEFAULT_THINKING_TOKENS once the model returned
    thinking."""
    takes: Profile = field(default_factory=Profile)
    """Profile fields set by hand, which override the learned ones."""
    tries: int = 3
    """Maximum number of requests per call, not counting 429 answers."""
    waits: int = 10
    """Number of 429 answers after which a call fails."""
    backoff: float = 1.0
    """Seconds before the second try, doubled for the third, with jitter."""
    cool_down: float = 2.0
    """Seconds to pause after a 429 without Retry-After."""

    @property
    def at_batch_prices(self) -> "OpenAISettings":
        """Returns the settings with the prices of the Batch API."""
        usual, own = (self.price_in, self.price_out), (self.batch_price_in, self.batch_price_out)
        price_in, price_out = (
            batch if batch is not None else None if price is None else price * self.batch_factor
            for price, batch in zip(usual, own, strict=True)
        )
        return replace(self, price_in=price_in, price_out=price_out)
