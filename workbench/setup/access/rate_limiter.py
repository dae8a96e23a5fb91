"""Limit amounts within a period of time, for example attempts to sign in, or uploads. The amounts are counted in memory, by
key."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from math import inf
from threading import Lock

MAX_COUNTED_KEYS = 10_000
"""Maximum number of keys in memory; if there are more, those that were not counted for the longest time are removed."""


class RateLimiter:
    """Adds up amounts by key over the last `seconds` seconds, and refuses amounts that would exceed a limit."""

    def __init__(self, clock: Callable[[], float], seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self._counted: dict[str, deque[tuple[float, float]]] = {}
        self._lock = Lock()

    def count(self, limits: Mapping[str, float], amount: float = 1.0) -> float:
        """Add the amount to each key in `limits` (a dict from key to limit), and return 0. If a limit would be exceeded, add
        nothing and return the number of seconds until the amount is allowed; infinity if the amount alone exceeds the limit."""
        now = self._clock()
        with self._lock:
            wait = max((self._find_wait(key, limit - amount, now) for key, limit in limits.items()), default=0.0)
            if wait > 0:
                return wait
            for key in limits:
                counted = self._counted.pop(key, deque())  # move to the end: the dict is sorted by the last count
                counted.append((now, amount))
                self._counted[key] = counted
            while len(self._counted) > MAX_COUNTED_KEYS:
                del self._counted[next(iter(self._counted))]
        return 0.0

    def take_back(self, keys: Iterable[str]) -> None:
        """Subtract the last counted amount from each key."""
        with self._lock:
            for key in keys:
                if counted := self._counted.get(key):
                    counted.pop()

    def _find_wait(self, key: str, most: float, now: float) -> float:
        """Return the seconds until the amounts counted under the key are together at most `most`."""
        if most < 0:
            return inf
        counted = self._counted.get(key, deque())
        while counted and not now - self._seconds < counted[0][0] <= now:  # the time is in the future: the clock was set back
            counted.popleft()
        total, wait = sum(amount for _, amount in counted), 0.0
        for at, amount in counted:
            if total <= most:
                break
            total -= amount
            wait = at + self._seconds - now
        return wait
