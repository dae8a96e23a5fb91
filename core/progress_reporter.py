"""Progress of long work in words: at most one line a second, with the remaining time at the pace so far."""

import time
from collections.abc import Callable

REPORT_SECONDS = 1.0
"""Seconds between two lines."""
MIN_SECONDS_TO_ESTIMATE = 2.0
"""Seconds of work before the remaining time is estimated."""


class ProgressReporter:
    """Reports lines such as "embedding 256 of 3,443 texts, about 40 s left"."""

    def __init__(self, tell: Callable[[str], None], what: str, things: str, total: int, every: float = REPORT_SECONDS) -> None:
        self._tell, self._what, self._things, self._total, self._every = tell, what, things, total, every
        self._began = self._last = time.monotonic()

    def report_progress(self, count: int, share: float | None = None) -> None:
        """Report that `count` things are done; `share` = part of the work, 0..1, if things differ in size."""
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
    """About 40 s, about 3 min, about 2.5 h."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {round(seconds / 60)} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
