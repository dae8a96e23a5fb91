"""Start-up and shut-down of the app's one process: the workspace is opened and the background runner started before the first
session; when the server is told to end, jobs end after their calls in flight, then the workspace is closed."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from types import FrameType
from typing import Any

import uvicorn
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager

import jobs
from core.errors import BenchError
from serving import preloading, verbs, workspace_holder
from workbench import close, opened
from workbench.current_workbench import at_opening, workspace

GRACE_SECONDS = 10.0
"""Seconds that calls in flight have to end in when the server stops; they are asked again later otherwise."""
LINGER_SECONDS = 5.0
"""Seconds that downloads and other answers have after that."""


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[dict[str, Any]]:
    """Hold the workspace while the server runs. One that cannot be opened is told on every page, and tried again by each."""
    PagesManager.uses_pages_directory = False  # second lock: the folder pages/ is a menu of app.py, not of Streamlit
    at_opening(partial(workspace_holder.hold, port=reachable_port()))
    await asyncio.to_thread(preloading.load)
    try:
        await asyncio.to_thread(opened)
        state = f"with {workspace()}"
    except BenchError as error:
        state = f"without a workspace. {error}"
    print(f"Benchwright is at {url()} {state}", flush=True)
    sending = asyncio.create_task(send_at_once(server_of(signal.SIGTERM)))
    ended = end_jobs_on_signal(asyncio.get_running_loop())
    try:
        yield {}
    finally:
        at_opening(None)
        sending.cancel()
        await ended()
        workspace_holder.release()
        await asyncio.to_thread(close)
        if jobs.is_working():  # left to its next start: threads that still compute would hold the process up
            os._exit(0)


def end_jobs_on_signal(loop: asyncio.AbstractEventLoop) -> Callable[[], Awaitable[None]]:
    """End the jobs at the signal itself: the server first waits for every stream, and those wait for their jobs. Returns what
    waits for their end, begun by the signal or now."""
    begun: list[asyncio.Task[None]] = []

    def begin() -> None:
        if not begun:
            begun.append(loop.create_task(end()))

    async def wait() -> None:
        begin()
        await begun[0]

    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        server = server_of(number)
        if callable(before) and server is not None:
            server.config.timeout_graceful_shutdown = int(GRACE_SECONDS + LINGER_SECONDS)

            def handle_signal(
                number: int, frame: FrameType | None, before: Callable[..., Any] = before, server: uvicorn.Server = server
            ) -> None:
                loop.call_soon_threadsafe(begin)
                if number == signal.SIGINT and not server.should_exit:
                    server.should_exit = True  # Ctrl-C is how a person ends it: no trouble, so no word and status 0
                else:
                    before(number, frame)

            signal.signal(number, handle_signal)
    return wait


async def send_at_once(server: uvicorn.Server | None) -> None:
    """Answers are sent as they come. Streamlit makes its socket without a protocol's number, by which asyncio would know it for
    one of TCP: so each second part of an answer would wait 40 ms for the receipt of the first. Connections take it over."""
    while server is not None and not server.started:
        await asyncio.sleep(0.01)
    for listener in server.servers if server is not None else ():
        for sock in listener.sockets:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def server_of(number: int) -> uvicorn.Server | None:
    """The server that hears this signal."""
    server = getattr(signal.getsignal(number), "__self__", None)
    return server if isinstance(server, uvicorn.Server) else None


async def end() -> None:
    """Jobs end after their calls in flight and go on at the next start; a command line that still waits then is told."""
    bench = workspace_holder.bench()
    if bench is not None:
        await asyncio.to_thread(jobs.stop, bench, GRACE_SECONDS, True)
    for _ in range(20):
        if not verbs.AT_WORK:
            return
        await asyncio.sleep(0.05)
    for asked in list(verbs.AT_WORK.values()):
        asked.cut("The app is ending: what was stored stays; the same command goes on from there.")


def reachable_port() -> int | None:
    """The server's port, where 127.0.0.1 leads to it without TLS."""
    address = config.get_option("server.address") or ""
    is_near = address in ("", "0.0.0.0", "::", "localhost", "127.0.0.1") and not config.get_option("server.sslCertFile")
    return int(config.get_option("server.port")) if is_near else None


def url() -> str:
    """What a person types to come here."""
    address = config.get_option("server.address") or ""
    host = "localhost" if address in ("", "0.0.0.0", "::") else f"[{address}]" if ":" in address else address
    scheme = "https" if config.get_option("server.sslCertFile") else "http"
    return f"{scheme}://{host}:{config.get_option('server.port')}/{config.get_option('server.baseUrlPath') or ''}"
