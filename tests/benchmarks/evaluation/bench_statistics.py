"""Intervals: all pairs of ten systems on twelve metrics (540 of them) from one set of draws, against scipy cell by cell;
their tests; and the report of a large run."""

import resource
import sys
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.nouns import Item, Run, Score, System, Trace
from core.statistics.resampling import _cache_counts
from core.statistics.statistics import bootstrap_many, compare_columns, holm
from eval.reports.report import build_report
from eval.reports.results import RunResult
from tests.benchmarks.table import cpu, head, row

ITEMS, SYSTEMS, METRICS, CELLS_BY_SCIPY = 1_000, 10, 12, 3


LARGE = 100_000


def main() -> None:
    from scipy.stats import bootstrap

    scores = np.random.default_rng(3).beta(2, 2, (ITEMS, SYSTEMS, METRICS))
    pairs = list(combinations(range(SYSTEMS), 2))
    differences = np.stack([scores[:, a, m] - scores[:, b, m] for a, b in pairs for m in range(METRICS)], axis=1)

    def by_scipy() -> None:
        for column in range(CELLS_BY_SCIPY):
            bootstrap((differences[:, column],), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(1))

    def ours() -> None:
        _cache_counts.cache_clear()
        bootstrap_many(differences)

    head()
    theirs, own = cpu(by_scipy, 2) / CELLS_BY_SCIPY * differences.shape[1], cpu(ours)
    row(f"{differences.shape[1]} paired intervals, {ITEMS:,} items, B = 10,000", "scipy.stats.bootstrap", theirs, own, 100)
    row("the same in one second", "1 second of CPU", 1.0, own, 1)
    tests = cpu(lambda: holm([one.p for one in compare_columns(differences)]))
    print(f"the same {differences.shape[1]} with permutation tests and Holm's correction: {tests:.2f} s of CPU")
    large = one_large_run(LARGE)
    took = cpu(lambda: build_report([large]), 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    row(f"report of {LARGE:,} traces, three metrics", "20 seconds of CPU", 20.0, took, 1)
    print(f"{peak:,.0f} MB at most in this process")


def one_large_run(size: int) -> RunResult:
    """One run with three scores an answer, over four levels and eight domains."""
    values = np.random.default_rng(4).random((size, 3)).tolist()
    names = ("token_f1", "rouge_l", "evidence_recall@5")
    items = [Item(f"i{n}", "explicit_factoid", "?", ("a",), level=(1, 2, 3, 4)[n % 4], domain=f"d{n % 8}") for n in range(size)]
    scores = [
        Score("r", item.id, None, name, "1", value)
        for item, row_ in zip(items, values, strict=True)
        for name, value in zip(names, row_, strict=True)
    ]
    run = Run("r", "r", System("vanilla"), "made", "b2:x", "m", {})
    return RunResult(run, [Trace("r", item.id, answer="a") for item in items], scores, {item.id: item for item in items})


if __name__ == "__main__":
    main()
