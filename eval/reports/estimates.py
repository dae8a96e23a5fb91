"""Estimate the means of a run on a larger release from its scores on a tiny one, whose items stand for several items each."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.statistics.resampling import draw
from core.statistics.statistics import derive_interval, intervals
from eval.reports.comparing import is_quality
from eval.reports.results import Rows
from eval.reports.summary import list_names


def estimate_means(
    rows: Rows, weights: Mapping[str, int], clusters: Mapping[str, str], seed: int, resamples: int
) -> list[dict[str, Any]]:
    """Return a record {"metric", "plain", "estimate"} for each quality metric of a run: the plain mean over the items of the
    tiny release, and the mean weighted by `weights`, a dict from item to the number of items that it stands for. Both count
    only items' own questions with a value, and have an interval from the same resamples of the tiny release's items."""
    own = [row for row in rows if row.variant is None and row.item in weights]
    records = []
    for name in filter(is_quality, list_names([row.points for row in own])):
        scored = [(row.item, value) for row in own if name in row.points and (value := row.points[name].value) is not None]
        if not scored:
            continue
        values, times = np.array([value for _, value in scored]), np.array([float(weights[item]) for item, _ in scored])
        table = np.column_stack([values, values * times, times])
        drawn = draw(table, [clusters[item] for item, _ in scored], resamples, seed)
        plain = intervals(drawn.means, drawn.resampled, drawn)[0]
        estimate = derive_interval(drawn, [1, 2], lambda means: means[..., 0] / means[..., 1])
        records.append({"metric": name, "plain": plain.record(), "estimate": estimate.record()})
    return records
