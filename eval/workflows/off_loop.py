"""Call functions of environments in threads outside the event loop, which all jobs share, with a time limit."""

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
"""Time limit in seconds of one function call."""
POLL_SECONDS = 0.1
"""Seconds between two checks whether the run was cancelled."""
MAX_IDLE_THREADS = 64
"""Maximum number of idle threads that are kept for later calls."""


class SlowCall(BenchError):
    """Raised if a function call exceeds its time limit."""


class _IdleThreads:
    """A pool of idle threads. Starting a thread blocks the event loop until the thread runs, so threads are reused; a call that
    hangs blocks its thread, and the next call gets another thread."""

    def __init__(self) -> None:
        self._idle: list[SimpleQueue[Callable[[], None]]] = []
        """For each idle thread, the queue from which it takes its next call; the thread that became idle last is used first."""

    def run(self, work: Callable[[], None]) -> None:
        """Run `work` in an idle thread or in a new thread; `work` must not raise an error."""
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
    """Return the result of `call`, run in a thread of its own, so that a hanging call blocks no other call. Raises SlowCall if
    the call exceeds its time limit (its thread is abandoned), or Cancelled if the run is cancelled."""
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
    """Return the awaited result. Raises core.cancellation.Cancelled if the run is cancelled first."""
    task = asyncio.ensure_future(awaited)
    try:
        while not (await asyncio.wait({task}, timeout=POLL_SECONDS))[0]:
            raise_if_cancelled()
        return task.result()
    finally:
        task.cancel()
