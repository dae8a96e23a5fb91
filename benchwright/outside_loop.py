"""Calls functions from a thread whose event loop is running, as the main thread of a notebook is. Verbs start loops of their
own, which Python refuses there."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

T = TypeVar("T")


def call_outside_loop(work: Callable[[], T], stop: Callable[[], None] = lambda: None) -> T:
    """Return the result of `work`, run in another thread if this thread's event loop is running. In that case Ctrl-C calls
    `stop`, and the end of the work is awaited."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    future: Future[T] = Future()

    def settle() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001  it is raised where the result is read
            future.set_exception(error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=[settle], name="verb", daemon=True)
    try:
        thread.start()
        return future.result()
    except KeyboardInterrupt:
        if not future.done():
            stop()
            wait([future])
        raise
