"""Functions of an environment are called off the event loop, which all jobs share, and for so many seconds at most."""

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
"""Of one call."""
LOOK = 0.1
"""Seconds between two looks at whether the run is broken off."""


class SlowCall(BenchError):
    """A call was given up."""


async def call_off_loop(name: str, call: Callable[[], T]) -> T:
    """What the call gives, from a thread of its own: one that hangs takes no place among the loop's threads. Raises SlowCall
    when it takes too long (nobody waits for it then, and it may still end), and core.cancellation's Ended when the run is
    broken off."""
    came: Future[T] = Future()
    came.set_running_or_notify_cancel()
    context = copy_context()

    def work() -> None:
        try:
            came.set_result(context.run(call))
        except BaseException as error:  # noqa: BLE001 - it is raised where the call was made
            came.set_exception(error)

    threading.Thread(target=work, name=f"calls {name}", daemon=True).start()
    awaited = asyncio.wrap_future(came)
    ends = asyncio.get_running_loop().time() + CALL_SECONDS
    try:
        while not (await asyncio.wait({awaited}, timeout=LOOK))[0]:
            raise_if_cancelled()
            if asyncio.get_running_loop().time() > ends:
                raise SlowCall(f"{name} took more than {CALL_SECONDS:g} seconds: ask for less at once.")
        return awaited.result()
    finally:
        awaited.cancel()


async def wait_unless_over(awaited: Awaitable[T]) -> T:
    """What is awaited; raises core.cancellation's Ended when the run is broken off before that."""
    task = asyncio.ensure_future(awaited)
    try:
        while not (await asyncio.wait({task}, timeout=LOOK))[0]:
            raise_if_cancelled()
        return task.result()
    finally:
        task.cancel()
