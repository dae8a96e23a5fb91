"""Limits on how much may happen within a time, counted in memory by key: attempts to sign in, uploads."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from math import inf
from threading import Lock

MAX_COUNTED_KEYS = 10_000
"""Maximum number of counted keys; the keys that were counted longest ago are removed first."""


class RateLimiter:
    """Counts amounts by key within the last `seconds`."""

    def __init__(self, clock: Callable[[], float], seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self._counted: dict[str, deque[tuple[float, float]]] = {}
        self._lock = Lock()

    def count(self, limits: Mapping[str, float], amount: float = 1.0) -> float:
        """Count the amount under each key, and return 0. When a key would exceed its limit, count nothing, and return the
        seconds until the amount fits; infinity if the amount alone exceeds the limit."""
        now = self._clock()
        with self._lock:
            wait = max((self._find_wait(key, limit - amount, now) for key, limit in limits.items()), default=0.0)
            if wait > 0:
                return wait
            for key in limits:
                counted = self._counted.pop(key, deque())  # to the end: the dict is in the order of last counts
                counted.append((now, amount))
                self._counted[key] = counted
            while len(self._counted) > MAX_COUNTED_KEYS:
                del self._counted[next(iter(self._counted))]
        return 0.0

    def take_back(self, keys: Iterable[str]) -> None:
        """Remove the last amount from each key."""
        with self._lock:
            for key in keys:
                if counted := self._counted.get(key):
                    counted.pop()

    def _find_wait(self, key: str, most: float, now: float) -> float:
        """Return the seconds until at most `most` is counted under the key."""
        if most < 0:
            return inf
        counted = self._counted.get(key, deque())
        while counted and not now - self._seconds < counted[0][0] <= now:  # later than now: the clock was set back
            counted.popleft()
        total, wait = sum(amount for _, amount in counted), 0.0
        for at, amount in counted:
            if total <= most:
                break
            total -= amount
            wait = at + self._seconds - now
        return wait
