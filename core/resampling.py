"""Bootstrap draws: how often each cluster was drawn in each resample, drawn once, and the means of many columns in those
resamples by one product of matrices. The same seed gives the same draws."""

import math
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

RESAMPLES = 10_000
_NEAR = 100_000
"""Cells counted at a time: they stay in the processor's cache."""
_BLOCK = 10_000_000
"""Cells of one block of counts (80 MB); more are drawn and multiplied block by block."""


class Draws(NamedTuple):
    """Column means of a table, and those of its resamples."""

    means: Any
    """float64 (columns,); NaN for a column without values."""
    resampled: Any
    """float64 (columns, resamples); NaN where a resample holds no value of the column."""
    n: Any
    """int (columns,): values."""
    clusters: Any
    """int (columns,): clusters that hold a value."""


def draw(table: Any, clusters: Sequence[Hashable] | None, resamples: int, seed: int) -> Draws:
    """`table` is (rows, columns) with NaN for missing values; rows of one cluster are drawn together, None = every row is
    its own. A mean is over the values there are."""
    import numpy as np

    table = np.asarray(table, np.float64)
    present = ~np.isnan(table)
    n = present.sum(axis=0)
    with np.errstate(invalid="ignore"):
        means = np.where(present, table, 0.0).sum(axis=0) / n
    # centred, so that a constant column stays exactly constant
    centred = np.where(present, table - means, 0.0)
    sums, sizes = _by_cluster(centred, present, clusters)
    having = (sizes > 0).sum(axis=0)
    lowest = np.where(present, table, math.inf).min(axis=0, initial=math.inf)
    highest = np.where(present, table, -math.inf).max(axis=0, initial=-math.inf)
    resampled = np.empty((table.shape[1], resamples), np.float64)
    sizes = sizes.astype(np.float64)
    plain = bool((sizes == 1).all())
    done = 0
    if len(sums):
        for counts in times_drawn(len(sums), resamples, seed):
            block = resampled[:, done : done + len(counts)]
            np.matmul(sums.T, counts.T, out=block)
            with np.errstate(invalid="ignore", divide="ignore"):
                block /= float(len(sums)) if plain else sizes.T @ counts.T
            block += means[:, None]
            np.clip(block, lowest[:, None], highest[:, None], out=block)  # rounding must not leave the scale
            done += len(counts)
    return Draws(means, resampled, n, having)


def _by_cluster(values: Any, present: Any, clusters: Sequence[Hashable] | None) -> tuple[Any, Any]:
    """Sums and numbers of values per cluster, clusters in the order in which they first come."""
    import numpy as np

    if clusters is None:
        return values, present
    places: dict[Hashable, int] = {}
    of_row = [places.setdefault(cluster, len(places)) for cluster in clusters]
    if len(places) == len(of_row):
        return values, present
    sums = np.zeros((len(places), values.shape[1]))
    sizes = np.zeros((len(places), values.shape[1]))
    np.add.at(sums, of_row, values)
    np.add.at(sizes, of_row, present)
    return sums, sizes


def times_drawn(clusters: int, resamples: int, seed: int) -> Iterator[Any]:
    """float64 (resamples in the block, clusters), not to be written into: how often each cluster was drawn."""
    if clusters * resamples <= _BLOCK:
        yield _kept_counts(clusters, resamples, seed)
        return
    import numpy as np

    generator = np.random.default_rng(seed)
    height = max(1, _BLOCK // clusters)
    for first in range(0, resamples, height):
        yield _drawn(generator, clusters, min(height, resamples - first))


@lru_cache(maxsize=2)
def _kept_counts(clusters: int, resamples: int, seed: int) -> Any:
    import numpy as np

    counts = _drawn(np.random.default_rng(seed), clusters, resamples)
    counts.flags.writeable = False
    return counts


def _drawn(generator: Any, clusters: int, resamples: int) -> Any:
    import numpy as np

    counts = np.empty((resamples, clusters), np.float64)
    height = max(1, _NEAR // clusters)
    offsets = np.arange(height, dtype=np.int32)[:, None] * clusters
    for first in range(0, resamples, height):
        rows = min(height, resamples - first)
        places = generator.integers(0, clusters, (rows, clusters), dtype=np.int32) + offsets[:rows]
        counts[first : first + rows] = np.bincount(places.ravel(), minlength=rows * clusters).reshape(rows, clusters)
    return counts
