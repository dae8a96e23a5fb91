"""Measure by item response theory how the difficulty of items changed when their answers were replaced. The two-parameter model
is fitted to the runs on each release. Items that were not replaced (anchors) should be equally hard in both releases, so the
mean change of their difficulty is subtracted (mean/mean linking, Kolen and Brennan 2014, chapter 6)."""

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from core.errors import BenchError
from core.statistics.irt import MIN_SYSTEMS, fit
from core.statistics.statistics import Interval, bootstrap_derived

MIN_ANCHORS = 10
"""Minimum number of anchors; with fewer, no shift is computed."""
MIN_REPLACED = 10
"""Minimum number of replaced items that runs on both releases answered; with fewer, no shift is computed."""


class DifficultyShift(NamedTuple):
    """How much harder the replaced items became: the mean change of their difficulty (after minus before), minus the mean
    change of the anchors, in standard deviations of the systems' abilities. The interval resamples items, including anchors."""

    interval: Interval
    anchors: int
    runs: int
    """Number of runs on both releases together."""


def measure_shift(
    before: Mapping[tuple[str, str], bool],
    after: Mapping[tuple[str, str], bool],
    replaced: Mapping[str, Hashable],
    seed: int = 0,
) -> DifficultyShift:
    """Return how much harder the replaced items became. `before` and `after` are dicts from (run, item) to whether the run
    answered the item right, with the same id for an item on both sides; `replaced` is a dict from each replaced item to its
    cluster. The mean is None, and the interval has the reason, if there are fewer than irt.MIN_SYSTEMS runs, MIN_ANCHORS
    anchors or MIN_REPLACED replaced items."""
    import numpy as np

    asked = {item for _, item in before} & {item for _, item in after}
    anchors, changed = asked - replaced.keys(), sorted(asked & replaced.keys())
    runs = len({run for run, _ in (*before, *after)})
    why = ""
    if runs < MIN_SYSTEMS:
        why = f"{runs} runs on both releases together, and the model needs {MIN_SYSTEMS}"
    elif len(anchors) < MIN_ANCHORS:
        why = f"{len(anchors)} items that were not replaced, and {MIN_ANCHORS} are needed as anchors"
    elif len(changed) < MIN_REPLACED:
        why = f"{len(changed)} replaced items that runs on both releases answered, and {MIN_REPLACED} are needed"
    if why:
        return DifficultyShift(Interval(None, None, None, len(changed), why), len(anchors), runs)
    solved = {
        (f"{side}:{run}", f"{side}:{item}"): value
        for side, rows in (("before", before), ("after", after))
        for (run, item), value in rows.items()
        if item in asked
    }
    try:
        fitted = fit(solved).items
    except BenchError as error:
        return DifficultyShift(Interval(None, None, None, len(changed), str(error)), len(anchors), runs)
    ordered = sorted(asked)
    moved = [fitted[f"after:{item}"].difficulty - fitted[f"before:{item}"].difficulty for item in ordered]
    nan = float("nan")
    table = [[nan, one] if item in anchors else [one, nan] for item, one in zip(ordered, moved, strict=True)]
    together = [replaced.get(item, ("anchor", item)) for item in ordered]
    interval = bootstrap_derived(np.array(table), lambda means: means[..., 0] - means[..., 1], together, seed=seed)
    return DifficultyShift(interval._replace(n=len(changed)), len(anchors), runs)
