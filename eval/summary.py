"""Means with their n and interval: percentile bootstrap over clusters (an item with its variants and repeats is one), all
columns that share their clusters in one product of matrices; and data-set values that are no plain mean (s_f1)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.metric import Metric, full_name, metrics
from eval.results import split_name

RESAMPLES = 10_000
BLOCK = 8_000_000
"""Cells of one block of resampling counts: 32 MB."""
Floats = NDArray[np.float64]


@dataclass(slots=True)
class Column:
    """The values of one metric, one per scored answer, each with its cluster; unscored ones are counted apart."""

    name: str
    values: list[float] = field(default_factory=list)
    clusters: list[str] = field(default_factory=list)
    unscored: int = 0
    why: str = ""
    """Why the first unscored one has no value."""

    def add(self, value: float | None, cluster: str, why: str = "") -> None:
        if value is None:
            self.unscored += 1
            self.why = self.why or why
        else:
            self.values.append(value)
            self.clusters.append(cluster)


@dataclass(frozen=True, slots=True)
class Summary:
    """One figure of a table."""

    mean: float | None
    """None = no value, and `why` says why."""
    n: int
    low: float | None
    """Lower end of the 95 % interval; None with fewer than two clusters, which have none."""
    high: float | None
    unscored: int = 0
    why: str = ""

    def record(self) -> dict[str, Any]:
        """As JSON values."""
        record = {"mean": self.mean, "n": self.n, "low": self.low, "high": self.high, "unscored": self.unscored}
        return record | ({"why": self.why or "nothing scored"} if self.mean is None else {})


def summarise(columns: Mapping[str, Column], seed: int, resamples: int = RESAMPLES) -> dict[str, Summary]:
    """A Summary per column, by name; those of a metric with data-set values of its own are put in their place."""
    draws = {name: _draw(column, seed, resamples) for name, column in columns.items()}
    summaries = {name: _summary(columns[name], *draw) for name, draw in draws.items()}
    for base in dict.fromkeys(split_name(name)[1] for name in columns):
        metric = metrics().get(split_name(base)[0])
        if metric is not None and metric.derived is not None:
            summaries |= _derived(base, metric, columns, summaries, seed, resamples)
    return summaries


def derived_mean(name: str, means: Mapping[str, float]) -> float | None:
    """The data-set value of a metric from the means of its columns; the plain mean where there is no other rule."""
    metric_name, base, part = split_name(name)
    metric = metrics().get(metric_name)
    if metric is not None and metric.derived is not None:
        parts = {split_name(n)[2]: mean for n, mean in means.items() if split_name(n)[1] == base}
        value = metric.derived(parts).get(part)
        if value is not None:
            return float(value)
    return means.get(name)


def bounds(name: str, summary: Summary, failed: int) -> list[float] | None:
    """[mean if every failure counted as the scale's low end, the same with its high end]; None where the scale is open."""
    metric = metrics().get(split_name(name)[0])
    if metric is None or metric.low is None or metric.high is None or summary.n + failed == 0:
        return None
    total = (summary.mean or 0.0) * summary.n
    return [(total + end * failed) / (summary.n + failed) for end in (metric.low, metric.high)]


def _summary(column: Column, mean: float | None, resampled: Floats | None) -> Summary:
    low, high = _ends(resampled)
    return Summary(mean, len(column.values), low, high, column.unscored, column.why)


def _derived(
    base: str, metric: Metric, columns: Mapping[str, Column], summaries: Mapping[str, Summary], seed: int, resamples: int
) -> dict[str, Summary]:
    """The parts are drawn over the same clusters, so that they move together as they do in the data."""
    if metric.derived is None:
        return {}
    parts = {split_name(name)[2]: column for name, column in columns.items() if split_name(name)[1] == base}
    means = {part: float(np.mean(column.values)) for part, column in parts.items() if column.values}
    clusters = sorted({cluster for column in parts.values() for cluster in column.clusters})
    drawn = {part: _resampled(parts[part], clusters, seed, resamples) for part in means} if len(clusters) > 1 else {}
    spread = metric.derived(drawn)
    found = {}
    for part, value in metric.derived(means).items():
        name = full_name(base, part)
        low, high = _ends(spread.get(part))
        own = summaries.get(name, Summary(None, 0, None, None))
        n = max((len(parts[p].values) for p in means if p), default=0)
        found[name] = Summary(float(value), n, low, high, own.unscored, "")
    return found


def _draw(column: Column, seed: int, resamples: int) -> tuple[float | None, Floats | None]:
    if not column.values:
        return None, None
    clusters = sorted(set(column.clusters))
    mean = float(np.mean(column.values))
    return mean, _resampled(column, clusters, seed, resamples) if len(clusters) > 1 else None


def _resampled(column: Column, clusters: list[str], seed: int, resamples: int) -> Floats:
    """The column's mean in each resample of the clusters, NaN where a resample holds none of its values."""
    place = {cluster: i for i, cluster in enumerate(clusters)}
    sums = np.zeros((len(clusters), 2), dtype=np.float32)
    for value, cluster in zip(column.values, column.clusters, strict=True):
        sums[place[cluster]] += (value, 1.0)
    totals = np.concatenate([counts @ sums for counts in _counts(len(clusters), seed, resamples)])
    with np.errstate(invalid="ignore"):
        means = totals[:, 0] / totals[:, 1]
    return means.astype(np.float64)


def _counts(clusters: int, seed: int, resamples: int) -> Iterator[NDArray[np.float32]]:
    """Blocks of resampling counts, (resamples of the block, clusters): how often each cluster was drawn."""
    rows = max(BLOCK // clusters, 1)
    if resamples <= rows:
        yield _drawn(clusters, (seed, clusters), resamples)
        return
    for number, first in enumerate(range(0, resamples, rows)):
        yield _drawn.__wrapped__(clusters, (seed, clusters, number), min(rows, resamples - first))


@lru_cache(maxsize=16)
def _drawn(clusters: int, seed: tuple[int, ...], resamples: int) -> NDArray[np.float32]:
    drawn = np.random.default_rng(seed).integers(0, clusters, size=(resamples, clusters))
    drawn += np.arange(resamples)[:, None] * clusters
    counts = np.bincount(drawn.ravel(), minlength=resamples * clusters).reshape(resamples, clusters)
    return counts.astype(np.float32)


def _ends(resampled: Floats | None) -> tuple[float | None, float | None]:
    """The middle 95 %."""
    if resampled is None or not np.isfinite(resampled).any():
        return None, None
    low, high = np.nanquantile(resampled, (0.025, 0.975))
    return float(low), float(high)
