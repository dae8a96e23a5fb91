"""Work that a page waits for: too long for a rerun, too small for a job. It is done beside the page; the page asks again until
it has the result."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextvars import copy_context
from typing import Any

PATIENCE = 0.25
"""Seconds that a page waits before it says that it waits."""
KEPT = 64
"""Results that nobody fetched; the oldest go first."""


class Aside:
    """Two threads for one workspace."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="aside")
        self._lock = threading.Lock()
        self._asked: dict[str, Future[Any]] = {}

    def ask(self, key: str, work: Callable[[], Any], patience: float = PATIENCE) -> Any:
        """The result of `work`, handed out once; None while it is under way, however often that key is asked. Raises what it
        raised."""
        with self._lock:
            if key not in self._asked:
                self._asked[key] = self._pool.submit(copy_context().run, work)
                for old in [k for k, future in self._asked.items() if future.done() and k != key][:-KEPT]:
                    del self._asked[old]
            future = self._asked[key]
        try:
            result = future.result(timeout=patience)
        except NotYet:
            if not future.done():
                return None
            raise
        finally:
            if future.done():
                with self._lock:
                    self._asked.pop(key, None)
        return result

    def is_ready(self, key: str) -> bool:
        """Whether the next ask of that key gives its result at once."""
        with self._lock:
            future = self._asked.get(key)
        return future is None or future.done()

    def close(self) -> None:
        """Wait for what is under way; nothing more is begun."""
        self._pool.shutdown(wait=True, cancel_futures=True)
