"""The noise floor: how often the very same words change a system's mind between two runs of one configuration. What another
wording changes means little below it."""

from itertools import combinations
from typing import Any

import numpy as np

from eval.robustness.estimate import FigureColumn
from eval.robustness.run_layout import RunLayout


def compare_repeats(runs: list[RunLayout], values: list[Any], why: str = "") -> FigureColumn:
    """By item: over its wordings and every two runs that both answered, how often the value differs (NaN = not known)."""
    size = runs[0].size
    if len(runs) < 2:
        return FigureColumn(np.zeros(size), np.zeros(size), np.zeros(size), "one run: nothing to compare the same words with")
    sums, counts = np.zeros(size), np.zeros(size)
    by_run = [
        {(r.item, r.variant): value for r, value in zip(run.records, own.tolist(), strict=True) if value == value}
        for run, own in zip(runs, values, strict=True)
    ]
    for first, second in combinations(by_run, 2):
        for key, value in first.items():
            if key in second:
                place = runs[0].items[key[0]]
                sums[place] += value != second[key]
                counts[place] += 1
    return FigureColumn(sums, counts, np.zeros(size), why)
