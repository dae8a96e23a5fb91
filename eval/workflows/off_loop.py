"""Calls functions of an environment off the event loop, which all jobs share, with a limit of seconds."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import TypeVar

from core.cancellation import raise_if_cancelled
from core.errors import BenchError

T = TypeVar("T")
CALL_SECONDS = 60.0
"""Limit of one call."""
POLL_SECONDS = 0.1
"""Between two checks whether the run is cancelled."""


class SlowCall(BenchError):
    """A call took too long."""


async def call_off_loop(name: str, call: Callable[[], T]) -> T:
    """Returns the call's value, from a thread of its own, so that a hanging call blocks no other.
    Raises SlowCall when it takes too long (its thread is abandoned, and may still end), Cancelled when the run is."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()
    context = copy_context()

    def work() -> None:
        try:
            future.set_result(context.run(call))
        except BaseException as error:  # noqa: BLE001 - it is raised where the call was made
            future.set_exception(error)

    threading.Thread(target=work, name=f"calls {name}", daemon=True).start()
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
