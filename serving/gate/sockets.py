"""Closes open websockets whose session has ended, within a second after its end."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HasEnded = Callable[[], Awaitable[bool]]
"""Type of a function that returns whether the session of a websocket has ended."""
SWEEP_SECONDS = 0.5
CLOSE_CODE = 4401
"""Close code for a websocket whose session has ended, from the range for applications, chosen to resemble 401."""


class OpenSockets:
    """Watches the open websockets: checks at every message, and every SWEEP_SECONDS, whether a websocket's session has
    ended."""

    def __init__(self) -> None:
        self._sockets: dict[asyncio.Event, HasEnded] = {}
        self._sweeping: asyncio.Task[None] | None = None

    async def guard(self, app: ASGIApp, has_ended: HasEnded, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the app on a websocket until either end closes it or its session ends."""
        ended = asyncio.Event()
        self._sockets[ended] = has_ended
        if self._sweeping is None or self._sweeping.done():
            self._sweeping = asyncio.create_task(self._sweep(), name="gate-sweep")
        is_closed = False

        async def receive_until_ended() -> Message:
            nonlocal is_closed
            message = await _race(receive, ended)
            if message is not None and not await has_ended():
                return message
            if not is_closed:
                is_closed = True
                await send({"type": "websocket.close", "code": CLOSE_CODE, "reason": "signed out"})
            return {"type": "websocket.disconnect", "code": CLOSE_CODE}

        async def send_until_closed(message: Message) -> None:
            if not is_closed:
                await send(message)

        try:
            await app(scope, receive_until_ended, send_until_closed)
        finally:
            del self._sockets[ended]

    async def _sweep(self) -> None:
        while self._sockets:
            for ended, has_ended in list(self._sockets.items()):
                if await has_ended():
                    ended.set()
            await asyncio.sleep(SWEEP_SECONDS)


async def _race(receive: Receive, ended: asyncio.Event) -> Message | None:
    """Return the next message of a websocket, or None if the event is set first."""
    tasks: list[asyncio.Task[Any]] = [asyncio.ensure_future(receive()), asyncio.ensure_future(ended.wait())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return None if ended.is_set() else tasks[0].result()
    finally:
        for task in tasks:
            task.cancel()
