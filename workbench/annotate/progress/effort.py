"""Estimates the hours of people and the agent costs for the rest of a target, once MIN_READ_DRAFTS drafts were read. Each
estimate has a range, or a reason why there is none. A range goes from all cheap ends to all dear ends (acceptance: Wilson's 95
%; means: 1.96 standard errors), so it holds more often than 95 %."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import Level
from core.statistics.statistics import wilson
from store.reviews.progress import DraftEffort

MIN_READ_DRAFTS = 50
"""Least number of read drafts for an estimate: of the target's own kind, else of its task and level, else of all."""
Z_95 = 1.96
SECONDS_OF_AN_HOUR = 3_600


class FigureRange(NamedTuple):
    """A figure with its range."""

    mid: float
    low: float
    high: float | None
    """Upper end of the range; None = unbounded."""

    def times(self, other: "FigureRange") -> "FigureRange":
        """Multiply both ends of the range."""
        high = None if self.high is None or other.high is None else self.high * other.high
        return FigureRange(self.mid * other.mid, self.low * other.low, high)


ZERO = FigureRange(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Effort:
    """The effort for a number of further items."""

    hours: FigureRange | None = None
    """Hours of active work; None = unknown."""
    money: FigureRange | None = None
    """US dollars for the missing drafts; None = unknown."""
    basis: str = ""
    """Description of the drafts behind the estimate; "" = no estimate."""
    read: int = 0
    """Number of drafts that people have read."""
    why: str = ""
    """Reason for a missing estimate."""


def estimate_effort(left: int, waiting: int, task: str, level: Level, domain: str, efforts: Sequence[DraftEffort]) -> Effort:
    """Estimate the effort of one target; `waiting` of the drafts to read exist already and cost no more money."""
    if not left:
        return Effort(ZERO, ZERO)
    groups = [
        ("drafts of its own kind", [e for e in efforts if (e.task, e.level, e.domain) == (task, level, domain)]),
        ("drafts of its task and level", [e for e in efforts if (e.task, e.level) == (task, level)]),
        ("all drafts", list(efforts)),
    ]
    for basis, group in groups:
        sums = [sum(values) for values in zip(*(one[3:] for one in group), strict=True)] if group else [0] * 10
        total = DraftEffort("", None, "", *sums)
        read = total.accepted + total.discarded
        if read >= MIN_READ_DRAFTS:
            return _estimate(left, waiting, basis, read, total)
    return Effort(read=read, why=f"{read} drafts were read so far, but {MIN_READ_DRAFTS} are needed")


def add_efforts(efforts: Iterable[Effort]) -> Effort:
    """Add the efforts of several targets; return None if an effort is unknown."""
    every = list(efforts)
    why = next((one.why for one in every if one.why), "")
    return Effort(_sum([one.hours for one in every]), _sum([one.money for one in every]), "each target's own", 0, why)


def _estimate(left: int, waiting: int, basis: str, read: int, total: DraftEffort) -> Effort:
    share = wilson(total.accepted, read)
    if not total.accepted or share.mean is None or share.high is None:
        return Effort(basis=basis, read=read, why=f"none of {read} drafts that were read was accepted")
    to_read = FigureRange(left / share.mean, left / share.high, left / share.low if share.low else None)
    seconds = _mean(total.timed, total.seconds, total.squares)
    price = _mean(total.priced, total.price, total.price_squares)
    passing = 1 - total.refused / total.drafts
    low, mid, high = (
        None if reads is None else max(0.0, reads - waiting) / passing for reads in (to_read.low, to_read.mid, to_read.high)
    )
    to_draft = FigureRange(mid or 0.0, low or 0.0, high)
    hour = 1 / SECONDS_OF_AN_HOUR
    hours = None if seconds is None else to_read.times(seconds).times(FigureRange(hour, hour, hour))
    money = ZERO if to_draft.high == 0 else None if price is None else to_draft.times(price)
    missing = ["the time of fewer than two is known"] * (hours is None)
    missing += ["the price of fewer than two is known"] * (money is None)
    return Effort(hours, money, basis, read, " and ".join(missing))


def _mean(n: int, total: float, squares: float) -> FigureRange | None:
    """Return the mean of that many values with its range, or None for fewer than two values."""
    if n < 2:
        return None
    mean = total / n
    error = Z_95 * math.sqrt(max(0.0, (squares - n * mean * mean) / (n - 1)) / n)
    return FigureRange(mean, max(0.0, mean - error), mean + error)


def _sum(ranges: Sequence[FigureRange | None]) -> FigureRange | None:
    known = [one for one in ranges if one is not None]
    if len(known) < len(ranges):
        return None
    highs = [one.high for one in known if one.high is not None]
    high = sum(highs) if len(highs) == len(known) else None
    return FigureRange(sum(one.mid for one in known), sum(one.low for one in known), high)
