"""Intervals that cover, tests with known values, and what is undefined stays undefined."""

import math

import numpy as np
import pytest

from core.statistics.statistics import (
    bootstrap,
    bootstrap_derived,
    bootstrap_many,
    compare_pairs,
    compute_flip_p_values,
    holm,
    mcnemar,
    percentile_of_random_pairs,
)


def test_the_interval_is_that_of_scipys_percentile_bootstrap() -> None:
    from scipy.stats import bootstrap as peer

    values = np.random.default_rng(1).beta(2, 3, 200)
    ours = bootstrap(values.tolist())
    theirs = peer((values,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(2)).confidence_interval
    assert ours.mean == pytest.approx(values.mean()) and ours.n == 200
    assert ours.low == pytest.approx(theirs.low, abs=2e-3) and ours.high == pytest.approx(theirs.high, abs=2e-3)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not() -> None:
    values = [1 / 2**i for i in range(30)]
    assert bootstrap(values, seed=5) == bootstrap(values, seed=5) != bootstrap(values, seed=6)


def test_nothing_has_no_mean_and_one_has_no_interval() -> None:
    assert bootstrap([])[:4] == bootstrap([None, None])[:4] == (None, None, None, 0)
    assert bootstrap([0.25]) == (0.25, None, None, 1, "one cluster: no interval")
    assert bootstrap([0.2, 0.4], clusters=["a", "a"])[:3] == (pytest.approx(0.3), None, None)
    assert bootstrap([])[4] == "no value"


def test_a_constant_has_an_interval_of_no_width() -> None:
    assert bootstrap([0.3] * 7)[:3] == (pytest.approx(0.3, abs=1e-15),) * 3


def test_an_end_that_misses_zero_by_rounding_is_zero() -> None:
    """Many resamples do not draw the one question that was lost."""
    for n in (204, 205, 206, 207):
        interval = bootstrap([0.0] * (n - 1) + [-1.0])
        assert interval.high == 0.0 and interval.low is not None and interval.low < 0


def test_missing_values_are_left_out_of_their_column_only() -> None:
    nan = math.nan
    first, second = bootstrap_many([[1.0, nan], [0.0, 2.0], [nan, 4.0], [1.0, nan]])
    assert (first.mean, first.n, second.mean, second.n) == (pytest.approx(2 / 3), 3, 3.0, 2)
    assert 0 <= first.low < first.mean < first.high <= 1 and (second.low, second.high) == pytest.approx((2, 4))  # type: ignore[operator]


def test_clusters_widen_the_interval() -> None:
    values = [0.0] * 50 + [1.0] * 50
    alone = bootstrap(values)
    together = bootstrap(values, clusters=[i // 10 for i in range(100)])
    assert alone.mean == together.mean == 0.5
    assert together.high - together.low > 2 * (alone.high - alone.low)  # type: ignore[operator]


def test_a_derived_value_is_resampled_as_a_whole() -> None:
    precision, recall = [1.0, 0.0, 1.0, 0.5], [0.0, 1.0, 0.0, 0.5]  # they cancel out in every resample
    table = np.array([precision, recall]).T
    found = bootstrap_derived(table, lambda means: means.mean(axis=-1))
    assert found[:4] == (0.5, pytest.approx(0.5), pytest.approx(0.5), 4)
    assert bootstrap_derived(np.full((3, 2), math.nan), lambda means: means.mean(axis=-1)).mean is None


def test_large_tables_are_drawn_in_blocks() -> None:
    values = np.random.default_rng(4).normal(size=3_000)
    found = bootstrap(values.tolist(), resamples=10_000)
    assert found.high - found.low == pytest.approx(2 * 1.96 / 3_000**0.5, rel=0.05)  # type: ignore[operator]


def test_mcnemar_is_the_binomial_test() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(8, 1) == pytest.approx(2 * (1 + 9) / 2**9)
    assert mcnemar(5, 5) == 1.0


def test_a_paired_comparison_counts_and_tests() -> None:
    found = compare_pairs([1.0] * 8 + [-1.0] + [0.0] * 11 + [None])
    assert (found.n, found.wins, found.ties, found.losses, found.test) == (20, 8, 11, 1, "mcnemar")
    assert found.mean == pytest.approx(7 / 20) and found.p == pytest.approx(20 / 512)
    assert found.low > 0  # type: ignore[operator]


def test_few_clusters_are_flipped_in_all_ways() -> None:
    assert compare_pairs([0.5, 0.2, 0.9]).p == pytest.approx(2 / 8)
    assert compare_pairs([0.5, 0.2, 0.9, 0.1], clusters=["a", "a", "b", "b"]).p == pytest.approx(2 / 4)
    assert compare_pairs([0.0, 0.0]).p == 1.0
    assert (compare_pairs([0.4]).p, compare_pairs([]).p, compare_pairs([]).mean) == (None, None, None)


def test_the_permutation_test_holds_its_level() -> None:
    generator = np.random.default_rng(8)
    found = [compare_pairs(generator.normal(size=30).tolist(), resamples=500, seed=i).p for i in range(200)]
    assert 0.01 < np.mean([p <= 0.05 for p in found]) < 0.1  # type: ignore[operator]
    assert 0 < compare_pairs((generator.normal(size=60) + 1).tolist()).p < 1e-6, (
        "as rare as it is, not as rare as flips were drawn"
    )  # type: ignore[operator]


def test_holm_multiplies_steps_down_and_leaves_none_alone() -> None:
    assert holm([0.01, None, 0.04, 0.03]) == [pytest.approx(0.03), None, pytest.approx(0.06), pytest.approx(0.06)]
    assert holm([0.5, 0.9]) == [1.0, 1.0] and holm([]) == []


def test_a_threshold_is_a_percentile_of_random_pairs() -> None:
    vectors = np.eye(50, dtype=np.float32)
    assert percentile_of_random_pairs(vectors, 99) == 0.0  # no row is ever compared with itself
    assert percentile_of_random_pairs(vectors[:1], 99) is None
    draws = np.random.default_rng(1).normal(size=(400, 16)).astype(np.float32)
    draws /= np.linalg.norm(draws, axis=1, keepdims=True)
    assert percentile_of_random_pairs(draws, 50) == pytest.approx(0, abs=0.03)


@pytest.mark.parametrize("part", [None, 3, 2])
def test_a_rare_p_is_that_of_all_flips(part: int | None) -> None:
    """16 clusters: all 65,536 ways to flip their signs are counted; values of thirds and halves lie a step apart."""
    ways = 2.0 * (np.arange(2**16)[:, None] >> np.arange(16) & 1) - 1
    for seed in range(12):
        values = np.random.default_rng(seed).normal(1.1, 1, 16)
        values = np.round(values * part) / part if part else values
        exact = float((np.abs(ways @ values) >= abs(values.sum()) - 1e-9).mean())
        if exact < 1e-3:
            assert compute_flip_p_values(values[:, None], range(16))[0] == pytest.approx(exact, rel=0.4)


def test_a_difference_that_no_flip_reaches_can_pass_any_correction() -> None:
    assert compute_flip_p_values(np.full((40, 1), 0.5), range(40))[0] == pytest.approx(2 / 2**40)
    clear = np.random.default_rng(1).normal(0.5, 0.5, (400, 1))
    ps = [compute_flip_p_values(clear, range(400))[0], *[1.0] * 1_799]
    assert holm(ps)[0] < 1e-6  # type: ignore[operator]
