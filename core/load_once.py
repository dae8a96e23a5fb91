"""Loads something slow to load, such as a model, once per process, even when many threads need it at the same time; with
functools' cache, each thread could load it."""

import threading
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def load_once(most: int = 1) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator that caches results as functools.lru_cache(most) does, but lets concurrent callers wait for the first
    one. Exceptions are not cached."""

    def decorate(make: Callable[P, T]) -> Callable[P, T]:
        cached, lock = lru_cache(most)(make), threading.RLock()

        @wraps(make)
        def call_locked(*args: P.args, **kwargs: P.kwargs) -> T:
            with lock:
                return cached(*args, **kwargs)  # type: ignore[arg-type]

        return call_locked

    return decorate
