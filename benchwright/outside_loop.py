"""Run a function in another thread if the current thread has a running event loop, as the main thread of a notebook has. Verbs
(commands) start their own event loops, and Python allows only one running event loop in each thread."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

T = TypeVar("T")


def call_outside_loop(work: Callable[[], T], stop: Callable[[], None] = lambda: None) -> T:
    """Run `work` and return its result. If the current thread has a running event loop, run it in another thread. In another
    thread, Ctrl-C calls `stop` and then waits until `work` has ended."""
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
