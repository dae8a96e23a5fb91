"""Count decisions by day, in the server's time zone, and forecast how many days the waiting items take at this pace."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from store.reviews.progress import TimeSlot

MAX_PACE_DAYS = 5
"""Number of days from which the pace is computed; they are the last days with decisions."""
COUNTS = ("accepted", "discarded", "edited", "measured")
"""Names of the fields of WorkDay that are summed over time slots."""


@dataclass(slots=True)
class WorkDay:
    """The decisions made on one day: how many, and how long they took."""

    date: date
    accepted: int = 0
    discarded: int = 0
    edited: int = 0
    """Number of items that were accepted with an edit."""
    measured: int = 0
    """Number of decisions whose active time was measured."""
    active: float | None = None
    """Sum of the active seconds of decisions with a measured time, or None if no time was measured."""

    @property
    def decisions(self) -> int:
        return self.accepted + self.discarded


@dataclass(frozen=True, slots=True)
class WorkDays:
    """The days with decisions, oldest first, for all people together and for each person."""

    everybody: Sequence[WorkDay]
    of: Mapping[str, Sequence[WorkDay]]
    """Dict from person to the days on which the person decided on items."""


@dataclass(frozen=True, slots=True)
class DecisionPace:
    """The decisions on each day, and a forecast of the day when no item waits for review any more."""

    days: Sequence[WorkDay]
    """The days with decisions, oldest first."""
    waiting: int
    """Number of items that still wait for review."""
    wanted: int
    """Number of decisions that the waiting items need; some items need several people."""
    rests_on: Sequence[WorkDay]
    """The days from which the pace is computed: the last complete days with decisions, or only today if there are none."""
    is_today: bool
    """Whether the pace is computed from today, which is not over."""
    per_day: float | None
    """Mean number of decisions on a day with decisions, or None if there is no such day."""
    needed: int | None
    """Number of days until no item waits, or None if the pace is unknown."""


def read_date(slot: str) -> date:
    """Return the date of a slot of ten minutes, in the server's time zone."""
    return datetime.fromisoformat(f"{slot}0:00+00:00").astimezone().date()


def count_days(slots: Iterable[TimeSlot]) -> WorkDays:
    """Add up the decisions of slots of ten minutes by day, for all people together and for each person."""
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
    """Return the sum of one or more `days` as one WorkDay, with the date of the first day."""
    timed = [day.active for day in days if day.active is not None]
    total = WorkDay(days[0].date, active=sum(timed) if timed else None)
    for name in COUNTS:
        setattr(total, name, sum(getattr(day, name) for day in days))
    return total


def measure_pace(days: Sequence[WorkDay], waiting: int, wanted: int, today: date) -> DecisionPace:
    """Forecast how many days the `wanted` decisions on the `waiting` items take, at the pace of the last MAX_PACE_DAYS days
    with decisions.

    Today counts only if there is no other day, because today is not over."""
    whole = [day for day in days if day.date < today][-MAX_PACE_DAYS:]
    rests_on = whole or [day for day in days if day.date == today]
    per_day = sum(day.decisions for day in rests_on) / len(rests_on) if rests_on else None
    needed = math.ceil(wanted / per_day) if per_day else None
    return DecisionPace(days, waiting, wanted, rests_on, bool(rests_on) and not whole, per_day, needed)
