"""Start and end of the app's process. At the start, before anybody uses the app, the module opens the workspace and starts the
background runner. At the end, jobs finish their calls in flight, and then the workspace is closed."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from types import FrameType
from typing import Any

import uvicorn
from streamlit import config
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.pages_manager import PagesManager

import jobs
from core.errors import BenchError
from serving import preloading, verbs, workspace_holder
from serving.base_path import find_base
from serving.gate.start import check_secrets_files, check_start, invite_first_owner, read_true_peers
from workbench import close_workbench, open_workbench
from workbench.current_workbench import call_at_opening, find_workspace_path

GRACE_SECONDS = 10.0
"""Seconds that running calls have to finish when the server stops; calls that do not finish are repeated after the next
start."""
LINGER_SECONDS = 5.0
"""Further seconds that downloads and other responses have to finish when the server stops."""
KEEP_ALIVE_SECONDS = 75
"""Seconds that the server keeps an idle connection open: longer than nginx does (60), which would otherwise send requests to
connections that the server has just closed; and longer than a person looks at an item."""


def check_before_start() -> None:
    """End the process with one sentence if the app cannot start with these files of secrets."""
    try:
        check_secrets_files()
    except BenchError as error:
        refuse_start(error)


def refuse_start(error: BenchError) -> None:
    """Print the message and end the process: if the exception reached uvicorn, it would print a traceback."""
    print(error, file=sys.stderr, flush=True)
    os._exit(1)


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[dict[str, Any]]:
    """Keep the workspace open while the server runs. If the workspace cannot be opened, every page reports the error and tries
    again to open the workspace."""
    server = server_of(signal.SIGTERM)
    try:
        check_start(server.config.host if server else config.get_option("server.address") or "")
        read_true_peers(server)
        if server is not None:
            server.config.timeout_keep_alive = KEEP_ALIVE_SECONDS
    except BenchError as error:
        refuse_start(error)
    PagesManager.uses_pages_directory = False  # app.py builds the menu of the folder pages/, not Streamlit
    keep_upload_addresses()
    call_at_opening(partial(workspace_holder.hold, port=reachable_port()))
    await asyncio.to_thread(preloading.load)
    try:
        await asyncio.to_thread(open_workbench)
        state = f"with {find_workspace_path()}"
    except BenchError as error:
        state = f"without a workspace. {error}"
    print(f"Benchwright is at {url()} {state}", flush=True)
    if workspace_holder.bench() is not None and (line := await asyncio.to_thread(invite_first_owner, url())):
        print(line, flush=True)
    sending = asyncio.create_task(send_at_once(server_of(signal.SIGTERM)))
    ended = end_jobs_on_signal(asyncio.get_running_loop())
    try:
        yield {}
    finally:
        call_at_opening(None)
        sending.cancel()
        await ended()
        workspace_holder.release()
        await asyncio.to_thread(close_workbench)
        if jobs.is_working():  # threads that still compute would delay the exit
            os._exit(0)


def end_jobs_on_signal(loop: asyncio.AbstractEventLoop) -> Callable[[], Awaitable[None]]:
    """End the jobs as soon as a stop signal arrives, because the server's shutdown waits for open streams, and the streams wait
    for their jobs. Return a function that waits until the jobs have ended, and first ends them if no signal has arrived."""
    tasks: list[asyncio.Task[None]] = []

    def begin() -> None:
        if not tasks:
            tasks.append(loop.create_task(end()))

    async def wait() -> None:
        begin()
        await tasks[0]

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
                    server.should_exit = True  # Ctrl-C is a normal end: no message, status 0
                else:
                    before(number, frame)

            signal.signal(number, handle_signal)
    return wait


def keep_upload_addresses() -> None:
    """Ensure that the browser always gets the addresses to which it uploads files.

    At the start of each rerun of a page, Streamlit 1.67 clears the messages that wait to be sent to the browser, among them
    these addresses. Without these addresses, an upload would wait forever, and the upload box would accept no files until the
    page is loaded again."""
    clear = ForwardMsgQueue.clear
    if clear.__name__ != "clear":
        return  # an earlier call has replaced the method

    def clear_all_but_addresses(
        queue: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
    ) -> None:
        addresses = [message for message in queue._queue if message.HasField("file_urls_response")]
        clear(queue, retain_lifecycle_msgs, fragment_ids_this_run)
        # a rerun of a fragment (a part of the page) clears no messages
        if retain_lifecycle_msgs and fragment_ids_this_run is None:
            queue._queue.extend(addresses)

    ForwardMsgQueue.clear = clear_all_but_addresses  # type: ignore[assignment, method-assign]


async def send_at_once(server: uvicorn.Server | None) -> None:
    """Disable Nagle's algorithm (which delays small packets) on the server's sockets; their connections inherit it.

    Streamlit creates its socket without a protocol number, so that asyncio does not recognise TCP and does not set TCP_NODELAY.
    The second part of each response would then wait 40 ms until the client acknowledges the first part."""
    while server is not None and not server.started:
        await asyncio.sleep(0.01)
    for listener in server.servers if server is not None else ():
        for sock in listener.sockets:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def server_of(number: int) -> uvicorn.Server | None:
    """Return the uvicorn server whose method handles this signal, or None if no server does."""
    server = getattr(signal.getsignal(number), "__self__", None)
    return server if isinstance(server, uvicorn.Server) else None


async def end() -> None:
    """Stop the jobs once their calls in flight have finished, so that they continue at the next start of the app. Then end the
    output of verbs (commands) that still run for a command line, with a message."""
    bench = workspace_holder.bench()
    if bench is not None:
        await asyncio.to_thread(jobs.stop, bench, GRACE_SECONDS, True)
    for _ in range(20):
        if not verbs.RUNNING_VERBS:
            return
        await asyncio.sleep(0.05)
    for verb in list(verbs.RUNNING_VERBS.values()):
        verb.cut("The app is ending: results so far are stored; run the same command again to continue.")


def reachable_port() -> int | None:
    """Return the server's port, or None if the server cannot be reached at 127.0.0.1 without TLS."""
    address = config.get_option("server.address") or ""
    is_near = address in ("", "0.0.0.0", "::", "localhost", "127.0.0.1") and not config.get_option("server.sslCertFile")
    return int(config.get_option("server.port")) if is_near else None


def url() -> str:
    """Return the address at which a browser finds the app."""
    address = config.get_option("server.address") or ""
    host = "localhost" if address in ("", "0.0.0.0", "::") else f"[{address}]" if ":" in address else address
    scheme = "https" if config.get_option("server.sslCertFile") else "http"
    return f"{scheme}://{host}:{config.get_option('server.port')}{find_base()}/"
