"""Reports the progress of long computations with at most one line per second; each line estimates the remaining time."""

import time
from collections.abc import Callable

REPORT_SECONDS = 1.0
"""Minimum number of seconds between two lines about the progress."""
MIN_SECONDS_TO_ESTIMATE = 2.0
"""Seconds of work after which the remaining time is estimated for the first time."""


class ProgressReporter:
    """Reports progress in lines such as "embedding 256 of 3,443 texts, about 40 s left"."""

    def __init__(self, tell: Callable[[str], None], what: str, things: str, total: int, every: float = REPORT_SECONDS) -> None:
        self._tell, self._what, self._things, self._total, self._every = tell, what, things, total, every
        self._began = self._last = time.monotonic()

    def report_progress(self, count: int, share: float | None = None) -> None:
        """Report that `count` units of work are done. `share` (0 to 1) is the completed part of the work; it is needed if the
        units of work differ in size."""
        now = time.monotonic()
        if now - self._last < self._every:
            return
        self._last = now
        part = count / self._total if share is None else share
        seconds = now - self._began
        is_known = 0 < part < 1 and seconds >= MIN_SECONDS_TO_ESTIMATE
        rest = f", {format_duration(seconds / part - seconds)} left" if is_known else ""
        self._tell(f"{self._what} {count:,} of {self._total:,} {self._things}{rest}")


def format_duration(seconds: float) -> str:
    """Return a rounded duration, such as "about 40 s", "about 3 min" or "about 2.5 h"."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {round(seconds / 60)} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
