"""The route of the MCP server. Requests are stateless: each acts for the person who sent it, and the response is JSON. The
sign-in gate and the check of host names run before the route."""

import asyncio
from typing import TYPE_CHECKING

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

MCP = "/bench/mcp"


class McpEndpoint:
    """The ASGI app of the MCP server's route. The first request imports the MCP package and starts the server."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._manager: asyncio.Task[StreamableHTTPSessionManager] | None = None
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        loop = asyncio.get_running_loop()
        has_failed = self._manager is not None and self._manager.done() and self._manager.exception() is not None
        if self._loop is not loop or self._manager is None or has_failed:
            self._loop, self._manager = loop, asyncio.create_task(self._begin())
        await (await asyncio.shield(self._manager)).handle_request(scope, receive, send)

    async def _begin(self) -> "StreamableHTTPSessionManager":
        """Start the MCP server in an asyncio task, which ends with the event loop, and return its session manager."""
        manager = await asyncio.to_thread(self._build)
        started = asyncio.Event()

        async def run() -> None:
            async with manager.run():
                started.set()
                await asyncio.Event().wait()

        self._running = asyncio.create_task(run())
        await started.wait()
        return manager

    def _build(self) -> "StreamableHTTPSessionManager":
        from mcp.server.transport_security import TransportSecuritySettings

        from serving.assistant.tools import build_server

        server = build_server()
        unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # serving/hosts.py checks every request
        server.streamable_http_app(
            streamable_http_path=MCP, json_response=True, stateless_http=True, transport_security=unchecked
        )
        return server.session_manager


ROUTES = [Route(MCP, McpEndpoint())]
