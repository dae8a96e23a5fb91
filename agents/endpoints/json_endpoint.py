"""JSON requests to an endpoint, tried again where that may help: every request counts against the endpoint's limits, and the
key is in no error."""

import asyncio
import random
import re
import time
from collections.abc import Hashable
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from agents.openai.limits import Limits, shared
from agents.openai.openai_troubles import redact, retry_after
from agents.openai.openai_wire import allowed_by
from core.errors import AgentError

MAX_QUOTA_WAIT_SECONDS = 300.0
"""A longer Retry-After means a used up quota, not a busy moment."""
MAX_KEPT_CHARACTERS = 20_000
"""Of a reply in another shape, which is kept."""
_TOO_LARGE = re.compile(
    r"(?i)batch size|too (many|long|large)|larger than|maximum|at most|exceed|context (length|window)|must have less than|max_"
)
"""How endpoints say that a request holds too much. Text Embeddings Inference: "batch size 33 > maximum allowed batch size 32",
"`inputs` must have less than 512 tokens"; DashScope: "batch size is invalid, it should not be larger than 10"; OpenAI:
"maximum context length"."""


class RequestSettings(NamedTuple):
    """How hard an endpoint may be used."""

    rpm: float | None = None
    """Requests per minute."""
    tpm: float | None = None
    """Tokens per minute."""
    concurrency: int | None = None
    """Calls in flight; None = start with 8 and grow up to 64 while the endpoint lets us."""
    timeout: float = 60.0
    """Seconds for one request."""
    tries: int = 3
    """Requests per call, 429 answers apart."""
    waits: int = 10
    """429 answers that one call sits out."""
    backoff: float = 1.0
    """Seconds before the second try, doubled for the third, with jitter."""
    cool_down: float = 2.0
    """Seconds to hold back after a 429 that does not say how long."""


class JsonReply(NamedTuple):
    """An answered request."""

    data: Any
    """Its JSON."""
    attempts: int
    seconds: float
    """Service time of the last attempt."""
    waited: float
    retrying: float


class RefusedRequest(AgentError):
    """The endpoint does not take the request as it is."""

    words: str = ""
    """What it says, in one line without the key."""


class _Failure(NamedTuple):
    kind: str
    why: str
    is_temporary: bool
    """Whether another try may help."""
    words: str = ""
    wait: float | None = None
    """Seconds to wait, as the endpoint says."""


class JsonEndpoint:
    """One address with its limits."""

    def __init__(self, name: str, url: str, key: str, settings: RequestSettings, advice: str) -> None:
        """`name` stands in errors, `advice` is a sentence on where address and key are set."""
        self.name, self.url, self.settings, self._key, self._advice = name, url, settings, key, advice
        width, rates = settings.concurrency, (settings.rpm, settings.tpm)
        self._place: Hashable = ("endpoints", url, name, key, width, rates)
        self._own_limits = Limits(
            start=width or 8, maximum=width or 64, rpm=rates[0], tpm=rates[1], cool_down=settings.cool_down
        )
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    @property
    def shown_url(self) -> str:
        """The address without the name and password that it may carry."""
        return re.sub(r"(?<=://)[^/@]+@", "", self.url)

    async def post(self, body: dict[str, Any], tokens: float = 0.0) -> JsonReply:
        """The reply to that body of about so many tokens. Raises AgentError after all tries; RefusedRequest for a 4xx, of kind
        too_long where the request holds too much."""
        limits, settings = shared(self._place, self._own_limits), self.settings
        began, first = time.monotonic(), 0.0
        attempts = tries = waits = 0
        while True:
            async with limits.place(tokens if limits.counts_tokens else 0.0, goes_first=attempts > 0):
                attempts += 1
                sent = time.monotonic()
                first = first or sent
                outcome = await self._send(body, limits)
                seconds = time.monotonic() - sent
            if not isinstance(outcome, _Failure):
                limits.succeeded()
                return JsonReply(outcome, attempts, seconds, sent - began, sent - first)
            if outcome.kind == "rate_limit":
                waits += 1
                if waits >= settings.waits or (outcome.wait or 0) > MAX_QUOTA_WAIT_SECONDS:
                    raise self._build_error(outcome, attempts)
                await asyncio.sleep(limits.throttled(outcome.wait))
                continue
            tries += 1
            if not outcome.is_temporary or tries >= settings.tries:
                raise self._build_error(outcome, attempts)
            pause = settings.backoff * 2 ** (tries - 1) * random.uniform(0.5, 1.5)
            await asyncio.sleep(min(60.0, max(pause, outcome.wait or 0.0)))

    async def close(self) -> None:
        """Close this event loop's connections; the endpoint can be asked again."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()

    def refuse_reply(self, why: str, data: Any, attempts: int) -> AgentError:
        """The error of a reply in another shape; it may have been paid, so it is kept and not asked for again."""
        text = f"{self.name} at {self.shown_url} answered JSON in another shape ({why}). The reply is kept; {self._advice}"
        return AgentError(
            text, kind="malformed", attempts=attempts, stops_job=True, raw={"unread": str(data)[:MAX_KEPT_CHARACTERS]}
        )

    async def _send(self, body: dict[str, Any], limits: Limits) -> Any:
        """The reply's JSON, or a _Failure."""
        import httpx2

        try:
            response = await self._client().post(self.url, json=body)
        except httpx2.TimeoutException:
            return _Failure("timeout", "did not answer in time", True)
        except httpx2.TransportError as error:
            return _Failure("connection", f"could not be reached ({redact(str(error), self._key)})", True)
        if allowed := allowed_by(response.headers):
            limits.told(*allowed)
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
        """This event loop's client."""
        import httpx2

        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            self._clients[loop] = httpx2.AsyncClient(timeout=self.settings.timeout, headers=headers)
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
    """The message in the body of an error, wherever endpoints put it; "" where there is none."""
    if isinstance(data, list):
        return "; ".join(filter(None, map(read_words, data)))
    if not isinstance(data, dict):
        return data if isinstance(data, str) else ""
    for name in ("error", "message", "detail", "msg"):
        if words := read_words(data.get(name)):
            return words
    return ""


def is_local_address(url: str) -> bool:
    """Whether the address is of this machine or a private network, where requests cost nothing."""
    import ipaddress

    host = urlsplit(url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or "." not in host
    return address.is_loopback or address.is_private
