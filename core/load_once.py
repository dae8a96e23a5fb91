"""Loads a resource that is slow to load, such as a model, once per process, even if many threads request the resource at the
same time. With the cache of functools, each of these threads could load the resource."""

import threading
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def load_once(most: int = 1) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator that caches results as functools.lru_cache(most) does, but makes concurrent callers wait for the first
    caller's result. Exceptions are not cached."""

    def decorate(make: Callable[P, T]) -> Callable[P, T]:
        cached, lock = lru_cache(most)(make), threading.RLock()

        @wraps(make)
        def call_locked(*args: P.args, **kwargs: P.kwargs) -> T:
            with lock:
                return cached(*args, **kwargs)  # type: ignore[arg-type]

        return call_locked

    return decorate
