"""Effect sizes of paired differences, the standard error of their mean over clusters, and the smallest difference that a test
can detect with a power of 80 %."""

import math
from collections.abc import Hashable, Sequence

DETECTABLE_STANDARD_ERRORS = 1.959964 + 0.841621
"""Size of a true difference, in standard errors, that gives a two-sided p < .05 in four of five samples."""
MIN_SPREAD = 1e-9
"""Standard deviation up to which scores count as equal; because of rounding, the standard deviation of equal scores can be
1e-16 instead of 0."""


def standardise_difference(differences: Sequence[float]) -> float | None:
    """Return Cohen's d_z of paired differences: their mean / their standard deviation (n - 1); None if all are equal."""
    import numpy as np

    if len(differences) < 2:
        return None
    values = np.asarray(differences, np.float64)
    variance = float(values.var(ddof=1))
    return float(values.mean()) / math.sqrt(variance) if variance > MIN_SPREAD**2 else None


def odds(wins: int, losses: int) -> float | None:
    """Return the odds of a win against a loss, with 0.5 added to the number of wins and to the number of losses (Haldane 1956);
    None if there are neither wins nor losses."""
    return (wins + 0.5) / (losses + 0.5) if wins + losses else None


def error_of_mean(values: Sequence[float], clusters: Sequence[Hashable]) -> float | None:
    """Return the standard error of the mean of values in clusters; None if there are fewer than two clusters.

    With G clusters and n values, the formula is sqrt(G / (G - 1) * sum over clusters of (sum of deviations)^2) / n, which gives
    the usual standard error if each cluster has one value."""
    import numpy as np

    numbers: dict[Hashable, int] = {}
    numbered = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    if len(numbers) < 2:
        return None
    deviations = np.asarray(values, np.float64) - float(np.mean(values))
    sums = np.bincount(numbered, deviations, len(numbers))
    return math.sqrt(len(numbers) / (len(numbers) - 1) * float((sums**2).sum())) / len(deviations)


def questions_for(spread: float, difference: float) -> int | None:
    """Return how many independent questions are needed to detect a true difference with a power of 80 %. The result is None if
    the difference or the spread is 0, because such data allow no conclusion about other questions.

    `spread` is the standard deviation of the differences per question."""
    if not difference or spread <= MIN_SPREAD:
        return None
    return math.ceil((DETECTABLE_STANDARD_ERRORS * spread / difference) ** 2)


def find_detectable_difference(error: float | None) -> float | None:
    """Return the smallest true difference that a test detects with a power of 80 %, computed from the standard error; None if
    the standard error is 0."""
    return DETECTABLE_STANDARD_ERRORS * error if error is not None and error > MIN_SPREAD else None
