"""How large a difference is, and how small a one could be seen: effect sizes of paired differences, the standard error of their
mean with clusters, and the smallest difference that a test finds with a power of 80 %."""

import math
from collections.abc import Hashable, Sequence

DETECTED = 1.959964 + 0.841621
"""Standard errors that a true difference must be away from 0 to be found at two-sided p < .05 four times in five."""


def standardised(differences: Sequence[float]) -> float | None:
    """Cohen's d_z: the mean difference over their standard deviation (n - 1). None where they do not differ."""
    n = len(differences)
    if n < 2:
        return None
    mean = math.fsum(differences) / n
    variance = math.fsum((value - mean) ** 2 for value in differences) / (n - 1)
    return mean / math.sqrt(variance) if variance > 1e-18 else None


def odds(wins: int, losses: int) -> float | None:
    """The odds of a win over a loss, with half a question added to both so that 0 stays finite (Haldane 1956); None without
    either."""
    return (wins + 0.5) / (losses + 0.5) if wins + losses else None


def error_of_mean(values: Sequence[float], clusters: Sequence[Hashable]) -> float | None:
    """The standard error of a mean of clustered values: sqrt(G / (G - 1) * sum over clusters of (sum of deviations)^2) / n.
    With clusters of one it is the plain one. None with fewer than two clusters."""
    mean = math.fsum(values) / len(values) if values else 0.0
    sums: dict[Hashable, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + value - mean
    if len(sums) < 2:
        return None
    return math.sqrt(len(sums) / (len(sums) - 1) * math.fsum(one**2 for one in sums.values())) / len(values)


def questions_for(spread: float, difference: float) -> int | None:
    """How many questions, each for itself, a true difference wants to be found with a power of 80 %, where differences of
    single questions have that standard deviation; None for a difference of 0."""
    return math.ceil((DETECTED * spread / difference) ** 2) if difference else None


def detectable(error: float | None) -> float | None:
    """The smallest true difference found with a power of 80 % at that standard error; None where nothing varies."""
    return DETECTED * error if error else None
