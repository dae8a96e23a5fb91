"""Intervals: all pairs of ten systems on twelve metrics (540 of them) from one set of draws, against scipy cell by cell."""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.resampling import _kept_counts
from core.statistics import bootstrap_pairs, holm, paired
from tests.benchmarks.table import cpu, head, row

ITEMS, SYSTEMS, METRICS, CELLS_BY_SCIPY = 1_000, 10, 12, 3


def main() -> None:
    from scipy.stats import bootstrap

    scores = np.random.default_rng(3).beta(2, 2, (ITEMS, SYSTEMS, METRICS))
    pairs = list(combinations(range(SYSTEMS), 2))
    differences = np.stack([scores[:, a, m] - scores[:, b, m] for a, b in pairs for m in range(METRICS)], axis=1)
    table = scores.reshape(ITEMS, -1)
    cells = [(a * METRICS + m, b * METRICS + m) for a, b in pairs for m in range(METRICS)]

    def by_scipy() -> None:
        for column in range(CELLS_BY_SCIPY):
            bootstrap((differences[:, column],), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(1))

    def ours() -> None:
        _kept_counts.cache_clear()
        bootstrap_pairs(table, cells)

    head()
    theirs, own = cpu(by_scipy, 2) / CELLS_BY_SCIPY * differences.shape[1], cpu(ours)
    row(f"{differences.shape[1]} paired intervals, {ITEMS:,} items, B = 10,000", "scipy.stats.bootstrap", theirs, own, 100)
    row("the same in one second", "1 second of CPU", 1.0, own, 1)
    few = cpu(lambda: holm([paired(differences[:, column].tolist()).p for column in range(45)]))
    print(f"45 comparisons with permutation tests and Holm's correction: {few:.2f} s of CPU")


if __name__ == "__main__":
    main()
