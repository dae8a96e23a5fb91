"""Spearman's rank correlation of two features of rewrites (study, section 3.9), with its n and p."""

from typing import Any, NamedTuple

import numpy as np


class Correlation(NamedTuple):
    """One rank correlation."""

    rho: float | None
    """None = undefined, and `why` says why."""
    p: float | None
    """Two-sided, by the t distribution."""
    n: int
    """Pairs of which both values are known."""
    why: str = ""


def correlate_ranks(x: Any, y: Any) -> Correlation:
    """Returns it over the pairs of which both are known; ties get the mean of their ranks."""
    from scipy.stats import spearmanr

    valued = ~(np.isnan(x) | np.isnan(y))
    x, y = x[valued], y[valued]
    if len(x) < 3:
        return Correlation(None, None, len(x), "fewer than 3 pairs")
    if (x == x[0]).all() or (y == y[0]).all():
        return Correlation(None, None, len(x), "one of the two is the same everywhere")
    result = spearmanr(x, y)
    return Correlation(float(result.statistic), float(result.pvalue), len(x))
