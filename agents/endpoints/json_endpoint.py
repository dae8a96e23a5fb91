"""Client that sends JSON requests to an endpoint and retries temporary failures. Every request counts against the endpoint's
rate limits, and no error message contains the API key."""

import asyncio
import random
import re
import time
from collections.abc import Hashable
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from agents.openai.limits import Limits, share_limits
from agents.openai.openai_troubles import redact, retry_after
from agents.openai.openai_wire import allowed_by
from core.errors import AgentError
from core.inner_network import InsideNetwork, build_client_options

MAX_QUOTA_WAIT_SECONDS = 300.0
"""Longest Retry-After, in seconds, that a request waits for; a longer one means that the quota is exhausted."""
MAX_KEPT_CHARACTERS = 20_000
"""Number of characters of a malformed reply that its error keeps."""
_TOO_LARGE = re.compile(
    r"(?i)batch size|too (many|long|large)|larger than|maximum|at most|exceed|context (length|window)|must have less than|max_"
)
"""Pattern of the error messages by which endpoints reject a request as too large. Text Embeddings Inference: "batch size 33 >
maximum allowed batch size 32", "`inputs` must have less than 512 tokens"; DashScope: "batch size is invalid, it should not be
larger than 10"; OpenAI: "maximum context length"."""


class RequestSettings(NamedTuple):
    """Rate limits, timeout and retries for the requests to one endpoint."""

    rpm: float | None = None
    """Maximum requests per minute to the endpoint; None = no limit until the endpoint reports one."""
    tpm: float | None = None
    """Maximum tokens per minute that are sent to the endpoint; None = no limit until the endpoint reports one."""
    concurrency: int | None = None
    """Maximum number of concurrent calls; None = start with 8 and grow to at most 64 while the endpoint accepts them."""
    timeout: float = 60.0
    """Maximum seconds to wait for the answer to one request."""
    tries: int = 3
    """Maximum number of requests for one call; requests answered with status 429 do not count."""
    waits: int = 10
    """Number of answers with status 429 (too many requests) after which a call fails."""
    backoff: float = 1.0
    """Seconds to wait before the second request of a call; doubled before the third, with random jitter."""
    cool_down: float = 2.0
    """Seconds to pause after an answer with status 429 that has no Retry-After header."""


class JsonReply(NamedTuple):
    """A successful reply of an endpoint to one JSON request."""

    data: Any
    """Body of the endpoint's reply, decoded from JSON."""
    attempts: int
    seconds: float
    """Duration of the successful attempt in seconds, without earlier attempts."""
    waited: float
    retrying: float


class RefusedRequest(AgentError):
    """Error for a request that the endpoint rejects with a 4xx status."""

    words: str = ""
    """Error message of the endpoint, as one line without the API key."""


class _Failure(NamedTuple):
    kind: str
    why: str
    is_temporary: bool
    """Whether the failure is temporary, so that sending the request again may succeed."""
    words: str = ""
    wait: float | None = None
    """Seconds to wait before the next request, as the endpoint asks in Retry-After."""


class JsonEndpoint:
    """Client for JSON requests to one URL, with rate limits and retries."""

    def __init__(self, name: str, url: str, key: str, settings: RequestSettings, advice: str) -> None:
        """`name` and `advice` appear in error messages; `advice` says where to set the address and the key."""
        self.name, self.url, self.settings, self._key, self._advice = name, url, settings, key, advice
        width, rates = settings.concurrency, (settings.rpm, settings.tpm)
        self._place: Hashable = ("endpoints", url, name, key, width, rates)
        self._own_limits = Limits(
            start=width or 8, maximum=width or 64, rpm=rates[0], tpm=rates[1], cool_down=settings.cool_down
        )
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    @property
    def shown_url(self) -> str:
        """URL of the endpoint for display, without the user name or password in it."""
        return re.sub(r"(?<=://)[^/@]+@", "", self.url)

    async def post(self, body: dict[str, Any], tokens: float = 0.0) -> JsonReply:
        """Post `body` as JSON and return the endpoint's reply. `tokens` is the estimated number of tokens in the body. Raises
        AgentError if the last retry fails, and RefusedRequest for a 4xx status that is not retried; the error's kind is
        too_long if the request is too large."""
        limits, settings = share_limits(self._place, self._own_limits), self.settings
        began, first = time.monotonic(), 0.0
        attempts = tries = waits = 0
        while True:
            async with limits.place(tokens if limits.counts_tokens else 0.0, goes_first=attempts > 0):
                attempts += 1
                sent = time.monotonic()
                first = first or sent
                try:
                    outcome = await self._send(body, limits)
                except InsideNetwork as error:
                    raise AgentError(str(error), kind="refused", attempts=attempts - 1, stops_job=True) from error
                seconds = time.monotonic() - sent
            if not isinstance(outcome, _Failure):
                limits.note_success()
                return JsonReply(outcome, attempts, seconds, sent - began, sent - first)
            if outcome.kind == "rate_limit":
                waits += 1
                if waits >= settings.waits or (outcome.wait or 0) > MAX_QUOTA_WAIT_SECONDS:
                    raise self._build_error(outcome, attempts)
                await asyncio.sleep(limits.note_refusal(outcome.wait))
                continue
            tries += 1
            if not outcome.is_temporary or tries >= settings.tries:
                raise self._build_error(outcome, attempts)
            pause = settings.backoff * 2 ** (tries - 1) * random.uniform(0.5, 1.5)
            await asyncio.sleep(min(60.0, max(pause, outcome.wait or 0.0)))

    async def close(self) -> None:
        """Close the connections of the current event loop. The endpoint can still be used afterwards."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()

    def refuse_reply(self, why: str, data: Any, attempts: int) -> AgentError:
        """Return the error for a reply whose JSON has an unexpected shape. The error contains the reply, because the request
        may have been charged; the request is not retried."""
        text = (
            f"{self.name} at {self.shown_url} answered JSON of an unexpected shape ({why}). The reply is kept; {self._advice}"
        )
        return AgentError(
            text, kind="malformed", attempts=attempts, stops_job=True, raw={"unread": str(data)[:MAX_KEPT_CHARACTERS]}
        )

    async def _send(self, body: dict[str, Any], limits: Limits) -> Any:
        """Send one HTTP request and return the decoded JSON of its reply, or a _Failure."""
        import httpx2

        try:
            response = await self._client().post(self.url, json=body)
        except httpx2.TimeoutException:
            return _Failure("timeout", "did not answer in time", True)
        except httpx2.TransportError as error:
            return _Failure("connection", f"could not be reached ({redact(str(error), self._key)})", True)
        if allowed := allowed_by(response.headers):
            limits.adopt_rates(*allowed)
        status = response.status_code
        try:
            data = response.json()
        except ValueError:
            data = None
        if status == 200:
            return _Failure("server", "answered something that is not JSON", True) if data is None else data
        words = redact(read_words(data) or response.text, self._key)
        why, wait = f"answered {status} ({words})" if words else f"answered {status}", retry_after(response.headers)
        if status == 429:
            return _Failure("rate_limit", why, True, words, wait)
        if status in (408, 409) or status >= 500:
            return _Failure("timeout" if status == 408 else "server", why, True, words, wait)
        is_large = status == 413 or (status in (400, 422) and _TOO_LARGE.search(words))
        return _Failure("too_long" if is_large else "refused", why, False, words)

    def _client(self) -> Any:
        """Return the HTTP client that belongs to the current event loop."""
        import httpx2

        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            self._clients[loop] = httpx2.AsyncClient(timeout=self.settings.timeout, headers=headers, **build_client_options())
        return self._clients[loop]

    def _build_error(self, failure: _Failure, attempts: int) -> AgentError:
        times = f" after {attempts} requests" if attempts > 1 else ""
        text = f"{self.name} at {self.shown_url} {failure.why}{times}. {self._advice}"
        if failure.is_temporary:
            return AgentError(text, kind=failure.kind, attempts=attempts, stops_job=True)
        error = RefusedRequest(text, kind=failure.kind, attempts=attempts, stops_job=failure.kind == "refused")
        error.words = failure.words
        return error


def read_words(data: Any) -> str:
    """Return the error message in a response body, whichever of the usual fields contains it; "" if none does."""
    if isinstance(data, list):
        return "; ".join(filter(None, map(read_words, data)))
    if not isinstance(data, dict):
        return data if isinstance(data, str) else ""
    for name in ("error", "message", "detail", "msg"):
        if words := read_words(data.get(name)):
            return words
    return ""


def is_local_address(url: str) -> bool:
    """Return whether the URL points to this machine or a private network, where requests cost nothing."""
    import ipaddress

    host = urlsplit(url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or "." not in host
    return address.is_loopback or address.is_private
