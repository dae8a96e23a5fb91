"""Estimates the hours of people and the agent costs that are still needed to reach a target, once MIN_READ_DRAFTS drafts were
reviewed. Each estimate has a range, or a reason why there is none. The range combines the lowest and the highest bounds of all
parts (Wilson's 95 % interval of the acceptance rate, 1.96 standard errors of means), so that it is wider than a 95 %
interval."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import Level
from core.statistics.statistics import wilson
from store.reviews.progress import DraftEffort

MIN_READ_DRAFTS = 50
"""Minimum number of reviewed drafts for an estimate. Drafts of the same task, level and domain are used if there are enough,
else of the same task and level, else all."""
Z_95 = 1.96
SECONDS_OF_AN_HOUR = 3_600


class FigureRange(NamedTuple):
    """An estimated number with a lower and an upper bound."""

    mid: float
    low: float
    high: float | None
    """Upper bound of the estimate; None = unbounded."""

    def times(self, other: "FigureRange") -> "FigureRange":
        """Return the product of two estimates, with the bounds multiplied."""
        high = None if self.high is None or other.high is None else self.high * other.high
        return FigureRange(self.mid * other.mid, self.low * other.low, high)


ZERO = FigureRange(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Effort:
    """The estimated hours and costs until a number of further items is accepted."""

    hours: FigureRange | None = None
    """Hours that people have to spend; None = unknown."""
    money: FigureRange | None = None
    """Cost in US dollars of the drafts that are still to be made; None = unknown."""
    basis: str = ""
    """Which earlier drafts the estimate is based on, in words; "" = no estimate."""
    read: int = 0
    """Number of drafts that people have reviewed so far."""
    why: str = ""
    """Reason why hours or cost cannot be estimated; "" = both are estimated."""


def estimate_effort(left: int, waiting: int, task: str, level: Level, domain: str, efforts: Sequence[DraftEffort]) -> Effort:
    """Estimate the effort until `left` more items of a target are accepted; the `waiting` drafts exist already, so they take
    only the time to review them."""
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
    return Effort(
        read=read, why=f"{read} {'draft was' if read == 1 else 'drafts were'} read so far, but {MIN_READ_DRAFTS} are needed"
    )


def add_efforts(efforts: Iterable[Effort]) -> Effort:
    """Add up the efforts of several targets; the sum is unknown (None) if one of the efforts is."""
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
    missing = ["the time of fewer than two drafts is known"] * (hours is None)
    missing += ["the price of fewer than two drafts is known"] * (money is None)
    return Effort(hours, money, basis, read, " and ".join(missing))


def _mean(n: int, total: float, squares: float) -> FigureRange | None:
    """Return the mean of `n` values with its 95 % range, from their sum and their sum of squares, or None for fewer than two
    values."""
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
