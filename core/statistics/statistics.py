"""Means with intervals, comparisons in pairs, corrections for many of them. Undefined is None with a reason, never 0; one
value has no interval; a fixed seed gives the same bytes."""

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from core.statistics.resampling import RESAMPLES, Draws, draw

LEVEL = 0.95
_COLUMNS = 500
"""Columns that are drawn at a time: 40 MB of resampled means."""
_PARTS = 2_520
"""Of which 2 to 10 are all parts."""
_RARE = 20
"""Random flips below which their count says little about how rare a sum is."""
_NOTHING, _ONE = "no value", "one cluster: no interval"


class Interval(NamedTuple):
    """A mean with its percentile bootstrap interval."""

    mean: float | None
    """None = there was no value."""
    low: float | None
    """None with fewer than two clusters."""
    high: float | None
    n: int
    """Values."""
    why: str = ""
    """Why mean or interval is missing; empty when they are there."""


class PairedDifference(NamedTuple):
    """The difference of two systems on the same items."""

    mean: float | None
    low: float | None
    high: float | None
    n: int
    p: float | None
    """Two-sided; None with fewer than two clusters."""
    test: str
    """mcnemar (exact; differences of -1, 0, 1 without clusters), permutation (signs of the clusters flipped: all ways up to
    13 clusters, else at random), or empty."""
    wins: int
    ties: int
    losses: int
    why: str = ""


def bootstrap(
    values: Sequence[float | None],
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = LEVEL,
) -> Interval:
    """Mean of the values with its interval; None among them is missing. Values with one cluster (variants and repeats of one
    item) are drawn together."""
    import numpy as np

    column = np.array([math.nan if value is None else value for value in values], np.float64)
    return bootstrap_many(column[:, None], clusters, resamples, seed, level)[0]


def bootstrap_many(
    table: Any, clusters: Sequence[Hashable] | None = None, resamples: int = RESAMPLES, seed: int = 0, level: float = LEVEL
) -> list[Interval]:
    """One Interval a column of `table` (rows, columns; NaN = missing), all from the same draws: columns of one call move
    together, so that differences of systems, metrics and slices are columns too."""
    drawn = draw(table, clusters, resamples, seed)
    return intervals(drawn.means, drawn.resampled, drawn, level)


def derive_interval(drawn: Draws, columns: Sequence[int], value: Callable[[Any], Any], level: float = LEVEL) -> Interval:
    """As bootstrap_derived, from some columns of a table that is drawn already."""
    import numpy as np

    chosen = list(columns)
    fewest = Draws(drawn.means, drawn.resampled, drawn.n[chosen].min(keepdims=True), drawn.clusters[chosen].min(keepdims=True))
    means, resampled = drawn.means[chosen], drawn.resampled[chosen]
    with np.errstate(invalid="ignore", divide="ignore"):
        return intervals(np.atleast_1d(value(means)), np.asarray(value(resampled.T))[None], fewest, level)[0]


def bootstrap_pairs(
    table: Any,
    pairs: Sequence[tuple[int, int]],
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = LEVEL,
) -> list[Interval]:
    """One Interval for each pair (a, b) of columns: the mean of column a minus column b over the rows where both have values.
    The same as bootstrap_many over columns of differences, but a product of matrices only over the columns themselves."""
    import numpy as np

    table = np.asarray(table, np.float64)
    missing = np.isnan(table)
    apart = [place for place, (a, b) in enumerate(pairs) if (missing[:, a] != missing[:, b]).any()]
    own = {place: table.shape[1] + i for i, place in enumerate(apart)}  # pairs that need a column of their own
    extra = [table[:, pairs[place][0]] - table[:, pairs[place][1]] for place in apart]
    means, resampled, n, having = draw(np.column_stack([table, *extra]), clusters, resamples, seed)
    found = []
    for place, (a, b) in enumerate(pairs):
        left = own.get(place, a)
        mean, drawn = means[left : left + 1], resampled[left : left + 1]
        if place not in own:
            mean, drawn = mean - means[b], drawn - resampled[b]
        chosen = Draws(mean, drawn, n[left : left + 1], having[left : left + 1])
        found += intervals(mean, drawn, chosen, level)
    return found


def bootstrap_derived(
    table: Any,
    value: Callable[[Any], Any],
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = LEVEL,
) -> Interval:
    """Interval of a value made from column means, such as s_f1 = (mean precision + mean recall) / 2. `value` takes an array
    (..., columns) of means and gives (...). n is that of the column with the fewest values."""
    drawn = draw(table, clusters, resamples, seed)
    return derive_interval(drawn, range(len(drawn.means)), value, level)


def intervals(means: Any, resampled: Any, drawn: Draws, level: float = LEVEL) -> list[Interval]:
    """Percentile intervals of the rows of `resampled` (columns, resamples)."""
    import numpy as np

    ends = [(1 - level) / 2, (1 + level) / 2]
    limits = np.full((len(resampled), 2), math.nan)
    for place in np.flatnonzero(drawn.clusters > 1).tolist():
        row = resampled[place]
        there = row if not np.isnan(row.sum()) else row[~np.isnan(row)]
        limits[place] = np.quantile(there, ends) if len(there) else math.nan
    found = []
    columns_of = (means.tolist(), limits.tolist(), drawn.n.tolist(), drawn.clusters.tolist())
    for mean, (low, high), n, clusters in zip(*columns_of, strict=True):
        if n == 0 or math.isnan(mean):
            found.append(Interval(None, None, None, n, _NOTHING))
        elif clusters < 2 or math.isnan(low):
            found.append(Interval(mean, None, None, n, _ONE))
        else:
            found.append(Interval(mean, low, high, n))
    return found


def compare_pairs(
    differences: Sequence[float | None],
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = LEVEL,
    interval: Interval | None = None,
) -> PairedDifference:
    """Mean of the differences a - b on the same items, with interval, p and counts; None among them (one of the two has no
    value) is left out. `interval` is theirs, where it was drawn together with that of other differences."""
    import numpy as np

    there = [(value, place) for place, value in enumerate(differences) if value is not None]
    values = [float(value) for value, _ in there]
    groups = [clusters[place] if clusters is not None else place for _, place in there]
    mean, low, high, n, why = interval or bootstrap(values, groups, resamples, seed, level)
    wins, losses = sum(value > 0 for value in values), sum(value < 0 for value in values)
    p, test = None, ""
    if low is not None:
        if _is_binary(values) and len(set(groups)) == n:
            p, test = mcnemar(wins, losses), "mcnemar"
        else:
            p, test = compute_flip_p_values(np.array(values)[:, None], groups, resamples, seed)[0], "permutation"
    return PairedDifference(mean, low, high, n, p, test, wins, n - wins - losses, losses, why)


def compare_columns(
    differences: Any,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = LEVEL,
    over: Sequence[Hashable] | None = None,
) -> list[PairedDifference]:
    """As paired for each column of `differences` (rows, columns; NaN = missing): all intervals from one set of draws, all
    permutation tests from one set of flips, so that hundreds of comparisons cost two products of matrices. `over` as in
    core.statistics.resampling.draw_many."""
    import numpy as np

    table = np.asarray(differences, np.float64)
    there = ~np.isnan(table)
    known_as: dict[Hashable, int] = {one: place for place, one in enumerate(over or ())}
    named = [known_as.setdefault(one, len(known_as)) for one in clusters] if clusters else range(len(table))
    groups = np.array(named, np.intp)
    found: list[PairedDifference] = []
    for first in range(0, table.shape[1], _COLUMNS):
        block, known = table[:, first : first + _COLUMNS], there[:, first : first + _COLUMNS]
        drawn = draw(block, groups.tolist(), resamples, seed, range(len(known_as)) if over else None)
        intervals_ = intervals(drawn.means, drawn.resampled, drawn, level)
        ps = compute_flip_p_values(np.where(known, block, 0.0), groups.tolist(), resamples, seed)
        for column, (mean, low, high, n, why) in enumerate(intervals_):
            values = block[known[:, column], column]
            wins, losses = int((values > 0).sum()), int((values < 0).sum())
            p, test = (None, "") if low is None else (ps[column], "permutation")
            if low is not None and _is_binary(values) and len(np.unique(groups[known[:, column]])) == n:
                p, test = mcnemar(wins, losses), "mcnemar"
            found.append(PairedDifference(mean, low, high, n, p, test, wins, n - wins - losses, losses, why))
    return found


def _is_binary(differences: Any) -> bool:
    """Whether they are those of two values of 0 or 1."""
    import numpy as np

    return bool(np.isin(differences, (-1.0, 0.0, 1.0)).all())


def mcnemar(wins: int, losses: int) -> float:
    """Exact two-sided McNemar test: the binomial probability of a split at least as uneven; 1 without discordant pairs."""
    n, ways, tail = wins + losses, 1, 1
    for i in range(min(wins, losses)):
        ways = ways * (n - i) // (i + 1)
        tail += ways
    return float(min(1.0, 2 * tail / 2**n))


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down correction; None stays None and is not counted."""
    order = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    corrected: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, place) in enumerate(order):
        highest = max(highest, min(1.0, p * (len(order) - rank)))
        corrected[place] = highest
    return corrected


def percentile_of_random_pairs(vectors: Any, percentile: float, seed: int = 0, pairs: int = 20_000) -> float | None:
    """The cosine that `percentile` (0..100) of random pairs of different rows stay below: a threshold in this model's and this
    corpus's own scale. None with fewer than two rows. Rows have length 1."""
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
    """Per column the two-sided p of its sum under flipped signs of the clusters, one set of flips for all columns; up to 13
    clusters that are not 0 are flipped in all ways, with random flips the sample itself counts as one (Phipson, Smyth 2010).
    What fewer than 20 of the random flips reach has its p from a saddlepoint: hundreds of comparisons are corrected together,
    and no correction could be passed by a p that is never below 1 / resamples."""
    import numpy as np

    places: dict[Hashable, int] = {}
    of_row = [places.setdefault(cluster, len(places)) for cluster in clusters]
    sums = np.zeros((len(places), differences.shape[1]))
    np.add.at(sums, of_row, differences)
    totals, seen = sums.sum(axis=0), np.abs(sums.sum(axis=0)) - 1e-9 * np.abs(sums).sum(axis=0)
    found = np.ones(sums.shape[1])
    several = (sums != 0).sum(axis=0)
    for column in np.flatnonzero((several > 0) & (several <= 13)).tolist():
        own = sums[sums[:, column] != 0, column]
        ways = np.arange(2 ** len(own))[:, None] >> np.arange(len(own)) & 1
        found[column] = (np.abs((2.0 * ways - 1.0) @ own) >= seen[column]).mean()
    many = np.flatnonzero(several > 13)
    if len(many):
        generator, extreme = np.random.default_rng(seed), np.zeros(len(many), np.int64)
        height = max(1, 2_000_000 // len(sums))
        for first in range(0, resamples, height):
            flips = generator.integers(0, 2, (min(height, resamples - first), len(sums)), dtype=np.int8).astype(np.float64)
            extreme += (np.abs(2.0 * (flips @ sums[:, many]) - totals[many]) >= seen[many]).sum(axis=0)
        found[many] = (extreme + 1) / (resamples + 1)
        for place in np.flatnonzero(extreme < _RARE).tolist():
            found[many[place]] = _tail(np.abs(sums[:, many[place]]), abs(float(totals[many[place]])))
    return [float(p) for p in found]


def _tail(sizes: Any, total: float) -> float:
    """The share of all ways to flip the signs of `sizes` that come to `total` or more on either side, where it is too small to
    be counted in random ones: Lugannani and Rice's saddlepoint approximation (1980), with K(t) = sum of log cosh(t * size),
    and its correction for sums that lie a step apart."""
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
        t += min(max(step, -t / 2), t + 1.0)  # stays positive, and does not run away where the slope is flat
        if abs(step) < 1e-10 * (1 + t):
            break
    grown = float((np.logaddexp(t * own, -t * own) - math.log(2)).sum())
    r = math.sqrt(max(2 * (t * total - grown), 0.0))
    step = _find_sum_step(sizes) / most
    u = (-math.expm1(-t * step) / step if step else t) * math.sqrt(max(bend, 1e-300))
    one_side = math.erfc(r / math.sqrt(2)) / 2 + math.exp(-r * r / 2) / math.sqrt(2 * math.pi) * (1 / u - 1 / r)
    return float(min(1.0, max(2 * one_side, 2.0 ** (1 - len(own)))))


def _find_sum_step(sizes: Any) -> float:
    """How far apart the sums lie where all sizes are whole numbers of something (of 1, 1/2 .. 1/10): twice that; 0.0 else."""
    import numpy as np

    parts = sizes * _PARTS
    whole = np.round(parts)
    if np.abs(parts - whole).max(initial=0.0) > 1e-6:
        return 0.0
    return 2.0 * float(np.gcd.reduce(whole.astype(np.int64))) / _PARTS


def wilson(successes: int, n: int) -> Interval:
    """A share of n with its 95 % score interval (Wilson 1927): true to size also where all or none succeeded."""
    if not n:
        return Interval(None, None, None, 0, _NOTHING)
    z, share = 1.959964, successes / n
    middle, half = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
    return Interval(share, max(0.0, low), min(1.0, high), n)


def gini(values: Sequence[float]) -> float | None:
    """How unevenly a sum is spread over those values, none of them negative: 0 = all are equal, near 1 = one has all. With the
    values in rising order it is 2 * sum(i * x_i) / (n * sum(x)) - (n + 1) / n, i from 1 (Gini 1912, the form for raw values).
    None where there is nothing to spread."""
    total = sum(values)
    if not total:
        return None
    n = len(values)
    return 2 * sum(i * value for i, value in enumerate(sorted(values), 1)) / (n * total) - (n + 1) / n
