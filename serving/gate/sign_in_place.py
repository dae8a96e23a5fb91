"""Finds the person to whom a sign-in cookie belongs by asking another workspace of this server, if people sign in at that
workspace. A session that ends at that workspace therefore ends at this workspace a few seconds later."""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.errors import BenchError
from serving.front_page import MEMBERSHIP
from serving.gate.session_cookie import SITE_COOKIE
from workbench.setup.accounts import WORKSPACE_PREFIX
from workbench.setup.sign_in_session import SignInSession

if TYPE_CHECKING:
    import httpx

ASK_SECONDS = 5.0
"""Seconds for which an answer of the other workspace about a cookie is used again."""
GRACE_SECONDS = 60.0
"""Seconds for which the last answer about a cookie is used while the other workspace does not answer, for example during its
restart."""
TIMEOUT_SECONDS = 5.0
PAUSE_SECONDS = 1.0
"""Seconds to wait after a failed request to the other workspace before the next request."""
MAX_ANSWERS = 10_000
SILENT = "The workspace at which people sign in does not answer: try again in a minute."


@dataclass(frozen=True, slots=True)
class PlaceAnswer:
    """Answer of the workspace at which people sign in: the session to which a cookie belongs."""

    session: SignInSession | None
    at: float
    """Time of the answer on the monotonic clock."""


class SignInPlace:
    """Client of the workspace at which people sign in: asks for the session of a cookie, for each cookie at most once in
    ASK_SECONDS."""

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._address = address + MEMBERSHIP
        self.path = urlsplit(address).path
        """Base path of the workspace at which people sign in."""
        self._client: httpx.AsyncClient | None = None
        self._answers: dict[str, PlaceAnswer] = {}
        self._asking: dict[str, asyncio.Task[PlaceAnswer | None]] = {}
        self._silent_until = 0.0

    async def find_session(self, cookie: str, host: str) -> SignInSession | None:
        """Return the session that the cookie identifies, or None if the cookie identifies no session. `host` is the Host header
        that the browser sent. Raises BenchError if the other workspace has not answered for GRACE_SECONDS."""
        if not re.fullmatch(r"[A-Za-z0-9._-]{1,4000}", cookie):
            return None
        known = self._answers.get(cookie)
        if known is not None and self._clock() - known.at < ASK_SECONDS:
            return known.session
        if cookie not in self._asking:
            task = self._asking[cookie] = asyncio.create_task(self._ask(cookie, host))
            task.add_done_callback(lambda _: self._asking.pop(cookie, None))
        answer = await asyncio.shield(self._asking[cookie]) or known
        if answer is None or self._clock() - answer.at > GRACE_SECONDS:
            raise BenchError(SILENT)
        return answer.session

    async def _ask(self, cookie: str, host: str) -> PlaceAnswer | None:
        """Ask the other workspace for the session of a cookie. Return its answer, or None if the workspace does not answer."""
        import httpx

        if self._clock() < self._silent_until:
            return None
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=TIMEOUT_SECONDS, trust_env=False)
        try:
            reply = await self._client.get(self._address, headers={"host": host, "cookie": f"{SITE_COOKIE}={cookie}"})
            answer = PlaceAnswer(read_reply(reply.status_code, reply.json()), self._clock())
        except (httpx.HTTPError, ValueError, KeyError, TypeError):
            self._silent_until = self._clock() + PAUSE_SECONDS
            return None
        if len(self._answers) >= MAX_ANSWERS:
            self._answers.clear()
        self._answers[cookie] = answer
        return answer


def read_reply(status: int, reply: object) -> SignInSession | None:
    """Return the session in the other workspace's reply, or None if it knows no session for the cookie. Raises ValueError,
    KeyError or TypeError for any other reply."""
    if status in (401, 403):
        return None
    if status != 200 or not isinstance(reply, dict):
        raise ValueError(f"status {status}")
    person, name, began_at = reply["person"], reply["name"], float(reply["began_at"])
    if not isinstance(person, str) or not isinstance(name, str) or not person:
        raise TypeError("no person")
    return SignInSession(WORKSPACE_PREFIX + person, name, "workspace", began_at)
