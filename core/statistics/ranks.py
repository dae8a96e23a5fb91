"""Ranks of systems with intervals from resampled means. The intervals show which differences in rank the questions do not
support."""

from typing import Any, NamedTuple

from core.statistics.statistics import CONFIDENCE_LEVEL


class Rank(NamedTuple):
    """Rank of one system with its interval; 1 = best."""

    rank: int
    """Rank of the system by its mean; systems with equal means share the better rank."""
    low: int
    """Best rank that the system has within the interval (95 % of the resamples)."""
    high: int


def ranks(means: Any, resampled: Any) -> list[Rank]:
    """Return the rank of each system from its means in `resampled` (systems, resamples); a higher mean is better.

    If systems have equal values in a resample, they share several ranks: `low` is computed from the best shared rank, `high`
    from the worst."""
    import numpy as np

    drawn = np.round(np.asarray(resampled, np.float64), 12)  # rounding errors must not affect the order
    own = np.round(np.asarray(means, np.float64), 12)
    ends = [(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2]
    intervals = []
    for place, row in enumerate(drawn):
        low = np.quantile(1 + (drawn > row).sum(axis=0), ends[0], method="lower")
        high = np.quantile((drawn >= row).sum(axis=0), ends[1], method="higher")
        intervals.append(Rank(1 + int((own > own[place]).sum()), int(low), int(high)))
    return intervals
