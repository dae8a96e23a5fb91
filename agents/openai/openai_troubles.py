"""Classifies failures of a request to an OpenAI-compatible endpoint and says what to do next: retry, wait, change the request,
or stop. Every message is one line and contains no API key."""

import re
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, Literal

from agents.openai.openai_wire import Allowed, allowed_by
from agents.openai.refusal import NOT_SAID, Refusal, read_refusal
from core.json_lines import describe_json_error

if TYPE_CHECKING:
    import openai

Next = Literal["again", "wait", "plainer", "stop"]

_SECRETS = re.compile(r"(?i)bearer\s+\S+|\bbasic\s+(?=[\w+/]*[=\d])[\w+/]{6,}=*|\bsk-[\w-]{6,}|(?<=://)[^/\s@]+@")
_TOO_LONG = re.compile(r"(?i)context[ _]length|context window|too (long|large|many tokens)|maximum.{0,20}tokens")
_REFUSED_500 = re.compile(r"(?i)unsupported param|requires --jinja|role not supported")
"""Pattern of error messages of llama.cpp and others that answer status 500 to a parameter they do not support."""
MIN_KEY_CHARACTERS = 8
"""Least number of characters of an API key that is a secret."""
_MAX_WAIT_SECONDS = 300.0
"""Longest Retry-After, in seconds, that a request waits for; a longer one means that the quota is exhausted."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why one request to an endpoint failed, and what to do next."""

    kind: str
    """Kind of the failure, as in AgentError.kind: timeout, connection, server, rate_limit, refused, too_long, filter,
    malformed."""
    why: str
    """Cause of the failure as the end of a sentence, such as "answered 500 (overloaded)"."""
    next: Next
    """What to do next: again = retry, counted as a try; wait = retry, not counted; plainer = omit the refused parameter; stop =
    give up."""
    stops_job: bool = False
    wait: float | None = None
    """Seconds to wait before the next request, as the endpoint asks; None = it does not say."""
    refusal: Refusal = NOT_SAID
    """Parameter that the endpoint refused, as far as it names one; set if `next` is plainer."""
    advice: str = ""
    """Sentence on what the user should check, or ""."""
    allowed: Allowed | None = None
    """Rate limits per minute that the endpoint reports with the failure; None = not reported."""
    raw: Mapping[str, Any] | None = None
    """Endpoint's reply to the failed request, kept because it may have been charged; None if there is none."""


def redact(text: str, key: str) -> str:
    """Return the text as one line of at most 300 characters, with the API key and other secrets replaced by "[key]". A key that
    is shorter than MIN_KEY_CHARACTERS is a placeholder such as "none", which may be a part of any word, and stays."""
    if len(key) >= MIN_KEY_CHARACTERS:
        text = text.replace(key, "[key]")
    return " ".join(_SECRETS.sub("[key]", text).split())[:300]


def trouble_of(error: Exception, key: str, sent: Collection[str] = (), extra: Collection[str] = ()) -> Trouble:
    """Classify an exception of the openai package, of its HTTP transport, or of JSON decoding. `sent` and `extra` describe the
    request, see read_refusal."""
    import httpx2
    import openai

    from agents.openai.openai_shape import ErrorInBody, Misshapen

    if isinstance(error, Misshapen):
        why = f"answered JSON that is not a completion ({redact(str(error), key)})"
        advice = "The reply is stored and not requested again: check whether the endpoint is OpenAI-compatible."
        return Trouble("malformed", why, "stop", advice=advice, raw=error.raw)
    if isinstance(error, TimeoutError | openai.APITimeoutError | httpx2.TimeoutException):
        return Trouble("timeout", "did not answer in time", "again", advice="Set agent.timeout higher, or try later.")
    if isinstance(error, openai.APIStatusError):
        return trouble_of_status(error.status_code, read_body(error), error.response.headers, key, sent, extra)
    if isinstance(error, ErrorInBody):
        description = error.body["error"]
        code = str(description.get("code") or description.get("status") or "") if isinstance(description, Mapping) else ""
        status = int(code) if re.fullmatch("[45][0-9][0-9]", code) else 500
        trouble = trouble_of_status(status, error.body, {}, key, sent, extra)
        return replace(trouble, why=trouble.why.replace(f"answered {status}", "answered with an error", 1))
    cause = error.__cause__ if isinstance(error, openai.APIConnectionError) else error
    if isinstance(cause, httpx2.RemoteProtocolError | httpx2.ReadError):
        return Trouble("server", "broke off its answer", "again")
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        why = f"could not be reached ({redact(str(cause or error), key)})"
        return Trouble("connection", why, "again", advice="Check its address (OPENAI_BASE_URL, or the Agents page).")
    if isinstance(error, ValueError):
        why = describe_json_error(error) if isinstance(error, JSONDecodeError) else str(error)
        return Trouble("server", f"answered something that is not a completion ({redact(why, key)})", "again")
    return Trouble("server", f"failed ({redact(str(error), key)})", "again")


def trouble_of_status(
    status: int, body: Any, headers: Mapping[str, str], key: str, sent: Collection[str], extra: Collection[str]
) -> Trouble:
    """Classify an answer that has an error status; `sent` and `extra` describe the request, see read_refusal."""
    words, code = _words(body), _code(body)
    text = redact(words, key)
    why = f"answered {status} ({text})" if text else f"answered {status}"
    if status == 429:
        wait = retry_after(headers)
        used_up = code == "insufficient_quota" or (wait or 0) > _MAX_WAIT_SECONDS
        advice = "Resume when the quota is renewed." if used_up else "Resume later, or set agent.rpm lower."
        next_step: Next = "stop" if used_up else "wait"
        return Trouble("rate_limit", why, next_step, stops_job=used_up, wait=wait, advice=advice, allowed=allowed_by(headers))
    if status in (408, 409) or (status >= 500 and not (status == 500 and _REFUSED_500.search(words))):
        return Trouble("timeout" if status == 408 else "server", why, "again", wait=retry_after(headers))
    if code in ("content_filter", "content_policy_violation") or _is_flagged(body):
        return Trouble("filter", why, "stop")
    if status == 413 or code == "context_length_exceeded":
        return Trouble("too_long", why, "stop")
    if status in (400, 422, 500):
        refusal = read_refusal(body, sent, extra)
        if _TOO_LONG.search(words) and (refusal.parameter != "token_limit" or not (refusal.is_general or refusal.most)):
            return Trouble("too_long", why, "stop")
        return Trouble("refused", why, "plainer", stops_job=True, refusal=refusal)
    where = "Check its address (OPENAI_BASE_URL, or the Agents page) and the model's name."
    advice = "Check OPENAI_API_KEY." if status in (401, 403) else where
    if status in (403, 404):  # OpenAI on log-probabilities, OpenRouter on functions; never because of a field of agent.extra
        refusal = read_refusal(body, sent)
        if refusal.parameter == "tools" or (refusal.parameter and refusal.is_general):
            return Trouble("refused", why, "plainer", stops_job=True, refusal=refusal)
    return Trouble("refused", why, "stop", stops_job=True, advice=advice)


def read_body(error: "openai.APIStatusError") -> Any:
    """Return the whole body of an error answer, as decoded JSON or else as text."""
    try:
        return error.response.json()
    except (ValueError, RecursionError):
        return error.body or error.response.text


def _words(body: Any) -> str:
    """Return the endpoint's error message from a body, or the body as text if it contains no message."""
    if isinstance(body, list) and len(body) == 1:  # Gemini wraps the error in a list
        body = body[0]
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        if not isinstance(inner, Mapping):
            return str(inner or "")
        message = inner.get("message") or inner.get("detail") or body.get("message") or body.get("detail")
        metadata = inner.get("metadata")
        raw = metadata.get("raw") if isinstance(metadata, Mapping) else None  # error of the provider behind a router
        return " ".join(str(part) for part in (message, raw) if part)
    return str(body or "")


def _is_flagged(body: Any) -> bool:
    """Return whether OpenRouter says that moderation has flagged the input; it answers status 403, as for a wrong key."""
    inner = body.get("error") if isinstance(body, Mapping) else None
    metadata = inner.get("metadata") if isinstance(inner, Mapping) else None
    return isinstance(metadata, Mapping) and bool(metadata.get("reasons") or metadata.get("flagged_input"))


def _code(body: Any) -> str:
    """Return the error code from the body of an answer; "" if there is none."""
    inner = body.get("error", body) if isinstance(body, Mapping) else {}
    return str(inner.get("code") or "") if isinstance(inner, Mapping) else ""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the headers Retry-After-Ms or Retry-After (seconds or an HTTP date) ask to wait, or None if they
    are absent or unreadable."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "")
        if re.fullmatch(r"\s*\d+(\.\d*)?\s*", value):
            return float(value) / unit
        if value:
            try:
                return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
            except (ValueError, OverflowError):
                continue
    return None
