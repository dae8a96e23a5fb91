"""Summarise the scores of answers: means with n and interval (an item with its variants and repeats is one cluster), and
data-set values that are not a plain mean of the items' values, such as s_f1."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from core.statistics.resampling import RESAMPLES, Columns, Draws, draw_many
from core.statistics.statistics import Interval, derive_interval, intervals
from eval.metric import Metric, join_name, metrics, split_name


class ScorePoint(Protocol):
    """One score of one answer: a value, or None with the reason why there is no value."""

    @property
    def value(self) -> float | None: ...
    @property
    def why(self) -> str: ...


Answer = Mapping[str, ScorePoint]
"""One answer, as a dict from full metric name to its score."""


@dataclass(frozen=True, slots=True)
class FigureSummary:
    """The mean of one metric over answers, with its interval."""

    mean: float | None
    """Mean of the values; None = there is no value, for the reason in `why`."""
    n: int
    low: float | None
    """Lower end of the 95 % interval, or None if there are fewer than two clusters."""
    high: float | None
    unscored: int = 0
    """Number of answers for which the metric gave no value, with a reason."""
    why: str = ""

    def record(self) -> dict[str, Any]:
        """Return the summary as JSON values."""
        record = {"mean": self.mean, "n": self.n, "low": self.low, "high": self.high, "unscored": self.unscored}
        return record | ({"why": self.why or "nothing scored"} if self.mean is None else {})


def summarise_answers(
    answers: Sequence[Answer], clusters: Sequence[Hashable], seed: int, resamples: int = RESAMPLES
) -> dict[str, FigureSummary]:
    """Return a dict from metric to its summary, for each metric that any answer has; `clusters` has one entry per answer."""
    return summarise_groups([(answers, clusters)], seed, resamples)[0]


def summarise_groups(
    groups: Sequence[tuple[Sequence[Answer], Sequence[Hashable]]],
    seed: int,
    resamples: int = RESAMPLES,
    over: Sequence[Hashable] | None = None,
) -> list[dict[str, FigureSummary]]:
    """Return a dict from metric to its summary for each group of answers. All groups share the resamples of their clusters, or
    of the clusters in `over`."""
    names = [list_names(answers) for answers, _ in groups]
    tables = [_lay_out(answers, own) for (answers, _), own in zip(groups, names, strict=True)]
    columns = [Columns(table, clusters) for table, (_, clusters) in zip(tables, groups, strict=True)]
    drawn = draw_many(columns, resamples, seed, over)
    parts = zip(names, tables, drawn, (answers for answers, _ in groups), strict=True)
    return [_summarise_group(*part) for part in parts]


def _summarise_group(names: Sequence[str], table: Any, drawn: Draws, answers: Sequence[Answer]) -> dict[str, FigureSummary]:
    figures = dict(zip(names, intervals(drawn.means, drawn.resampled, drawn), strict=True))
    for base, metric in _select_derivable(names).items():
        figures |= _derive_intervals(base, metric, table, names, drawn)
    summaries = {}
    for name in sorted(figures):
        mean, low, high, n, why = figures[name]
        unscored = [answer[name].why for answer in answers if name in answer and answer[name].value is None]
        why = next(filter(None, unscored), why) if mean is None else ""
        summaries[name] = FigureSummary(mean, n, low, high, len(unscored), why)
    return summaries


def average_points(answers: Sequence[Answer]) -> dict[str, float]:
    """Return {metric: mean} without intervals, including data-set values such as s_f1; metrics without values are left out."""
    values: dict[str, list[float]] = {name: [] for name in list_names(answers)}
    for answer in answers:
        for name, point in answer.items():
            if point.value is not None:
                values[name].append(point.value)
    means = {name: math.fsum(own) / len(own) for name, own in values.items() if own}
    for base, metric in _select_derivable(list(means)).items():
        parts = {split_name(name).part: mean for name, mean in means.items() if split_name(name).base == base}
        derived = metric.derived(parts) if metric.derived else {}
        means |= {join_name(base, part): float(value) for part, value in derived.items()}
    return means


def list_names(answers: Sequence[Answer]) -> list[str]:
    """Return the full names of all metrics that any answer has, in order."""
    return sorted({name for answer in answers for name in answer})


def compute_bounds(name: str, summary: FigureSummary, failed: int) -> list[float] | None:
    """Return two means: the first with every failed answer counted as the lowest value of the metric's scale, the second as the
    highest; None if the scale is unbounded."""
    metric = metrics().get(split_name(name).metric)
    if metric is None or metric.low is None or metric.high is None or split_name(name).part in metric.counts:
        return None
    if summary.n + failed == 0:
        return None
    total = (summary.mean or 0.0) * summary.n
    return [(total + end * failed) / (summary.n + failed) for end in (metric.low, metric.high)]


def _lay_out(answers: Sequence[Answer], names: Sequence[str]) -> Any:
    """Return an array answers x metrics of the scores' values, with NaN for a missing value."""
    table = np.full((len(answers), len(names)), math.nan)
    for row, answer in enumerate(answers):
        for column, name in enumerate(names):
            value = answer[name].value if name in answer else None
            if value is not None:
                table[row, column] = value
    return table


def _select_derivable(names: Sequence[str]) -> dict[str, Metric]:
    """Return the metrics whose data-set value is not a mean, as a dict from name to Metric; the names include suffixes such as
    .offline and .judge1."""
    bases = {split_name(name).base: metrics().get(split_name(name).metric) for name in names}
    return {base: metric for base, metric in bases.items() if metric is not None and metric.derived is not None}


def _derive_intervals(base: str, metric: Metric, table: Any, names: Sequence[str], drawn: Draws) -> dict[str, Interval]:
    """Return a dict from full name to interval for values derived from means, such as s_f1; the means are resampled
    together."""
    columns = [i for i, name in enumerate(names) if split_name(name).base == base and not np.isnan(table[:, i]).all()]
    parts = [split_name(names[i]).part for i in columns]
    rule = metric.derived
    if rule is None or not parts:
        return {}

    def derive(part: str, means: Any) -> Any:
        return rule({name: means[..., i] for i, name in enumerate(parts)})[part]

    derivable = rule(dict.fromkeys(parts, 0.0))
    return {join_name(base, part): derive_interval(drawn, columns, partial(derive, part)) for part in derivable}
