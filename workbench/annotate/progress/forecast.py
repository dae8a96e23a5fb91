"""When what is wanted is there, at the pace of the last two weeks: a day with its range, or why nobody can say. The range is
two standard errors of the pace either way, from how uneven the days were and how uneven those ahead will be (about 95 %)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import mean, variance

WINDOW = 14
"""Calendar days before today that a pace rests on, at most: whole weeks, for nobody works each day."""
LEAST = 3
"""Days with accepted items that it takes."""
FAR = 3_650
"""Days that are still told."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What `left` items more take."""

    left: int
    per_day: float | None = None
    """Accepted a calendar day, over `days`; None without a forecast."""
    days: int = 0
    day: date | None = None
    """When the last of them is accepted at that pace; None when none is left, or there is no forecast."""
    early: date | None = None
    """The early end of the range."""
    late: date | None = None
    """Its late end; None = none can be told."""
    why: str = ""
    """Why there is none."""


def forecast(left: int, accepted: Mapping[date, int], today: date) -> Forecast:
    """From the items that were accepted each day. Today is not over and not among the days."""
    if not left:
        return Forecast(0)
    window = [today - timedelta(n) for n in range(WINDOW, 0, -1)]
    working = [day for day in window if accepted.get(day)]
    if not working:
        return Forecast(left, why=f"nothing was accepted there in the last {WINDOW} days before today")
    if len(working) < LEAST:
        found = "one day" if len(working) == 1 else f"{len(working)} days"
        return Forecast(left, why=f"items were accepted there on only {found} of the last {WINDOW}, and it takes {LEAST}")
    counts = [accepted.get(day, 0) for day in window if day >= working[0]]
    pace = mean(counts)
    ahead = left / pace
    if ahead > FAR:
        return Forecast(left, why=f"at {pace:.2g} a day it takes more than ten years")
    # Counts vary at least as chance makes them (Poisson: variance = mean), however even a few days happened to be.
    spread = 2 * math.sqrt(max(variance(counts), pace) * (1 / len(counts) + 1 / ahead))
    late = left / (pace - spread) if pace > spread else math.inf
    return Forecast(
        left,
        pace,
        len(counts),
        _after(today, ahead),
        _after(today, left / (pace + spread)),
        _after(today, late) if late <= FAR else None,
    )


def _after(today: date, days: float) -> date:
    return today + timedelta(math.ceil(days))
