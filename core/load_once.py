"""What takes long to load is loaded once, also when twenty threads ask for it at the same moment: functools' own cache would
let each of them load it."""

import threading
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def load_once(most: int = 1) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """As functools.lru_cache(most), and whoever asks while it is being made waits for it. A call that raises is not kept."""

    def decorate(make: Callable[P, T]) -> Callable[P, T]:
        kept, lock = lru_cache(most)(make), threading.RLock()

        @wraps(make)
        def call_locked(*args: P.args, **kwargs: P.kwargs) -> T:
            with lock:
                return kept(*args, **kwargs)  # type: ignore[arg-type]

        return call_locked

    return decorate
