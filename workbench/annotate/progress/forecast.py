"""Forecast the day on which a target is reached at the pace of the last two weeks. The forecast has a range; if there is no
forecast, a reason is given. The range comes from the pace plus or minus two standard errors (about 95 %), estimated from the
variation of the daily numbers."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import mean, variance

WINDOW_DAYS = 14
"""Maximum number of days before today from which the pace is computed. The number is a multiple of seven, because people do not
work every day of a week."""
MIN_WORKING_DAYS = 3
"""Minimum number of days with accepted items that a forecast needs."""
MAX_DAYS_AHEAD = 3_650


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of the day on which `left` more items are accepted."""

    left: int
    per_day: float | None = None
    """Number of accepted items per calendar day, averaged over `days` days, or None if there is no forecast."""
    days: int = 0
    day: date | None = None
    """Day on which the last missing item is expected, or None if no item is missing or there is no forecast."""
    early: date | None = None
    """Earliest day on which the last missing item is expected, or None if no item is missing or there is no forecast."""
    late: date | None = None
    """Latest day on which the last missing item is expected, or None if there is no limit."""
    why: str = ""
    """Reason why there is no forecast; "" if there is one or no item is missing."""


def forecast(left: int, accepted: Mapping[date, int], today: date) -> Forecast:
    """Forecast when `left` more items are accepted; `accepted` has the number on each earlier day. Today does not count,
    because it is not over."""
    if not left:
        return Forecast(0)
    window = [today - timedelta(n) for n in range(WINDOW_DAYS, 0, -1)]
    working = [day for day in window if accepted.get(day)]
    if not working:
        return Forecast(left, why=f"nothing was accepted there in the last {WINDOW_DAYS} days before today")
    if len(working) < MIN_WORKING_DAYS:
        days = "one day" if len(working) == 1 else f"{len(working)} days"
        why = f"items were accepted there on only {days} of the last {WINDOW_DAYS}, and a forecast needs {MIN_WORKING_DAYS}"
        return Forecast(left, why=why)
    counts = [accepted.get(day, 0) for day in window if day >= working[0]]
    pace = mean(counts)
    ahead = left / pace
    if ahead > MAX_DAYS_AHEAD:
        return Forecast(left, why=f"at {pace:.2g} a day it takes more than ten years")
    # The variance is at least that of pure chance (Poisson: variance = mean), even if the numbers of a few days are equal.
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
