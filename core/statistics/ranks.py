"""Ranks as intervals: in which places a system stands, resample by resample, so that a table claims no order that the questions
do not give."""

from typing import Any, NamedTuple

from core.statistics.statistics import LEVEL


class Rank(NamedTuple):
    """Places, 1 = best."""

    rank: int
    """By the means themselves; equal means share the better place."""
    low: int
    """The best place that 95 % of the resamples leave it."""
    high: int


def ranks(means: Any, resampled: Any, level: float = LEVEL) -> list[Rank]:
    """One a row of `resampled` (systems, resamples), more is better. Systems that are equal in a resample share its places: one
    counts from the best of them, the other end from the worst."""
    import numpy as np

    drawn = np.round(np.asarray(resampled, np.float64), 12)  # a rounding error is no order
    own = np.round(np.asarray(means, np.float64), 12)
    ends = [(1 - level) / 2, (1 + level) / 2]
    found = []
    for place, row in enumerate(drawn):
        best = 1 + (drawn > row).sum(axis=0)
        worst = (drawn >= row).sum(axis=0)
        low = np.quantile(best, ends[0], method="lower")
        high = np.quantile(worst, ends[1], method="higher")
        found.append(Rank(1 + int((own > own[place]).sum()), int(low), int(high)))
    return found
