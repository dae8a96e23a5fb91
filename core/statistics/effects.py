"""How large a difference is, and how small a one could be seen: effect sizes of paired differences, the standard error of their
mean with clusters, and the smallest difference that a test finds with a power of 80 %."""

import math
from collections.abc import Hashable, Sequence

DETECTABLE_STANDARD_ERRORS = 1.959964 + 0.841621
"""Standard errors that a true difference must be away from 0 to be found at two-sided p < .05 four times in five."""


def standardise_difference(differences: Sequence[float]) -> float | None:
    """Cohen's d_z: the mean difference over their standard deviation (n - 1). None where they do not differ."""
    import numpy as np

    if len(differences) < 2:
        return None
    values = np.asarray(differences, np.float64)
    variance = float(values.var(ddof=1))
    return float(values.mean()) / math.sqrt(variance) if variance > 1e-18 else None


def odds(wins: int, losses: int) -> float | None:
    """The odds of a win over a loss, with half a question added to both so that 0 stays finite (Haldane 1956); None without
    either."""
    return (wins + 0.5) / (losses + 0.5) if wins + losses else None


def error_of_mean(values: Sequence[float], clusters: Sequence[Hashable]) -> float | None:
    """The standard error of a mean of clustered values: sqrt(G / (G - 1) * sum over clusters of (sum of deviations)^2) / n.
    With clusters of one it is the plain one. None with fewer than two clusters."""
    import numpy as np

    places: dict[Hashable, int] = {}
    of_value = [places.setdefault(cluster, len(places)) for cluster in clusters]
    if len(places) < 2:
        return None
    apart = np.asarray(values, np.float64) - float(np.mean(values))
    sums = np.bincount(of_value, apart, len(places))
    return math.sqrt(len(places) / (len(places) - 1) * float((sums**2).sum())) / len(apart)


def questions_for(spread: float, difference: float) -> int | None:
    """How many questions, each for itself, a true difference wants to be found with a power of 80 %, where differences of
    single questions have that standard deviation; None for a difference of 0."""
    return math.ceil((DETECTABLE_STANDARD_ERRORS * spread / difference) ** 2) if difference else None


def find_detectable_difference(error: float | None) -> float | None:
    """The smallest true difference found with a power of 80 % at that standard error; None where nothing varies."""
    return DETECTABLE_STANDARD_ERRORS * error if error else None
