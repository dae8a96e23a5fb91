"""How to use one model of one endpoint: prices, limits, and what is set in place of what prompts ask."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from agents.openai.profile import Profile


@dataclass(frozen=True, slots=True)
class OpenAISettings:
    """How to use one model of one endpoint."""

    price_in: float | None = None
    """US dollars per million tokens sent; None = unknown."""
    price_out: float | None = None
    """US dollars per million tokens received; None = unknown."""
    context: int | None = None
    """Context window in tokens."""
    rpm: float | None = None
    """Requests per minute."""
    tpm: float | None = None
    """Tokens per minute, sent and received."""
    concurrency: int | None = None
    """Calls in flight, at the start and at most; None = start with 8 and grow up to 64 while the endpoint lets us."""
    timeout: float = 60.0
    """Seconds for one request, its whole answer included; when streaming, seconds without news."""
    temperature: float | None = None
    """Overrides every prompt's own temperature: some models take only one."""
    max_tokens: int | None = None
    """Overrides every prompt's own limit of a reply."""
    structured: Literal["auto", "schema", "json", "prompt"] = "auto"
    """How to ask for JSON: by JSON schema, as any JSON object, in words only; auto = the first that the endpoint takes."""
    reasoning: str = "default"
    """Sent as reasoning_effort: none, minimal, low, medium, high, xhigh; default = not sent."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Merged into every request."""
    thinking_tokens: int | None = None
    """Tokens for thinking, added to the limit of every reply; None = THINKING_TOKENS once the model was seen to think."""
    takes: Profile = field(default_factory=Profile)
    """What the endpoint takes, where that is set by hand and not learned."""
    tries: int = 3
    """Requests per call, 429 answers apart."""
    waits: int = 10
    """429 answers that one call sits out."""
    backoff: float = 1.0
    """Seconds before the second try, doubled for the third, with jitter."""
    cool_down: float = 2.0
    """Seconds to hold back after a 429 that does not say how long."""
