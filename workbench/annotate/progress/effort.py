"""Estimate how many hours of people's work and how much money for agents are still needed to reach a target. At least
MIN_READ_DRAFTS drafts must have been reviewed. Each estimate has a range, or a reason why it cannot be made. The range joins
the lowest bounds, and the highest bounds, of all parts, so it is wider than a 95 % interval. The bounds are Wilson's 95 %
interval of the acceptance rate and 1.96 standard errors of means."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import Level
from core.statistics.statistics import wilson
from store.items.draft_costs import DraftEffort

MIN_READ_DRAFTS = 50
"""Minimum number of reviewed drafts for an estimate. Drafts of the same task, level and domain are counted first. If there are
too few drafts of the same domain, all drafts of the task and level are counted; if there are still too few, all drafts."""
Z_95 = 1.96
SECONDS_OF_AN_HOUR = 3_600


class FigureRange(NamedTuple):
    """An estimated number with a lower and an upper bound."""

    mid: float
    low: float
    high: float | None
    """Upper bound of the estimate, or None if there is no upper bound."""

    def times(self, other: "FigureRange") -> "FigureRange":
        """Return the product of two estimates; their bounds are multiplied too."""
        high = None if self.high is None or other.high is None else self.high * other.high
        return FigureRange(self.mid * other.mid, self.low * other.low, high)


ZERO = FigureRange(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Effort:
    """Estimated hours and money until a number of further items is accepted."""

    hours: FigureRange | None = None
    """Hours that people must spend, or None if unknown."""
    money: FigureRange | None = None
    """Cost in US dollars of the drafts that must still be made, or None if unknown."""
    basis: str = ""
    """Description of the earlier drafts that the estimate is based on; "" if there is no estimate."""
    read: int = 0
    """Number of drafts that people have reviewed so far."""
    why: str = ""
    """Reason why hours or money cannot be estimated; "" if both are."""


def estimate_effort(left: int, waiting: int, task: str, level: Level, domain: str, efforts: Sequence[DraftEffort]) -> Effort:
    """Estimate the effort until `left` more items of a target are accepted. The `waiting` drafts already exist, so only the
    time for their review counts."""
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
    """Return the sum of the efforts for several targets; the sum is None (unknown) if one effort is unknown."""
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
    """Return the mean of `n` values with its 95 % range, given their sum and the sum of their squares; None if `n` is below
    two."""
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
