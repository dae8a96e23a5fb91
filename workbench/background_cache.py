"""Compute results that take seconds in background threads, each once, and cache each result under a key made of everything that
it depends on."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from core.cancellation import Cancelled, cancel_when
from store.engine.database import Database

T = TypeVar("T")
MAX_RESULTS = 32
FIRST_WAIT_SECONDS = 0.4
"""Seconds that the first call for a key waits, so that a fast result is returned at once."""
_POOL = ThreadPoolExecutor(128, thread_name_prefix="background")
"""Thread pool shared by all caches. The pool has more threads than can be busy, so that slow work of one cache never delays
another cache."""


@dataclass(frozen=True, slots=True)
class RunningWork(Generic[T]):
    """The state of a computation that runs in the background."""

    value: T | None
    """Result of the computation; None while it runs."""
    seconds: float = 0.0
    """Seconds since the computation started; 0 after it has finished."""

    @property
    def is_ready(self) -> bool:
        return self.value is not None


class BackgroundCache:
    """Runs computations in the background, at most `threads` at the same time, and caches the last `max_results` results."""

    def __init__(self, max_results: int = MAX_RESULTS, threads: int = 1) -> None:
        self._max_results, self._threads = max_results, threads
        self._lock = threading.Lock()
        self._results: OrderedDict[Hashable, tuple[Future[Any], float]] = OrderedDict()
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._unfinished: set[Future[Any]] = set()
        self._active_threads = 0
        self._is_closed = False
        self._is_cancelled = threading.Event()

    def get(
        self, key: Hashable, make: Callable[[], T], wait_seconds: float = FIRST_WAIT_SECONDS, *, keeps_errors: bool = False
    ) -> RunningWork[T]:
        """Return the cached result for `key`. If there is no cached result, run `make` in the background and wait briefly;
        return the result, or the number of seconds that `make` has been running. `make` must not return None.

        Calls with the same key share one computation. If `make` raises an error, the call raises it too. The next call runs
        `make` again, unless `keeps_errors` is True."""
        with self._lock:
            is_new = key not in self._results
            if is_new:
                self._results[key] = self._submit(make), time.monotonic()
                while len(self._results) > self._max_results and next(iter(self._results.values()))[0].done():
                    self._results.popitem(last=False)
            self._results.move_to_end(key)
            future, began = self._results[key]
        wait((future,), timeout=wait_seconds if is_new else 0)
        if not future.done():
            return RunningWork(None, time.monotonic() - began)
        try:
            return RunningWork(future.result())
        except BaseException:
            if not keeps_errors:
                self._forget(key)
            raise

    def wait_for(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of `make` for `key` like `get`, but wait until it is computed."""
        while True:
            work = self.get(key, make, wait_seconds=60.0)
            if work.value is not None:
                return work.value
            with self._lock:
                future = self._results[key][0] if key in self._results else None
            if future is not None:
                future.exception()

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """Run `work` in the background, after all work that was submitted before, without caching its result."""
        with self._lock:
            return self._submit(work)

    def close(self, *, finishes_all: bool = False) -> None:
        """Refuse new work, cancel unfinished work unless `finishes_all` is True, and wait until no work is running."""
        with self._lock:
            self._is_closed, futures = True, set(self._unfinished)
        if not finishes_all:
            self._is_cancelled.set()
            for future in futures:
                future.cancel()
        wait(futures)

    def _submit(self, work: Callable[[], T]) -> "Future[T]":
        """Add `work` to the queue, and start another thread if fewer threads than allowed are running. The caller must hold the
        lock."""
        if self._is_closed:
            raise Cancelled("The workspace is closed: nothing new is computed.")
        future: Future[T] = Future()
        self._unfinished.add(future)
        future.add_done_callback(self._unfinished.discard)
        self._waiting.append((future, partial(copy_context().run, self._run_until_closed, work)))
        if self._active_threads < self._threads:
            self._active_threads += 1
            _POOL.submit(self._run_waiting)
        return future

    def _run_waiting(self) -> None:
        """Run the waiting work, one piece after the other, until none is left."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._active_threads -= 1
                    return
                future, work = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:  # noqa: BLE001  # the reader of the future raises the error
                    future.set_exception(error)

    def _run_until_closed(self, work: Callable[[], T]) -> T:
        with cancel_when(self._is_cancelled.is_set):
            return work()

    def _forget(self, key: Hashable) -> None:
        with self._lock:
            self._results.pop(key, None)


class CachedStage:
    """Base class of stages whose methods compute in the background; closing the workbench also closes the caches of these
    stages."""

    MAX_RESULTS: ClassVar = MAX_RESULTS
    THREADS: ClassVar = 1

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache(self.MAX_RESULTS, self.THREADS)
