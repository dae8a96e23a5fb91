"""Estimate the means of a run on a larger release from its scores on a tiny one, whose items stand for several items each."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from core.statistics.resampling import draw
from core.statistics.statistics import derive_interval, intervals
from eval.reports.comparing import is_quality
from eval.reports.results import Rows
from eval.reports.summary import list_names


def estimate_means(
    rows: Rows,
    weights: Mapping[str, int],
    clusters: Mapping[str, str],
    seed: int,
    resamples: int,
    shown: Mapping[str, Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return a record {"metric", "plain", "estimate"} for each quality metric of a run: the plain mean over the items of the
    tiny release, and the mean weighted by `weights`, a dict from item to the number of items that it stands for. Both count
    only items' own questions with a value. The intervals are from resamples of the tiny release's items. `shown` has the run's
    means by metric as the report shows them: if the plain mean is one of them, it has the interval that is shown there."""
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
        plain_record, same = plain.record(), shown.get(name)
        if same is not None and same["n"] == plain.n and math.isclose(same["mean"], plain_record["value"], abs_tol=1e-9):
            plain_record |= {end: same[end] for end in ("low", "high")}
        records.append({"metric": name, "plain": plain_record, "estimate": estimate.record()})
    return records
