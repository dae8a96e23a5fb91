"""Connect to an OpenAI-compatible endpoint through the `openai` package, send single requests, and say why one failed. No
error, log or repr contains the API key."""

import asyncio
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NoReturn
from urllib.parse import parse_qsl
from weakref import WeakKeyDictionary

from agents.openai.openai_request import RequestBody
from agents.openai.openai_settings import OpenAISettings
from agents.openai.openai_troubles import Trouble, redact, trouble_of
from agents.openai.openai_wire import Delivery, Send
from core.errors import UNREAD, AgentError, BenchError
from core.inner_network import InsideNetwork, build_client_options

DEFAULT_URL = "https://api.openai.com/v1"


class OpenAIEndpoint:
    """Client of an OpenAI-compatible endpoint for one model."""

    def __init__(self, model: str, base_url: str | None, key: str | None, settings: OpenAISettings, key_env: str) -> None:
        """Raise BenchError if there is neither a key nor a custom endpoint; a custom endpoint may need no key. `key_env` is the
        name of the key's environment variable, for error messages. The URL may end in ?api-version=VALUE, as on Azure."""
        if not key and not base_url:
            raise BenchError(
                f"No API key for openai:{model}: set the environment variable {key_env}, or OPENAI_BASE_URL for an endpoint "
                "that needs no key."
            )
        self._key_env = key_env
        self.model = model
        address, _, query = (base_url or DEFAULT_URL).partition("?")
        self.base_url = address.rstrip("/") + (f"?{query}" if query else "")
        self.settings = settings
        self._key = key or ""
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    def __repr__(self) -> str:
        return f"<{self._label}>"

    @property
    def name(self) -> str:
        return f"openai:{self.model}"

    @property
    def _label(self) -> str:
        return f"{self.name} at {self.shown_url}"

    @cached_property
    def shown_url(self) -> str:
        """Base URL of the endpoint for display, without the user name or password in it."""
        return re.sub(r"(?<=://)[^/@]+@", "", self.base_url)

    def connect(self) -> Any:
        """Return the client of the `openai` package that belongs to the current event loop."""
        from openai import AsyncOpenAI, DefaultAsyncHttpx2Client

        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            address, _, query = self.base_url.partition("?")
            client = AsyncOpenAI(
                api_key=self._key or "none",
                base_url=address,
                max_retries=0,
                timeout=self.settings.timeout,
                http_client=DefaultAsyncHttpx2Client(**build_client_options()),
                default_query=dict(parse_qsl(query)) or None,
                default_headers={"api-key": self._key} if query and self._key else None,  # Azure expects this header
            )
            self._clients[loop] = client
        return client

    async def close(self) -> None:
        """Close the agent's connections in the current event loop. The agent can still be used afterwards."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    async def list_models(self) -> list[str]:
        """Return the names of the models at the endpoint, sorted. Raises AgentError if the endpoint does not list its
        models."""
        import httpx2
        import openai

        try:
            async with asyncio.timeout(self.settings.timeout):
                return sorted([model.id async for model in self.connect().models.list()])
        except (openai.OpenAIError, httpx2.HTTPError, TimeoutError, ValueError, AttributeError, TypeError) as error:
            self._give_up(trouble_of(error, self._key), 1, stops_job=False)

    async def _attempt(self, body: RequestBody, send: Send, is_streamed: bool) -> Delivery | Trouble:
        """Send one request and return the raw reply, or the failure. Raises AgentError without sending the request if the
        endpoint's address is inside the server's own network."""
        import httpx2
        import openai

        from agents.openai.openai_shape import Misshapen

        try:
            async with asyncio.timeout(None if is_streamed else self.settings.timeout):
                return await send(self.connect(), body.sent)
        except InsideNetwork as error:
            raise AgentError(str(error), kind="refused", attempts=0, stops_job=True) from error
        except (openai.OpenAIError, httpx2.HTTPError, TimeoutError, ValueError, Misshapen) as error:
            return trouble_of(error, self._key, body.parameters, self.settings.extra)

    def explain_error(self, error: Exception) -> str:
        """Return why a request failed, as a sentence without its full stop and without the API key."""
        return redact(f"{self._label} {trouble_of(error, self._key).why}", self._key)

    def _give_up(self, trouble: Trouble, attempts: int, stops_job: bool) -> NoReturn:
        raise AgentError(
            self._describe(trouble, f" after {attempts} requests" if attempts > 1 else ""),
            kind=trouble.kind,
            attempts=attempts,
            stops_job=stops_job,
            may_be_its_own=trouble.next == "plainer",
            raw=trouble.raw,
        )

    def _describe(self, trouble: Trouble, times: str = "") -> str:
        """Return a message that says what went wrong and what to do about it, without the API key."""
        text = redact(f"{self._label} {trouble.why}{times}", self._key)
        return f"{text}. {trouble.advice.replace('OPENAI_API_KEY', self._key_env)}".strip()

    def _report_unread(self, delivery: Delivery, error: Exception, attempts: int, times: Mapping[str, float]) -> AgentError:
        """Return the error for a reply that arrived but could not be processed; the error contains the reply."""
        why = redact(f"{type(error).__name__}: {error}", self._key)
        return AgentError(
            f"{self._label} answered, but its reply could not be processed ({why}). The reply is stored; the next attempt "
            "processes the stored reply and sends no new request.",
            kind=UNREAD,
            attempts=attempts,
            raw={"body": delivery.body.decode("utf-8", "replace"), "form": delivery.form, "attempts": attempts, **times},
        )
