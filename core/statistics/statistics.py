"""Means with intervals, paired comparisons, and corrections for multiple comparisons. An undefined value is None with a reason,
never 0; a single value has no interval; the same seed gives identical results."""

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from core.statistics.resampling import RESAMPLES, Draws, draw

CONFIDENCE_LEVEL = 0.95
_COLUMN_BLOCK = 500
"""Number of columns that are resampled at a time, whose means take 40 MB."""
_ROUNDING = 1e-12
"""An end of an interval that is closer to 0 than this share of the interval's mean and width is set to 0. A sum of rounded
numbers may miss 0 by as much, and rounding must not make an interval exclude 0."""
_COMMON_MULTIPLE = 2_520
"""Least common multiple of the numbers 1 to 10, by which fractions with these denominators become whole numbers."""
_MIN_EXTREME_FLIPS = 20
"""Minimum number of random sign flips as extreme as the data for a p value that is counted from them; with fewer, a small p
value would be estimated poorly."""
_NO_VALUE, _ONE_CLUSTER = "no value", "one cluster: no interval"


class Interval(NamedTuple):
    """A mean with its percentile bootstrap interval."""

    mean: float | None
    """Mean of the values; None = undefined."""
    low: float | None
    """Lower end of the 95 % interval; None if there are fewer than two clusters."""
    high: float | None
    n: int
    """Number of values in the mean."""
    why: str = ""
    """Reason why the mean or the interval is missing; "" if both exist."""

    def record(self) -> dict[str, Any]:
        """Return the mean and its interval as JSON values."""
        return {"value": self.mean, "low": self.low, "high": self.high, "n": self.n, "why": self.why}


class PairedDifference(NamedTuple):
    """Mean difference of two systems on the same items, with interval, test, wins and losses."""

    mean: float | None
    low: float | None
    high: float | None
    n: int
    p: float | None
    """Two-sided p value of the difference; None if there are fewer than two clusters."""
    test: str
    """Test that gave the p value: mcnemar (exact; for differences of -1, 0, 1 without clusters), permutation (sign flips of the
    clusters: all flips for up to 13 clusters, else random flips), or "" for none."""
    wins: int
    ties: int
    losses: int
    why: str = ""


def bootstrap(
    values: Sequence[float | None],
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    times: Any = None,
) -> Interval:
    """Return the mean of the values with its bootstrap interval; a value of None is missing. The values of one cluster (such as
    variants and repeats of one item) are resampled together. `times` contains, for each value, the number of equal values that
    the value represents."""
    import numpy as np

    column = np.array([math.nan if value is None else value for value in values], np.float64)
    drawn = draw(column[:, None], clusters, resamples, seed, times=times)
    return intervals(drawn.means, drawn.resampled, drawn)[0]


def bootstrap_many(
    table: Any,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Interval]:
    """Return the mean and interval of each column of `table` (rows, columns; NaN = missing). All columns share the same
    resamples, so that differences of systems, metrics and slices can be columns too."""
    drawn = draw(table, clusters, resamples, seed)
    return intervals(drawn.means, drawn.resampled, drawn)


def derive_interval(drawn: Draws, columns: Sequence[int], value: Callable[[Any], Any]) -> Interval:
    """Return the interval of a value that is computed from the means of some columns, like bootstrap_derived, but for a table
    that is already resampled."""
    import numpy as np

    chosen = list(columns)
    fewest = Draws(drawn.means, drawn.resampled, drawn.n[chosen].min(keepdims=True), drawn.clusters[chosen].min(keepdims=True))
    means, resampled = drawn.means[chosen], drawn.resampled[chosen]
    with np.errstate(invalid="ignore", divide="ignore"):
        return intervals(np.atleast_1d(value(means)), np.asarray(value(resampled.T))[None], fewest)[0]


def bootstrap_derived(
    table: Any,
    value: Callable[[Any], Any],
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Return the interval of a value computed from the means of several columns, such as s_f1 = (mean precision + mean recall)
    / 2.

    `value` maps an array (..., columns) of means to an array (...). The n of the interval is the lowest number of values in any
    of the columns."""
    drawn = draw(table, clusters, resamples, seed)
    return derive_interval(drawn, range(len(drawn.means)), value)


def intervals(means: Any, resampled: Any, drawn: Draws) -> list[Interval]:
    """Return the percentile interval of each row of `resampled` (columns, resamples)."""
    import numpy as np

    ends = [(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2]
    limits = np.full((len(resampled), 2), math.nan)
    for place in np.flatnonzero(drawn.clusters > 1).tolist():
        row = resampled[place]
        values = row if not np.isnan(row.sum()) else row[~np.isnan(row)]
        limits[place] = np.quantile(values, ends) if len(values) else math.nan
    rows = []
    columns = (means.tolist(), limits.tolist(), drawn.n.tolist(), drawn.clusters.tolist())
    for mean, (low, high), n, clusters in zip(*columns, strict=True):
        if n == 0 or math.isnan(mean):
            rows.append(Interval(None, None, None, n, _NO_VALUE))
        elif clusters < 2 or math.isnan(low):
            rows.append(Interval(mean, None, None, n, _ONE_CLUSTER))
        else:
            rounding = _ROUNDING * (abs(mean) + high - low)
            low, high = (0.0 if abs(end) < rounding else end for end in (low, high))
            rows.append(Interval(mean, low, high, n))
    return rows


def compare_pairs(
    differences: Sequence[float | None],
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> PairedDifference:
    """Return the mean of the differences a - b on the same items, with interval, p value, wins and losses; an item is ignored
    if either value is None."""
    import numpy as np

    present = [(float(value), place) for place, value in enumerate(differences) if value is not None]
    values = np.array([value for value, _ in present], np.float64)
    groups = [clusters[place] if clusters is not None else place for _, place in present]
    interval = bootstrap(values.tolist(), groups, resamples, seed)
    return _compare_values(
        values, len(set(groups)), interval, lambda: compute_flip_p_values(values[:, None], groups, resamples, seed)[0]
    )


def compare_columns(
    differences: Any,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    over: Sequence[Hashable] | None = None,
) -> list[PairedDifference]:
    """Compare two systems as compare_pairs does, for each column of `differences` (rows, columns; NaN = missing).

    All intervals share one set of resamples and all permutation tests share one set of sign flips, so that hundreds of
    comparisons take two matrix products. `over`: see core.statistics.resampling.draw_many."""
    import numpy as np

    table = np.asarray(differences, np.float64)
    numbers: dict[Hashable, int] = {cluster: number for number, cluster in enumerate(over or ())}
    numbered = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters] if clusters else range(len(table))
    groups = np.array(numbered, np.intp)
    compared: list[PairedDifference] = []
    for first in range(0, table.shape[1], _COLUMN_BLOCK):
        block = table[:, first : first + _COLUMN_BLOCK]
        present = ~np.isnan(block)
        drawn = draw(block, groups.tolist(), resamples, seed, range(len(numbers)) if over else None)
        ps = compute_flip_p_values(np.where(present, block, 0.0), groups.tolist(), resamples, seed)
        for column, interval in enumerate(intervals(drawn.means, drawn.resampled, drawn)):
            rows = present[:, column]
            values, p = block[rows, column], ps[column]
            compared.append(_compare_values(values, len(np.unique(groups[rows])), interval, lambda p=p: p))  # type: ignore[misc]
    return compared


def _compare_values(values: Any, clusters: int, interval: Interval, permute: Callable[[], float]) -> PairedDifference:
    """Return the comparison for one column of differences: by McNemar's test if all differences are -1, 0 or 1 and each
    difference is its own cluster, else with the p value of `permute`."""
    import numpy as np

    mean, low, high, n, why = interval
    wins, losses = int((values > 0).sum()), int((values < 0).sum())
    p, test = None, ""
    if low is not None and clusters == n and np.isin(values, (-1.0, 0.0, 1.0)).all():
        p, test = mcnemar(wins, losses), "mcnemar"
    elif low is not None:
        p, test = permute(), "permutation"
    return PairedDifference(mean, low, high, n, p, test, wins, n - wins - losses, losses, why)


def mcnemar(wins: int, losses: int) -> float:
    """Return the p value of the exact two-sided McNemar test for wins and losses: the binomial probability of a split into wins
    and losses that is at least as uneven; 1 if there are no wins and no losses."""
    n, ways, tail = wins + losses, 1, 1
    for i in range(min(wins, losses)):
        ways = ways * (n - i) // (i + 1)
        tail += ways
    return float(min(1.0, 2 * tail / 2**n))


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Return the p values after Holm's step-down correction for multiple comparisons; None stays None and does not count as a
    comparison."""
    order = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    corrected: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, place) in enumerate(order):
        highest = max(highest, min(1.0, p * (len(order) - rank)))
        corrected[place] = highest
    return corrected


def percentile_of_random_pairs(vectors: Any, percentile: float, seed: int = 0, pairs: int = 20_000) -> float | None:
    """Return the `percentile` (0 to 100) of the cosines of random pairs of different rows; None if there are fewer than two
    rows.

    The result serves as a similarity threshold for this model and corpus. Rows must have length 1."""
    import numpy as np

    if len(vectors) < 2:
        return None
    generator = np.random.default_rng(seed)
    left = generator.integers(0, len(vectors), pairs)
    right = (left + generator.integers(1, len(vectors), pairs)) % len(vectors)
    return float(np.percentile(np.einsum("ij,ij->i", vectors[left], vectors[right]), percentile))


def compute_flip_p_values(
    differences: Any, clusters: Sequence[Hashable], resamples: int = RESAMPLES, seed: int = 0
) -> list[float]:
    """Return, for each column, the two-sided p value of its sum under random sign flips of the clusters; all columns share one
    set of sign flips.

    For up to 13 clusters with nonzero sums, all sign flips are evaluated; for more clusters, random flips are drawn, and the
    sample itself counts as one of them (Phipson, Smyth 2010). If fewer than 20 random flips reach the sum of a column, the
    column's p value is computed by a saddlepoint approximation, because a p of at least 1 / resamples could not pass a
    correction for hundreds of comparisons."""
    import numpy as np

    places: dict[Hashable, int] = {}
    of_row = [places.setdefault(cluster, len(places)) for cluster in clusters]
    sums = np.zeros((len(places), differences.shape[1]))
    np.add.at(sums, of_row, differences)
    totals, observed = sums.sum(axis=0), np.abs(sums.sum(axis=0)) - 1e-9 * np.abs(sums).sum(axis=0)
    ps = np.ones(sums.shape[1])
    nonzero = (sums != 0).sum(axis=0)
    for column in np.flatnonzero((nonzero > 0) & (nonzero <= 13)).tolist():
        own = sums[sums[:, column] != 0, column]
        ways = np.arange(2 ** len(own))[:, None] >> np.arange(len(own)) & 1
        ps[column] = (np.abs((2.0 * ways - 1.0) @ own) >= observed[column]).mean()
    many = np.flatnonzero(nonzero > 13)
    if len(many):
        generator, extreme = np.random.default_rng(seed), np.zeros(len(many), np.int64)
        height = max(1, 2_000_000 // len(sums))
        for first in range(0, resamples, height):
            flips = generator.integers(0, 2, (min(height, resamples - first), len(sums)), dtype=np.int8).astype(np.float64)
            extreme += (np.abs(2.0 * (flips @ sums[:, many]) - totals[many]) >= observed[many]).sum(axis=0)
        ps[many] = (extreme + 1) / (resamples + 1)
        for place in np.flatnonzero(extreme < _MIN_EXTREME_FLIPS).tolist():
            ps[many[place]] = _estimate_tail(np.abs(sums[:, many[place]]), abs(float(totals[many[place]])))
    return [float(p) for p in ps]


def _estimate_tail(sizes: Any, total: float) -> float:
    """Return the share of all sign flips of `sizes` whose sum is at least `total` on either side, for shares too small to count
    in random flips. The estimate uses Lugannani and Rice's saddlepoint approximation (1980), with K(t) = sum of log cosh(t *
    size), and its correction for sums on a lattice."""
    import numpy as np

    own = sizes[sizes > 0]
    most = float(own.sum())
    if total >= most * (1 - 1e-9):
        return 2.0 ** (1 - len(own))
    own, total = own / most, total / most
    t = total / float((own**2).sum())
    for _ in range(100):
        slope, bend = float((own * np.tanh(t * own)).sum()), float((own**2 / np.cosh(np.minimum(t * own, 300.0)) ** 2).sum())
        step = (total - slope) / max(bend, 1e-300)
        t += min(max(step, -t / 2), t + 1.0)  # t stays positive, and bounded where the slope is flat
        if abs(step) < 1e-10 * (1 + t):
            break
    grown = float((np.logaddexp(t * own, -t * own) - math.log(2)).sum())
    r = math.sqrt(max(2 * (t * total - grown), 0.0))
    step = _find_sum_step(sizes) / most
    u = (-math.expm1(-t * step) / step if step else t) * math.sqrt(max(bend, 1e-300))
    one_side = math.erfc(r / math.sqrt(2)) / 2 + math.exp(-r * r / 2) / math.sqrt(2 * math.pi) * (1 / u - 1 / r)
    return float(min(1.0, max(2 * one_side, 2.0 ** (1 - len(own)))))


def _find_sum_step(sizes: Any) -> float:
    """Return the distance between neighbouring possible sums of the sizes with signs, which is twice their common unit if all
    are multiples of 1, 1/2 ... or 1/10; else 0.0."""
    import numpy as np

    parts = sizes * _COMMON_MULTIPLE
    whole = np.round(parts)
    if np.abs(parts - whole).max(initial=0.0) > 1e-6:
        return 0.0
    return 2.0 * float(np.gcd.reduce(whole.astype(np.int64))) / _COMMON_MULTIPLE


def wilson(successes: int, n: int) -> Interval:
    """Return a share, computed over `n` values, with its 95 % score interval (Wilson 1927), which is valid even for shares of 0
    and 1."""
    if not n:
        return Interval(None, None, None, 0, _NO_VALUE)
    z, share = 1.959964, successes / n
    middle, half = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
    return Interval(share, max(0.0, low), min(1.0, high), n)


def gini(values: Sequence[float]) -> float | None:
    """Return the Gini coefficient of values that are not negative: 0 = all are equal, near 1 = one value is the whole sum; None
    if the sum is 0.

    With the values in ascending order, the formula is 2 * sum(i * x_i) / (n * sum(x)) - (n + 1) / n, i from 1 (Gini 1912, for
    raw values)."""
    total = sum(values)
    if not total:
        return None
    n = len(values)
    return 2 * sum(i * value for i, value in enumerate(sorted(values), 1)) / (n * total) - (n + 1) / n
