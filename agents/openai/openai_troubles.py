"""What went wrong with one request to an OpenAI-compatible endpoint, and what follows from it: try again, wait, ask in
another way, or give up. Every text is one line, without the key."""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, Literal

from agents.openai.openai_wire import Allowed, allowed_by
from core.json_lines import describe_json_error

if TYPE_CHECKING:
    import openai

Next = Literal["again", "wait", "plainer", "stop"]

_SECRETS = re.compile(r"(?i)bearer\s+\S+|\bbasic\s+(?=[\w+/]*[=\d])[\w+/]{6,}=*|\bsk-[\w-]{6,}|(?<=://)[^/\s@]+@")
_TOO_LONG = re.compile(r"(?i)context[ _]length|context window|too (long|large|many tokens)|maximum.{0,20}tokens")
_OTHER_LIMIT = re.compile(r"max_completion_tokens")
_PATIENCE = 300.0
"""Seconds of Retry-After that are waited for; a longer one means a used up quota, not a busy moment."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One failed request."""

    kind: str
    """timeout, connection, server, rate_limit, refused, too_long, filter, malformed: as AgentError.kind."""
    why: str
    """Half a sentence: "answered 500 (overloaded)"."""
    next: Next
    """again = counts as a try; wait = does not; plainer = the endpoint may not know a parameter; stop = no use."""
    stops_job: bool = False
    wait: float | None = None
    """Seconds that the endpoint asked us to wait."""
    drop: Literal["response_format", "max_tokens"] = "response_format"
    """With next = plainer: the parameter that the endpoint most likely does not know."""
    advice: str = ""
    """A sentence on what to look at, or nothing."""
    allowed: Allowed | None = None
    """What the endpoint says it allows a minute."""
    raw: Mapping[str, Any] | None = None
    """What came back, where it is a reply that may have been paid."""


def redact(text: str, key: str) -> str:
    """The text in one line of at most 300 characters, every secret replaced."""
    if key:
        text = text.replace(key, "[key]")
    return " ".join(_SECRETS.sub("[key]", text).split())[:300]


def trouble_of(error: Exception, key: str) -> Trouble:
    """Read an exception of the openai package, of its transport, or of JSON."""
    import httpx2
    import openai

    from agents.openai.openai_shape import Misshapen

    if isinstance(error, Misshapen):
        why = f"answered JSON that is not a completion ({redact(str(error), key)})"
        advice = "The reply is kept and not asked for again: look at whether the endpoint is OpenAI-compatible."
        return Trouble("malformed", why, "stop", advice=advice, raw=error.raw)
    if isinstance(error, TimeoutError | openai.APITimeoutError | httpx2.TimeoutException):
        return Trouble("timeout", "did not answer in time", "again", advice="Set agent.timeout higher, or try later.")
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, key)
    cause = error.__cause__ if isinstance(error, openai.APIConnectionError) else error
    if isinstance(cause, httpx2.RemoteProtocolError | httpx2.ReadError):
        return Trouble("server", "broke off its answer", "again")
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        why = f"could not be reached ({redact(str(cause or error), key)})"
        return Trouble("connection", why, "again", advice="Look at its address (OPENAI_BASE_URL, or the agents page).")
    if isinstance(error, ValueError):
        why = describe_json_error(error) if isinstance(error, JSONDecodeError) else str(error)
        return Trouble("server", f"answered something that is not a completion ({redact(why, key)})", "again")
    return Trouble("server", f"failed ({redact(str(error), key)})", "again")


def _of_status(error: "openai.APIStatusError", key: str) -> Trouble:
    status, text = error.status_code, redact(_words(error), key)
    why = f"answered {status} ({text})" if text else f"answered {status}"
    if status == 429:
        wait = retry_after(error.response.headers)
        used_up = error.code == "insufficient_quota" or (wait or 0) > _PATIENCE
        advice = "Go on when the quota is renewed." if used_up else "Go on later, or set agent.rpm lower."
        return Trouble(
            "rate_limit",
            why,
            "stop" if used_up else "wait",
            stops_job=used_up,
            wait=wait,
            advice=advice,
            allowed=allowed_by(error.response.headers),
        )
    if status in (408, 409) or status >= 500:
        return Trouble("timeout" if status == 408 else "server", why, "again", wait=retry_after(error.response.headers))
    if error.code == "content_filter":
        return Trouble("filter", why, "stop")
    if status == 413 or error.code == "context_length_exceeded":
        return Trouble("too_long", why, "stop")
    if status in (400, 422):
        if _TOO_LONG.search(text) and not _OTHER_LIMIT.search(text):
            return Trouble("too_long", why, "stop")
        drop: Literal["response_format", "max_tokens"] = "max_tokens" if _OTHER_LIMIT.search(text) else "response_format"
        advice = "Set agent.temperature to what the model takes." if "temperature" in text else ""
        return Trouble("refused", why, "plainer", stops_job=True, drop=drop, advice=advice)
    where = "Look at its address (OPENAI_BASE_URL, or the agents page) and the model's name."
    advice = "Look at OPENAI_API_KEY." if status in (401, 403) else where
    return Trouble("refused", why, "stop", stops_job=True, advice=advice)


def _words(error: "openai.APIStatusError") -> str:
    """The endpoint's own message where it sent one, else what stands in the body."""
    body = error.body
    if isinstance(body, dict):
        message = body.get("message") or body.get("detail")
        return str(message) if message else ""
    return str(body or "")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds from Retry-After-Ms or Retry-After (seconds or an HTTP date); None when absent or unreadable."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "")
        if re.fullmatch(r"\s*\d+(\.\d*)?\s*", value):
            return float(value) / unit
        if value:
            try:
                return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
            except ValueError:
                continue
    return None
