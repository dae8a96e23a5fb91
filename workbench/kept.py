"""Work that takes seconds, done once in the background and kept by what it was made from: a page asks, is told how far it is,
and asks again. The last few results stay; the rest can be made again."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from core.cancellation import cancel_when
from store.engine.database import Database

T = TypeVar("T")
MOST = 32
"""Results that are kept."""
PATIENCE = 0.4
"""Seconds that the first question waits, so that what is quick is there at once."""


@dataclass(frozen=True, slots=True)
class RunningWork(Generic[T]):
    """One piece of work, as it stands."""

    value: T | None
    """None while it is under way."""
    seconds: float = 0.0
    """Since it was begun."""

    @property
    def is_ready(self) -> bool:
        return self.value is not None


class BackgroundCache:
    """A worker thread or two, and what they have made. The same key twice is one piece of work."""

    def __init__(self, most: int = MOST, threads: int = 1) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._made: OrderedDict[Hashable, tuple[Future[Any], float]] = OrderedDict()
        self._worker = ThreadPoolExecutor(threads, thread_name_prefix="kept")
        self._ending = threading.Event()

    def get(
        self, key: Hashable, make: Callable[[], T], patience: float = PATIENCE, *, keeps_errors: bool = False
    ) -> RunningWork[T]:
        """The result of `make` (never None) for that key, as far as it is there. Raises what `make` raised; the next call tries
        again, unless errors are kept like results."""
        with self._lock:
            is_new = key not in self._made
            if is_new:
                self._made[key] = self._worker.submit(copy_context().run, self._broken_off_at_the_end, make), time.monotonic()
                while len(self._made) > self._most and next(iter(self._made.values()))[0].done():
                    self._made.popitem(last=False)
            self._made.move_to_end(key)
            future, began = self._made[key]
        try:
            return RunningWork(future.result(timeout=patience if is_new else 0))
        except NotYet:
            if future.done():  # the work itself ran into a time limit
                self._forget(key)
                raise
            return RunningWork(None, time.monotonic() - began)
        except BaseException:
            if not (keeps_errors and future.done()):
                self._forget(key)
            raise

    def now(self, key: Hashable, make: Callable[[], T]) -> T:
        """As get, waiting for it."""
        while True:
            found = self.get(key, make, patience=60.0)
            if found.value is not None:
                return found.value
            with self._lock:
                future = self._made[key][0] if key in self._made else None
            if future is not None:
                future.exception()

    def close(self) -> None:
        """Wait for what is under way, as far as it cannot be broken off; nothing more is begun."""
        self._ending.set()
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _broken_off_at_the_end(self, make: Callable[[], T]) -> T:
        with cancel_when(self._ending.is_set):
            return make()

    def _forget(self, key: Hashable) -> None:
        with self._lock:
            self._made.pop(key, None)


class CachedStage:
    """A stage of the workbench whose verbs compute in the background."""

    MAX_RESULTS: ClassVar = MOST
    THREADS: ClassVar = 1

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache(self.MAX_RESULTS, self.THREADS)

    def close(self) -> None:
        """End the work in the background."""
        self._cache.close()
