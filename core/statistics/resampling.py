"""Bootstrap draws: how often each cluster was drawn in each resample, drawn once, and the means of many columns in those
resamples by one product of matrices. The same seed gives the same draws."""

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

RESAMPLES = 10_000
MIN_POISSON_CLUSTERS = 5_000
"""From so many clusters on each is drawn by itself, a Poisson number of times with mean 1, in the place of so many out of all:
at that size the ends of an interval are the same to the fourth digit, and the draws cost a tenth."""
_MOST_TIMES = 12
_POISSON_BLOCK_CELLS = 4_000_000
"""Cells of one block of those (16 MB)."""
_CACHED_CELLS = 100_000
"""Cells counted at a time: they stay in the processor's cache."""
_COUNT_BLOCK_CELLS = 10_000_000
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


class Columns(NamedTuple):
    """A table whose column means are drawn."""

    table: Any
    """(rows, columns), NaN for missing values; a mean is over the values there are."""
    clusters: Sequence[Hashable] | None
    """Of each row: rows of one are drawn together; None = every row is its own, the same ones in every table."""


def draw(
    table: Any, clusters: Sequence[Hashable] | None, resamples: int, seed: int, over: Sequence[Hashable] | None = None
) -> Draws:
    """As draw_many, of one table."""
    return draw_many([Columns(table, clusters)], resamples, seed, over)[0]


def draw_many(tables: Sequence[Columns], resamples: int, seed: int, over: Sequence[Hashable] | None = None) -> list[Draws]:
    """Every table from the same draws of clusters: those of all tables in the order in which they first come, or of `over`,
    which names them all. A table that holds some of the clusters alone, as a slice does, has now more and now fewer of them in
    a resample."""
    import numpy as np

    places: dict[Hashable, int] = {cluster: place for place, cluster in enumerate(over)} if over is not None else {}
    parts = [_part(np.asarray(table, np.float64), clusters, places, resamples) for table, clusters in tables]
    total = len(places) or max((len(part.both) for part in parts), default=0)
    for part in parts:
        part.where = None if len(part.both) == total else part.where
    done = 0
    for counts in _blocks(total, resamples, seed):
        for part in parts:
            part.fill(counts, done)
        done += counts.shape[1]
    return [part.draws() for part in parts]


@dataclass(slots=True)
class _Part:
    """One table by its clusters, and what its resamples come to so far."""

    means: Any
    n: Any
    lowest: Any
    highest: Any
    both: Any
    """(clusters, columns and further ones): sums of what is above or below the mean, so that a constant column stays exactly
    constant; then the numbers of values, one column where every cluster has one value in every column."""
    where: Any
    """Places of its clusters among all of them; None = they are all, in order."""
    having: Any
    resampled: Any

    def fill(self, counts: Any, done: int) -> None:
        """`counts` (clusters, resamples of this block): how often each was drawn."""
        import numpy as np

        if not len(self.both):
            return
        if self.both.dtype != counts.dtype:
            self.both = self.both.astype(counts.dtype)
        taken = counts if self.where is None else counts[self.where]
        found = (self.both.T @ taken).astype(np.float64, copy=False)
        columns = len(self.means)
        block = self.resampled[:, done : done + counts.shape[1]]
        with np.errstate(invalid="ignore", divide="ignore"):
            np.divide(found[:columns], found[columns:], out=block)
        block += self.means[:, None]
        np.clip(block, self.lowest[:, None], self.highest[:, None], out=block)  # rounding must not leave the scale

    def draws(self) -> Draws:
        return Draws(self.means, self.resampled, self.n, self.having)


def _part(table: Any, clusters: Sequence[Hashable] | None, places: dict[Hashable, int], resamples: int) -> _Part:
    """`places` takes up clusters that it does not hold yet."""
    import numpy as np

    present = ~np.isnan(table)
    n = present.sum(axis=0)
    with np.errstate(invalid="ignore"):
        means = np.where(present, table, 0.0).sum(axis=0) / n
    sums, sizes, where = np.where(present, table - means, 0.0), present.astype(np.float64), None
    if clusters is not None:
        of_row = np.array([places.setdefault(cluster, len(places)) for cluster in clusters], np.intp)
        where, inverse = np.unique(of_row, return_inverse=True)
        if len(where) < len(of_row) or (np.diff(of_row) < 0).any():
            values, sums = sums, np.zeros((len(where), table.shape[1]))
            np.add.at(sums, inverse, values)
            sizes = np.zeros((len(where), table.shape[1]))
            np.add.at(sizes, inverse, present)
    having = (sizes > 0).sum(axis=0)
    sizes = sizes[:, :1] if sizes.size and (sizes == 1).all() else sizes
    lowest = np.where(present, table, math.inf).min(axis=0, initial=math.inf)
    highest = np.where(present, table, -math.inf).max(axis=0, initial=-math.inf)
    resampled = np.empty((table.shape[1], resamples), np.float64)
    return _Part(means, n, lowest, highest, np.column_stack([sums, sizes]), where, having, resampled)


def _blocks(clusters: int, resamples: int, seed: int) -> Iterator[Any]:
    """(clusters, resamples in the block), not to be written into: how often each cluster was drawn."""
    if clusters < MIN_POISSON_CLUSTERS:
        for counts in times_drawn(clusters, resamples, seed) if clusters else ():
            yield counts.T
        return
    import numpy as np

    generator = np.random.Generator(np.random.SFC64(seed))
    height = max(1, _POISSON_BLOCK_CELLS // clusters)
    for first in range(0, resamples, height):
        yield _each_alone(generator, clusters, min(height, resamples - first))


def _each_alone(generator: Any, clusters: int, resamples: int) -> Any:
    """float32 (clusters, resamples): Poisson numbers with mean 1, each from 16 random bits."""
    import numpy as np

    total = clusters * resamples
    found = np.empty(total, np.float32)
    steps = np.cumsum([math.exp(-1) / math.factorial(k) for k in range(_MOST_TIMES)])
    ends = np.round(steps * 2**16).astype(np.int64)
    ends = ends[ends < 2**16].astype(np.uint16)
    for first in range(0, total, _CACHED_CELLS):
        size = min(_CACHED_CELLS, total - first)
        bits = generator.integers(0, 2**64 - 1, -(-size // 4), np.uint64, endpoint=True).view(np.uint16)[:size]
        times = np.zeros(size, np.uint8)
        for end in ends:
            times += bits >= end
        found[first : first + size] = times
    return found.reshape(clusters, resamples)


def times_drawn(clusters: int, resamples: int, seed: int) -> Iterator[Any]:
    """float64 (resamples in the block, clusters), not to be written into: how often each cluster was drawn."""
    if clusters * resamples <= _COUNT_BLOCK_CELLS:
        yield _kept_counts(clusters, resamples, seed)
        return
    import numpy as np

    generator = np.random.default_rng(seed)
    height = max(1, _COUNT_BLOCK_CELLS // clusters)
    for first in range(0, resamples, height):
        yield _draw_counts(generator, clusters, min(height, resamples - first))


@lru_cache(maxsize=2)
def _kept_counts(clusters: int, resamples: int, seed: int) -> Any:
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
