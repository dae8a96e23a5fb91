"""Means over items with their bootstrap interval, clustered by item, and their sample deviation over repeated runs. Every
column is a sum over a count an item, so that means of items and means of wordings are drawn alike."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.statistics.resampling import RESAMPLES, Draws, times_drawn
from core.statistics.statistics import intervals


class Estimate(NamedTuple):
    """One figure of a table."""

    mean: float | None
    """The mean of the runs' means; None = undefined, and `why` says why."""
    low: float | None = None
    """Lower end of the 95 % interval; None with fewer than two items."""
    high: float | None = None
    n: int = 0
    """Values of the run that has most: items, or wordings where all rewrites are taken together."""
    sd: float | None = None
    """Sample deviation of the runs' means; None with one run."""
    runs: int = 0
    """Runs with a value."""
    undefined: int = 0
    """Answered wordings (or items) of all runs without a value."""
    why: str = ""


class FigureColumn(NamedTuple):
    """One figure of one run, not yet averaged."""

    sums: Any
    """float64 (items,): 0 where there is no value."""
    counts: Any
    """float64 (items,): how many values each sum is of."""
    undefined: Any
    """float64 (items,): how many were answered and have no value."""
    why: str = ""

    def select_items(self, kept: Any) -> "FigureColumn":
        """The same over some of the items (1 = kept, else 0)."""
        return FigureColumn(self.sums * kept, self.counts * kept, self.undefined * kept, self.why)


def estimate_figures(columns: Sequence[Sequence[FigureColumn]], seed: int, resamples: int = RESAMPLES) -> list[Estimate]:
    """One Estimate a figure; `columns` has the figures of each run, in the same order and over the same items. All are drawn
    together: the items of every run and figure come in the same resamples."""
    import numpy as np

    if not columns or not columns[0]:
        return []
    runs, figures = len(columns), len(columns[0])
    sums = np.stack([column.sums for run in columns for column in run], axis=1)
    counts = np.stack([column.counts for run in columns for column in run], axis=1)
    n = counts.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums.sum(axis=0) / n
    there = (counts > 0).any(axis=1)
    centred = (sums - np.where(np.isnan(means), 0.0, means) * counts)[there]  # a constant column stays exactly constant
    drawn = _draw_means(centred, counts[there], means, seed, resamples)
    by_run, n = means.reshape(runs, figures), n.reshape(runs, figures)
    present = ~np.isnan(by_run)
    known = present.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = np.where(present, by_run, 0.0).sum(axis=0) / known
        spread = np.sqrt((np.where(present, by_run - middle, 0.0) ** 2).sum(axis=0) / (known - 1))
    clusters = (counts.reshape(len(counts), runs, figures) > 0).any(axis=1).sum(axis=0)
    both = intervals(
        middle,
        drawn.reshape(runs, figures, -1).sum(axis=0) / np.maximum(known, 1)[:, None],
        Draws(middle, None, n.max(axis=0).astype(int), clusters),
    )
    found = []
    for place, interval in enumerate(both):
        own = [run[place] for run in columns]
        why = next((column.why for column in own if column.why), interval.why) if interval.mean is None else ""
        found.append(
            Estimate(
                interval.mean,
                interval.low,
                interval.high,
                interval.n,
                float(spread[place]) if known[place] > 1 else None,
                int(known[place]),
                int(sum(column.undefined.sum() for column in own)),
                why,
            )
        )
    return found


def _draw_means(centred: Any, counts: Any, means: Any, seed: int, resamples: int) -> Any:
    """(columns, resamples) of resampled means; 0 for a column without values, so that sums over runs stay sums."""
    import numpy as np

    found = np.zeros((len(means), resamples))
    if not len(centred):
        return found
    done = 0
    plain = bool((counts == counts[:, :1]).all())
    for times in times_drawn(len(centred), resamples, seed):
        block = found[:, done : done + len(times)]
        np.matmul(centred.T, times.T, out=block)
        sizes = (counts[:, :1].T @ times.T) if plain else counts.T @ times.T
        with np.errstate(invalid="ignore", divide="ignore"):
            block /= sizes
        block += np.where(np.isnan(means), 0.0, means)[:, None]
        done += len(times)
    found[np.isnan(means)] = 0.0
    return found
