"""Effect sizes, errors with clusters, ranks as intervals and what is drawn together: figures worked by hand."""

import math

import numpy as np
import pytest

from core.errors import BenchError
from core.statistics.clusters import clusters
from core.statistics.effects import error_of_mean, find_detectable_difference, odds, standardise_difference
from core.statistics.ranks import ranks
from core.statistics.statistics import bootstrap, bootstrap_many, compare_columns, compare_pairs, compute_flip_p_values, mcnemar


def test_the_standardised_difference_is_mean_over_deviation() -> None:
    assert standardise_difference([1.0, 0.0, 1.0, 0.0]) == pytest.approx(0.5 / math.sqrt(1 / 3))
    assert (
        standardise_difference([0.2, 0.2, 0.2]) is None
        and standardise_difference([1.0]) is None
        and standardise_difference([]) is None
    )


def test_odds_stay_finite_and_need_a_win_or_a_loss() -> None:
    assert odds(9, 4) == pytest.approx(9.5 / 4.5) and odds(3, 0) == 7.0 and odds(0, 0) is None


def test_the_error_of_a_mean_grows_with_its_clusters() -> None:
    values = [0.0, 0.0, 1.0, 1.0]
    assert error_of_mean(values, range(4)) == pytest.approx(math.sqrt(1 / 3) / 2)  # sd / sqrt(n)
    assert error_of_mean(values, ["a", "a", "b", "b"]) == pytest.approx(math.sqrt(2 * 2) / 4)  # sums of deviations -1 and 1
    assert error_of_mean([0.5], ["a"]) is None and error_of_mean([], []) is None
    assert (
        find_detectable_difference(0.1) == pytest.approx(0.2801585)
        and find_detectable_difference(0.0) is None
        and find_detectable_difference(None) is None
    )


def test_a_detectable_difference_is_found_four_times_in_five() -> None:
    generator, n, spread = np.random.default_rng(5), 80, 0.4
    true = find_detectable_difference(spread / math.sqrt(n)) or 0.0
    found = [abs(generator.normal(true, spread, n).mean()) > 1.96 * spread / math.sqrt(n) for _ in range(2_000)]
    assert np.mean(found) == pytest.approx(0.8, abs=0.03)


def test_mcnemar_is_scipys_binomial_test() -> None:
    from scipy.stats import binomtest

    for wins, losses in ((0, 3), (8, 1), (40, 22), (7, 7), (300, 260)):
        assert mcnemar(wins, losses) == pytest.approx(binomtest(wins, wins + losses).pvalue)


def test_many_comparisons_are_those_made_one_by_one() -> None:
    table = np.random.default_rng(2).normal(size=(60, 3)).round(1)
    table[:, 1] = np.sign(table[:, 1])
    table[:10, 2] = math.nan
    groups = [i // 2 for i in range(60)]
    for column, many in enumerate(compare_columns(table, groups, resamples=2_000)):
        values = [None if math.isnan(value) else float(value) for value in table[:, column]]
        one = compare_pairs(values, groups, resamples=2_000)
        assert (many.n, many.wins, many.ties, many.losses, many.test) == (one.n, one.wins, one.ties, one.losses, one.test)
        assert many.mean == pytest.approx(one.mean) and many.p == pytest.approx(one.p, abs=0.03)
    assert compare_columns(table[:, 1:2])[0].test == "mcnemar", "values of 0 and 1, each question its own cluster"
    assert compare_columns(table[:1])[0].p is None and compare_columns(np.empty((0, 1)))[0].mean is None


def test_flips_of_a_few_clusters_are_counted_out() -> None:
    table = np.array([[0.5, 0.0], [0.2, 0.0], [0.9, 0.0]])
    assert compute_flip_p_values(table, range(3)) == [0.25, 1.0]


def test_ranks_are_intervals_and_equals_share_their_places() -> None:
    resampled = np.array([[0.9, 0.9, 0.9, 0.9], [0.5, 0.4, 0.5, 0.4], [0.4, 0.5, 0.4, 0.5], [0.1, 0.1, 0.1, 0.1]])
    found = ranks([0.9, 0.46, 0.45, 0.1], resampled)
    assert [tuple(one) for one in found] == [(1, 1, 1), (2, 2, 3), (3, 2, 3), (4, 4, 4)]
    assert [tuple(one) for one in ranks([0.5, 0.5], np.full((2, 9), 0.5))] == [(1, 1, 2), (1, 1, 2)]


def test_items_that_share_a_document_are_one_cluster_also_through_others() -> None:
    held = {"a": ["1"], "b": ["1", "2"], "c": ["2"], "d": ["3"], "e": [], "f": []}
    found = clusters(held)
    assert found.of == {"a": "a", "b": "a", "c": "a", "d": "d", "e": "e", "f": "f"}
    assert (found.n, found.largest, found.by) == (4, 3, "item and document")
    assert clusters(held, "item").n == 6
    with pytest.raises(BenchError, match="clustered by 'colour'"):
        clusters(held, "colour")


def test_a_chain_through_most_items_falls_back_to_first_documents_and_says_so() -> None:
    chain = {str(i): [str(i), str(i + 1)] for i in range(9)}
    found = clusters(chain)
    assert found.n == 9 and found.by.startswith("item and first document: ")


def test_the_clustered_interval_covers_where_the_plain_one_does_not() -> None:
    generator, together, plain = np.random.default_rng(11), 0, 0
    groups = [i // 5 for i in range(200)]
    for seed in range(200):
        values = (np.repeat(generator.normal(0, 1, 40), 5) + generator.normal(0, 0.5, 200)).tolist()
        for clusters_ in (groups, None):
            low, high = bootstrap(values, clusters_, resamples=400, seed=seed)[1:3]
            covers = low is not None and high is not None and low <= 0 <= high
            together, plain = together + (covers and clusters_ is not None), plain + (covers and clusters_ is None)
    assert together >= 180 and plain <= 150, (together, plain)


def test_all_columns_of_one_call_move_together() -> None:
    values = np.random.default_rng(1).random((30, 1))
    one, other, apart = bootstrap_many(np.hstack([values, values, values[::-1]]), resamples=300)
    assert one == other and one.low != apart.low
