"""Decisions by day, in the server's time zone, and how long what waits will take at that pace."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from store.reviews.progress import TimeSlot

LAST = 5
"""Days with decisions that a forecast rests on, at most."""


@dataclass(slots=True)
class Day:
    """What was decided on one day."""

    date: date
    accepted: int = 0
    discarded: int = 0
    edited: int = 0
    """Of the accepted ones."""
    measured: int = 0
    active: float | None = None
    """Seconds together; None when none was measured."""

    @property
    def decisions(self) -> int:
        return self.accepted + self.discarded


@dataclass(frozen=True, slots=True)
class Days:
    """Days with decisions, oldest first."""

    everybody: Sequence[Day]
    of: Mapping[str, Sequence[Day]]
    """By person."""


@dataclass(frozen=True, slots=True)
class DecisionPace:
    """The days, and what they promise."""

    days: Sequence[Day]
    """With decisions, oldest first."""
    waiting: int
    """Items."""
    wanted: int
    """Decisions that they take."""
    rests_on: Sequence[Day]
    """The last whole days with decisions; today alone when there is no other."""
    is_today: bool
    """Whether it rests on today, which is not over."""
    per_day: float | None
    """Decisions on such a day; None without any."""
    needed: int | None
    """Such days until nothing waits; None without a pace."""


def days_of(slots: Iterable[TimeSlot]) -> Days:
    """Their days in the server's time zone."""
    everybody: dict[date, Day] = {}
    of: dict[str, dict[date, Day]] = {}
    dates: dict[str, date] = {}
    for slot in slots:
        if slot.at not in dates:
            dates[slot.at] = datetime.fromisoformat(f"{slot.at}0:00+00:00").astimezone().date()
        when = dates[slot.at]
        for found in (everybody, of.setdefault(slot.person, {})):
            day = found.setdefault(when, Day(when))
            day.accepted += slot.accepted
            day.discarded += slot.discarded
            day.edited += slot.edited
            day.measured += slot.measured
            if slot.active is not None:
                day.active = (day.active or 0.0) + slot.active
    return Days(list(everybody.values()), {person: list(found.values()) for person, found in of.items()})


def total(days: Sequence[Day]) -> Day:
    """Those days together, under the date of the first; there is one at least."""
    timed = [day.active for day in days if day.active is not None]
    return Day(
        days[0].date,
        sum(day.accepted for day in days),
        sum(day.discarded for day in days),
        sum(day.edited for day in days),
        sum(day.measured for day in days),
        sum(timed) if timed else None,
    )


def pace(days: Sequence[Day], waiting: int, wanted: int, today: date) -> DecisionPace:
    """How long the `wanted` decisions on `waiting` items take at the pace of the last LAST days with decisions. Today is not
    over and not among them, unless there is no other."""
    whole = [day for day in days if day.date < today][-LAST:]
    rests_on = whole or [day for day in days if day.date == today]
    per_day = sum(day.decisions for day in rests_on) / len(rests_on) if rests_on else None
    needed = math.ceil(wanted / per_day) if per_day else None
    return DecisionPace(days, waiting, wanted, rests_on, bool(rests_on) and not whole, per_day, needed)
