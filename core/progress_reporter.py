"""How far long work is, in words: at most a line a second, with the time that is left at the pace so far."""

import time
from collections.abc import Callable

REPORT_SECONDS = 1.0
"""Seconds between two lines."""
MIN_SECONDS_TO_ESTIMATE = 2.0
"""Seconds of work before anybody guesses how long the rest takes."""


class ProgressReporter:
    """Hears what is done and tells it: "embedding 256 of 3,443 texts, about 40 s left"."""

    def __init__(self, tell: Callable[[str], None], what: str, things: str, total: int, every: float = REPORT_SECONDS) -> None:
        self._tell, self._what, self._things, self._total, self._every = tell, what, things, total, every
        self._began = self._last = time.monotonic()

    def report_progress(self, count: int, share: float | None = None) -> None:
        """So many of them; `share` of the work, 0..1, where the things are not alike."""
        now = time.monotonic()
        if now - self._last < self._every:
            return
        self._last = now
        part = count / self._total if share is None else share
        took = now - self._began
        left = f", {format_duration(took / part - took)} left" if 0 < part < 1 and took >= MIN_SECONDS_TO_ESTIMATE else ""
        self._tell(f"{self._what} {count:,} of {self._total:,} {self._things}{left}")


def format_duration(seconds: float) -> str:
    """About 40 s, about 3 min, about 2.5 h."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {round(seconds / 60)} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
