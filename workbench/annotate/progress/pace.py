"""Counts decisions by day, in the server's time zone, and forecasts the time for the waiting items at that pace."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from store.reviews.progress import TimeSlot

MAX_PACE_DAYS = 5
"""Maximum number of days with decisions behind a forecast."""
COUNTS = ("accepted", "discarded", "edited", "measured")
"""Fields of TimeSlot that WorkDay adds up."""


@dataclass(slots=True)
class WorkDay:
    """The decisions of one day."""

    date: date
    accepted: int = 0
    discarded: int = 0
    edited: int = 0
    """Number of accepted items with edits."""
    measured: int = 0
    """Number of decisions with a measured time."""
    active: float | None = None
    """Sum of the active seconds of these decisions, or None without measured decisions."""

    @property
    def decisions(self) -> int:
        return self.accepted + self.discarded


@dataclass(frozen=True, slots=True)
class WorkDays:
    """Days with decisions, oldest first."""

    everybody: Sequence[WorkDay]
    of: Mapping[str, Sequence[WorkDay]]
    """Days by person."""


@dataclass(frozen=True, slots=True)
class DecisionPace:
    """The decisions of each day, and a forecast of the day on which nothing waits any more."""

    days: Sequence[WorkDay]
    """Days with decisions, oldest first."""
    waiting: int
    """Number of waiting items."""
    wanted: int
    """Number of decisions that the waiting items need."""
    rests_on: Sequence[WorkDay]
    """Last whole days with decisions; only today if there are no others."""
    is_today: bool
    """Whether the pace is based on today, which is not over."""
    per_day: float | None
    """Number of decisions per day, or None without days."""
    needed: int | None
    """Number of days until no item waits, or None without a pace."""


def read_date(slot: str) -> date:
    """Return the day of a ten-minute slot in the server's time zone."""
    return datetime.fromisoformat(f"{slot}0:00+00:00").astimezone().date()


def count_days(slots: Iterable[TimeSlot]) -> WorkDays:
    """Return the days of those slots."""
    everybody: dict[date, WorkDay] = {}
    people: dict[str, dict[date, WorkDay]] = {}
    dates: dict[str, date] = {}
    for slot in slots:
        if slot.at not in dates:
            dates[slot.at] = read_date(slot.at)
        for days in (everybody, people.setdefault(slot.person, {})):
            day = days.setdefault(dates[slot.at], WorkDay(dates[slot.at]))
            for name in COUNTS:
                setattr(day, name, getattr(day, name) + getattr(slot, name))
            if slot.active is not None:
                day.active = (day.active or 0.0) + slot.active
    return WorkDays(list(everybody.values()), {person: list(days.values()) for person, days in people.items()})


def sum_days(days: Sequence[WorkDay]) -> WorkDay:
    """Add up those days (at least one), under the date of the first."""
    timed = [day.active for day in days if day.active is not None]
    total = WorkDay(days[0].date, active=sum(timed) if timed else None)
    for name in COUNTS:
        setattr(total, name, sum(getattr(day, name) for day in days))
    return total


def measure_pace(days: Sequence[WorkDay], waiting: int, wanted: int, today: date) -> DecisionPace:
    """Forecast the time for the `wanted` decisions on `waiting` items, at the pace of the last MAX_PACE_DAYS days with
    decisions.

    Today counts only if there is no other day, because today is unfinished."""
    whole = [day for day in days if day.date < today][-MAX_PACE_DAYS:]
    rests_on = whole or [day for day in days if day.date == today]
    per_day = sum(day.decisions for day in rests_on) / len(rests_on) if rests_on else None
    needed = math.ceil(wanted / per_day) if per_day else None
    return DecisionPace(days, waiting, wanted, rests_on, bool(rests_on) and not whole, per_day, needed)
