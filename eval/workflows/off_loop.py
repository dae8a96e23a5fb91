"""Calls functions of an environment off the event loop, which all jobs share, with a limit of seconds."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import copy_context
from queue import SimpleQueue
from typing import TypeVar

from core.cancellation import raise_if_cancelled
from core.errors import BenchError

T = TypeVar("T")
CALL_SECONDS = 60.0
"""Limit of one call."""
POLL_SECONDS = 0.1
"""Between two checks whether the run is cancelled."""
MAX_IDLE_THREADS = 64
"""Threads that are kept for later calls."""


class SlowCall(BenchError):
    """A call took too long."""


class _IdleThreads:
    """Threads that wait for another call. Starting one blocks the event loop until it runs, so each is used again; a call that
    hangs keeps its thread, and the next call gets another one."""

    def __init__(self) -> None:
        self._idle: list[SimpleQueue[Callable[[], None]]] = []
        """What each waiting thread takes its next call from; the last to become idle is the first to be used."""

    def run(self, work: Callable[[], None]) -> None:
        """Run `work`, which raises nothing, in a thread that does nothing else meanwhile."""
        try:
            inbox = self._idle.pop()
        except IndexError:
            inbox = SimpleQueue()
            threading.Thread(target=self._serve, args=(inbox,), name="function calls", daemon=True).start()
        inbox.put(work)

    def _serve(self, inbox: SimpleQueue[Callable[[], None]]) -> None:
        while True:
            inbox.get()()
            if len(self._idle) >= MAX_IDLE_THREADS:
                return
            self._idle.append(inbox)


_idle_threads = _IdleThreads()


async def call_off_loop(name: str, call: Callable[[], T]) -> T:
    """Returns the call's value, from a thread that no other call shares meanwhile, so that a hanging call blocks no other.
    Raises SlowCall when it takes too long (its thread is abandoned, and may still end), Cancelled when the run is."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()
    context = copy_context()

    def work() -> None:
        try:
            future.set_result(context.run(call))
        except BaseException as error:  # noqa: BLE001 - it is raised where the call was made
            future.set_exception(error)

    _idle_threads.run(work)
    awaited = asyncio.wrap_future(future)
    deadline = asyncio.get_running_loop().time() + CALL_SECONDS
    try:
        while not (await asyncio.wait({awaited}, timeout=POLL_SECONDS))[0]:
            raise_if_cancelled()
            if asyncio.get_running_loop().time() > deadline:
                raise SlowCall(f"{name} took more than {CALL_SECONDS:g} seconds: ask for less at once.")
        return awaited.result()
    finally:
        awaited.cancel()


async def wait_unless_cancelled(awaited: Awaitable[T]) -> T:
    """Returns what is awaited. Raises core.cancellation.Cancelled when the run is cancelled before."""
    task = asyncio.ensure_future(awaited)
    try:
        while not (await asyncio.wait({task}, timeout=POLL_SECONDS))[0]:
            raise_if_cancelled()
        return task.result()
    finally:
        task.cancel()
