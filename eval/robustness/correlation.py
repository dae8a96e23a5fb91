"""Spearman's rank correlation of two features of rewrites (study, section 3.9), with its n and p; none where there is nothing
to correlate."""

from typing import Any, NamedTuple


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
    """Over the pairs of which both are known; ties get the mean of their ranks."""
    import numpy as np
    from scipy.stats import spearmanr

    known = ~(np.isnan(x) | np.isnan(y))
    x, y = x[known], y[known]
    if len(x) < 3:
        return Correlation(None, None, len(x), "fewer than 3 pairs")
    if (x == x[0]).all() or (y == y[0]).all():
        return Correlation(None, None, len(x), "one of the two is the same everywhere")
    found = spearmanr(x, y)
    return Correlation(float(found.statistic), float(found.pvalue), len(x))
