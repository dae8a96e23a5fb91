"""Estimate means over items with bootstrap intervals, clustered by item, and their sample standard deviation over repeated
runs. Each column has a sum and a count per item, so that means over items and over wordings are resampled in the same way."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from core.statistics.resampling import RESAMPLES, Draws, times_drawn
from core.statistics.statistics import intervals


class Estimate(NamedTuple):
    """The mean of one measure over items and repeated runs, with its interval."""

    mean: float | None
    """Mean of the repeated runs' means; None = undefined, for the reason in `why`."""
    low: float | None = None
    """Lower end of the 95 % interval, or None if there are fewer than two items."""
    high: float | None = None
    n: int = 0
    """Number of values in the run with the most values; a value belongs to an item or, if all rewrites are pooled, to a
    wording."""
    sd: float | None = None
    """Sample standard deviation of the repeated runs' means, or None if there is only one run."""
    runs: int = 0
    """Number of repeated runs that have a value."""
    undefined: int = 0
    """Number of answered wordings (or items) without a value of the measure, over all runs."""
    why: str = ""


class FigureColumn(NamedTuple):
    """The values of one measure in one run, as a sum and a count for each item."""

    sums: Any
    """Sum of the values of each item, as float64; 0 for an item without values."""
    counts: Any
    """Number of values in the sum of each item, as float64."""
    undefined: Any
    """Number of answered wordings of each item without a value, as float64."""
    why: str = ""

    def select_items(self, selected: Any) -> "FigureColumn":
        """Return the column with only some items: `selected` has 1 for each item to keep, else 0."""
        return FigureColumn(self.sums * selected, self.counts * selected, self.undefined * selected, self.why)


def estimate_figures(columns: Sequence[Sequence[FigureColumn]], seed: int, resamples: int = RESAMPLES) -> list[Estimate]:
    """Return one Estimate per measure. `columns` has, for each repeated run, the same measures over the same items. All runs
    and measures share the same resamples of items."""
    if not columns or not columns[0]:
        return []
    runs, figures = len(columns), len(columns[0])
    sums = np.stack([column.sums for run in columns for column in run], axis=1)
    counts = np.stack([column.counts for run in columns for column in run], axis=1)
    n = counts.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums.sum(axis=0) / n
    filled = (counts > 0).any(axis=1)
    centred = (sums - np.where(np.isnan(means), 0.0, means) * counts)[filled]  # keeps a constant column exactly constant
    drawn = _draw_means(centred, counts[filled], means, seed, resamples)
    by_run, n = means.reshape(runs, figures), n.reshape(runs, figures)
    present = ~np.isnan(by_run)
    runs_with_value = present.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = np.where(present, by_run, 0.0).sum(axis=0) / runs_with_value
        spread = np.sqrt((np.where(present, by_run - middle, 0.0) ** 2).sum(axis=0) / (runs_with_value - 1))
    clusters = (counts.reshape(len(counts), runs, figures) > 0).any(axis=1).sum(axis=0)
    resampled = drawn.reshape(runs, figures, -1).sum(axis=0) / np.maximum(runs_with_value, 1)[:, None]
    estimates = []
    for place, interval in enumerate(intervals(middle, resampled, Draws(middle, None, n.max(axis=0).astype(int), clusters))):
        own = [run[place] for run in columns]
        why = next((column.why for column in own if column.why), interval.why) if interval.mean is None else ""
        sd = float(spread[place]) if runs_with_value[place] > 1 else None
        undefined = int(sum(column.undefined.sum() for column in own))
        estimates.append(Estimate(*interval[:4], sd, int(runs_with_value[place]), undefined, why))
    return estimates


def _draw_means(centred: Any, counts: Any, means: Any, seed: int, resamples: int) -> Any:
    """Return the resampled means as an array (columns, resamples); 0 for a column without values, so that sums over runs stay
    valid."""
    drawn = np.zeros((len(means), resamples))
    if not len(centred):
        return drawn
    done = 0
    is_plain = bool((counts == counts[:, :1]).all())
    for times in times_drawn(len(centred), resamples, seed):
        block = drawn[:, done : done + len(times)]
        np.matmul(centred.T, times.T, out=block)
        sizes = (counts[:, :1].T @ times.T) if is_plain else counts.T @ times.T
        with np.errstate(invalid="ignore", divide="ignore"):
            block /= sizes
        block += np.where(np.isnan(means), 0.0, means)[:, None]
        done += len(times)
    drawn[np.isnan(means)] = 0.0
    return drawn
