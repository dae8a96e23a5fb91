"""Item response theory: the two-parameter logistic model, P(system solves item) = 1 / (1 + exp(-a (ability - b))), fitted to
records of which system solved which item; records may be missing for some pairs (Birnbaum 1968). A score between 0 and 1 counts
as that share of a solution (the fractional response of Papke and Wooldridge 1996). The estimate is the joint maximum a
posteriori: the priors ability ~ N(0, 1), b ~ N(0, 2) and log a ~ N(0, .5) keep values that are poorly determined by few systems
near the middle. The result is deterministic."""

from collections.abc import Mapping
from typing import NamedTuple

from core.errors import BenchError

MIN_SYSTEMS = 10
WIDE_B, WIDE_LOG_A = 2.0, 0.5
"""Standard deviations of the priors of an item's difficulty b and of the logarithm of its discrimination a."""


class ItemFit(NamedTuple):
    """Difficulty and discrimination of one item, as fitted by the model."""

    difficulty: float
    """Difficulty b of the item: the ability at which a system solves the item with probability 1/2."""
    discrimination: float
    """Discrimination a of the item: the slope of the curve, which is steep if the item separates abilities sharply."""
    n: int
    """Number of systems that answered the item."""


class Fit(NamedTuple):
    """The item response model, fitted to all items and systems."""

    items: Mapping[str, ItemFit]
    abilities: Mapping[str, float]
    """Dict from system to its fitted ability."""


def fit(solved: Mapping[tuple[str, str], float], min_systems: int = MIN_SYSTEMS) -> Fit:
    """Fit the model. `solved` is a dict from (system, item) to whether the system solved the item, or to its score from 0 to 1;
    pairs may be missing. Raises BenchError if there are fewer than `min_systems` systems, or if the search for the maximum
    fails."""
    import numpy as np
    from scipy.optimize import minimize
    from scipy.special import expit, log_expit

    systems = sorted({system for system, _ in solved})
    items = sorted({item for _, item in solved})
    if len(systems) < min_systems:
        raise BenchError(f"{len(systems)} systems answered, and the model needs {min_systems}: run more systems.")
    at_system = {name: n for n, name in enumerate(systems)}
    at_item = {name: n for n, name in enumerate(items)}
    rows = np.array([at_system[system] for system, _ in solved])
    columns = np.array([at_item[item] for _, item in solved])
    scores = np.fromiter(solved.values(), np.float64, len(solved))
    many, wide = len(systems), len(items)

    def loss(values: "np.ndarray") -> "tuple[float, np.ndarray]":
        ability, b, log_a = values[:many], values[many : many + wide], values[many + wide :]
        a = np.exp(log_a)
        gap = ability[rows] - b[columns]
        z = a[columns] * gap
        pull = expit(z) - scores
        by_gap = pull * a[columns]
        slope = np.concatenate(
            [
                np.bincount(rows, by_gap, many) + ability,
                -np.bincount(columns, by_gap, wide) + b / WIDE_B**2,
                np.bincount(columns, pull * gap * a[columns], wide) + log_a / WIDE_LOG_A**2,
            ]
        )
        penalty = (ability**2).sum() / 2 + (b**2).sum() / (2 * WIDE_B**2) + (log_a**2).sum() / (2 * WIDE_LOG_A**2)
        return float(penalty - scores @ z - log_expit(-z).sum()), slope

    result = minimize(loss, np.zeros(many + 2 * wide), jac=True, method="L-BFGS-B", options={"maxiter": 2_000})
    if not result.success:
        raise BenchError(
            f"The two-parameter model did not converge ({result.message}): run more systems, or include more items."
        )
    ability, b, log_a = result.x[:many], result.x[many : many + wide], result.x[many + wide :]
    counts = np.bincount(columns, minlength=wide)
    fits = {name: ItemFit(float(b[n]), float(np.exp(log_a[n])), int(counts[n])) for name, n in at_item.items()}
    return Fit(fits, {name: float(ability[n]) for name, n in at_system.items()})
