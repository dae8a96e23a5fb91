"""Forecasts the day on which a target is reached, at the pace of the last two weeks, with a range or a reason why there is
none. The range is two standard errors of the pace either way, from the variation of past and of future days (about 95 %)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import mean, variance

WINDOW_DAYS = 14
"""Maximum number of calendar days before today that a pace is based on: whole weeks, because people rest on some days."""
MIN_WORKING_DAYS = 3
"""Least number of days with accepted items for a forecast."""
MAX_DAYS_AHEAD = 3_650


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast for `left` further items."""

    left: int
    per_day: float | None = None
    """Accepted items per calendar day, over `days`, or None without a forecast."""
    days: int = 0
    day: date | None = None
    """Expected date of the last acceptance, or None when no item is left, or without a forecast."""
    early: date | None = None
    """Early end of the range, or None without a forecast."""
    late: date | None = None
    """Late end of the range; None = unbounded."""
    why: str = ""
    """Reason for a missing forecast."""


def forecast(left: int, accepted: Mapping[date, int], today: date) -> Forecast:
    """Compute a forecast from the number of items accepted on each day, without the unfinished current day."""
    if not left:
        return Forecast(0)
    window = [today - timedelta(n) for n in range(WINDOW_DAYS, 0, -1)]
    working = [day for day in window if accepted.get(day)]
    if not working:
        return Forecast(left, why=f"nothing was accepted there in the last {WINDOW_DAYS} days before today")
    if len(working) < MIN_WORKING_DAYS:
        days = "one day" if len(working) == 1 else f"{len(working)} days"
        why = f"items were accepted there on only {days} of the last {WINDOW_DAYS}, and it takes {MIN_WORKING_DAYS}"
        return Forecast(left, why=why)
    counts = [accepted.get(day, 0) for day in window if day >= working[0]]
    pace = mean(counts)
    ahead = left / pace
    if ahead > MAX_DAYS_AHEAD:
        return Forecast(left, why=f"at {pace:.2g} a day it takes more than ten years")
    # The variance is at least that of chance (Poisson: variance = mean), even if the counts of a few days are equal.
    spread = 2 * math.sqrt(max(variance(counts), pace) * (1 / len(counts) + 1 / ahead))
    late = left / (pace - spread) if pace > spread else math.inf
    return Forecast(
        left,
        pace,
        len(counts),
        _add_days(today, ahead),
        _add_days(today, left / (pace + spread)),
        _add_days(today, late) if late <= MAX_DAYS_AHEAD else None,
    )


def _add_days(today: date, days: float) -> date:
    return today + timedelta(math.ceil(days))
