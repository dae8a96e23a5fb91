"""Bootstrap resampling by cluster: how many times each resample contains each cluster, and the means of many columns over all
resamples by one matrix product. The same seed gives the same resamples."""

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

RESAMPLES = 10_000
MIN_POISSON_CLUSTERS = 5_000
"""Number of clusters from which resampling uses Poisson counts: each cluster is drawn a Poisson number of times (mean 1),
instead of drawing n clusters out of n. With this many clusters, the ends of an interval agree to the fourth digit, and drawing
takes a tenth of the time."""
_MAX_TIMES = 12
_POISSON_BLOCK_CELLS = 4_000_000
"""Number of cells (clusters x resamples) of Poisson counts in one block, which takes 16 MB."""
_CACHED_CELLS = 100_000
"""Number of array cells that are processed at a time, so that they fit into the processor's cache."""
_COUNT_BLOCK_CELLS = 10_000_000
"""Number of cells (clusters x resamples) in one block of counts, which takes 80 MB; larger tables are drawn and multiplied in
blocks."""


class Draws(NamedTuple):
    """Means of a table's columns, over the whole table and over each resample of it."""

    means: Any
    """Mean of each column as a float64 array (columns,); NaN for a column without values."""
    resampled: Any
    """Mean of each column in each resample as a float64 array (columns, resamples); NaN if the resample has no value in the
    column."""
    n: Any
    """Number of values in each column as an integer array (columns,)."""
    clusters: Any
    """Number of clusters with a value in each column, as an integer array (columns,)."""


class Columns(NamedTuple):
    """A table whose column means are resampled."""

    table: Any
    """Values as an array (rows, columns); NaN = missing, and left out of means."""
    clusters: Sequence[Hashable] | None
    """Cluster that each row belongs to; None = each row is a separate cluster, and rows with the same number in several tables
    are one cluster."""
    times: Any = None
    """Number of equal rows that each row represents; None = one row each."""


def draw(
    table: Any,
    clusters: Sequence[Hashable] | None,
    resamples: int,
    seed: int,
    over: Sequence[Hashable] | None = None,
    times: Any = None,
) -> Draws:
    """Compute the means of a table's columns in bootstrap resamples; see draw_many."""
    return draw_many([Columns(table, clusters, times)], resamples, seed, over)[0]


def draw_many(tables: Sequence[Columns], resamples: int, seed: int, over: Sequence[Hashable] | None = None) -> list[Draws]:
    """Resample several tables with the same draws of clusters. Clusters are drawn from `over` if it is given, else from the
    clusters of all tables, in order of appearance.

    A table with only some of the clusters, such as a slice, has a varying number of clusters per resample."""
    import numpy as np

    places: dict[Hashable, int] = {cluster: place for place, cluster in enumerate(over)} if over is not None else {}
    parts = [_make_part(np.asarray(one.table, np.float64), one.clusters, places, resamples, one.times) for one in tables]
    total = len(places) or max((len(part.both) for part in parts), default=0)
    for part in parts:
        part.where = None if len(part.both) == total else part.where
    first = 0
    for counts in _draw_blocks(total, resamples, seed):
        for part in parts:
            part.fill(counts, first)
        first += counts.shape[1]
    return [Draws(part.means, part.resampled, part.n, part.clusters) for part in parts]


@dataclass(slots=True)
class _Part:
    """A table summed by cluster, with the means of the resamples drawn so far."""

    means: Any
    n: Any
    lowest: Any
    highest: Any
    both: Any
    """Array (clusters, further columns): sums of deviations from the mean, so that a constant column stays exactly constant,
    then numbers of values (a single column if each cluster has one value in each column)."""
    where: Any
    """Index of each cluster of the table among all clusters; None = the table has all clusters, in order."""
    clusters: Any
    resampled: Any

    def fill(self, counts: Any, first: int) -> None:
        """Compute the means for a block of resamples; `counts` (clusters, resamples of the block) contains the number of times
        that each cluster is drawn."""
        import numpy as np

        if not len(self.both):
            return
        if self.both.dtype != counts.dtype:
            self.both = self.both.astype(counts.dtype)
        own = counts if self.where is None else counts[self.where]
        sums = (self.both.T @ own).astype(np.float64, copy=False)
        columns = len(self.means)
        block = self.resampled[:, first : first + counts.shape[1]]
        with np.errstate(invalid="ignore", divide="ignore"):
            np.divide(sums[:columns], sums[columns:], out=block)
        block += self.means[:, None]
        np.clip(block, self.lowest[:, None], self.highest[:, None], out=block)  # rounding must not exceed the range of values


def _make_part(
    table: Any, clusters: Sequence[Hashable] | None, places: dict[Hashable, int], resamples: int, times: Any
) -> _Part:
    """Return a table summed by cluster, and add new clusters to `places`, a dict from cluster to index."""
    import numpy as np

    present = ~np.isnan(table)
    each = 1 if times is None else np.asarray(times)[:, None]
    n = (present * each).sum(axis=0)
    with np.errstate(invalid="ignore"):
        means = (np.where(present, table, 0.0) * each).sum(axis=0) / n
    sums, sizes, where = np.where(present, table - means, 0.0) * each, present.astype(np.float64) * each, None
    if clusters is not None:
        of_row = np.array([places.setdefault(cluster, len(places)) for cluster in clusters], np.intp)
        where, inverse = np.unique(of_row, return_inverse=True)
        if len(where) < len(of_row) or (np.diff(of_row) < 0).any():
            values, sums = sums, np.zeros((len(where), table.shape[1]))
            np.add.at(sums, inverse, values)
            numbers, sizes = sizes, np.zeros((len(where), table.shape[1]))
            np.add.at(sizes, inverse, numbers)
    filled = (sizes > 0).sum(axis=0)
    sizes = sizes[:, :1] if sizes.size and (sizes == 1).all() else sizes
    lowest = np.where(present, table, math.inf).min(axis=0, initial=math.inf)
    highest = np.where(present, table, -math.inf).max(axis=0, initial=-math.inf)
    resampled = np.empty((table.shape[1], resamples), np.float64)
    return _Part(means, n, lowest, highest, np.column_stack([sums, sizes]), where, filled, resampled)


def _draw_blocks(clusters: int, resamples: int, seed: int) -> Iterator[Any]:
    """Yield, in blocks, the number of times that each cluster is drawn, as read-only arrays (clusters, resamples of the
    block)."""
    if clusters < MIN_POISSON_CLUSTERS:
        for counts in times_drawn(clusters, resamples, seed) if clusters else ():
            yield counts.T
        return
    import numpy as np

    generator = np.random.Generator(np.random.SFC64(seed))
    height = max(1, _POISSON_BLOCK_CELLS // clusters)
    for first in range(0, resamples, height):
        yield _draw_poisson(generator, clusters, min(height, resamples - first))


def _draw_poisson(generator: Any, clusters: int, resamples: int) -> Any:
    """Return the number of times that each cluster is drawn, from a Poisson distribution with mean 1, as a float32 array
    (clusters, resamples); each count uses 16 random bits."""
    import numpy as np

    total = clusters * resamples
    numbers = np.empty(total, np.float32)
    steps = np.cumsum([math.exp(-1) / math.factorial(k) for k in range(_MAX_TIMES)])
    ends = np.round(steps * 2**16).astype(np.int64)
    ends = ends[ends < 2**16].astype(np.uint16)
    for first in range(0, total, _CACHED_CELLS):
        size = min(_CACHED_CELLS, total - first)
        bits = generator.integers(0, 2**64 - 1, -(-size // 4), np.uint64, endpoint=True).view(np.uint16)[:size]
        times = np.zeros(size, np.uint8)
        for end in ends:
            times += bits >= end
        numbers[first : first + size] = times
    return numbers.reshape(clusters, resamples)


def times_drawn(clusters: int, resamples: int, seed: int) -> Iterator[Any]:
    """Yield, in blocks, the number of times that each cluster is drawn, as read-only float64 arrays (resamples of the block,
    clusters)."""
    if clusters * resamples <= _COUNT_BLOCK_CELLS:
        yield _cache_counts(clusters, resamples, seed)
        return
    import numpy as np

    generator = np.random.default_rng(seed)
    height = max(1, _COUNT_BLOCK_CELLS // clusters)
    for first in range(0, resamples, height):
        yield _draw_counts(generator, clusters, min(height, resamples - first))


@lru_cache(maxsize=2)
def _cache_counts(clusters: int, resamples: int, seed: int) -> Any:
    import numpy as np

    counts = _draw_counts(np.random.default_rng(seed), clusters, resamples)
    counts.flags.writeable = False
    return counts


def _draw_counts(generator: Any, clusters: int, resamples: int) -> Any:
    import numpy as np

    counts = np.empty((resamples, clusters), np.float64)
    height = max(1, _CACHED_CELLS // clusters)
    offsets = np.arange(height, dtype=np.int32)[:, None] * clusters
    for first in range(0, resamples, height):
        rows = min(height, resamples - first)
        places = generator.integers(0, clusters, (rows, clusters), dtype=np.int32) + offsets[:rows]
        counts[first : first + rows] = np.bincount(places.ravel(), minlength=rows * clusters).reshape(rows, clusters)
    return counts
