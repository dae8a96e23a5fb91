"""Section 3 of the query-variation study by hand: the published worked examples first, then the edges of each formula."""

import math

import numpy as np
import pytest

from eval.metric import ScoringCase, Unscored
from eval.metrics import in_accuracy
from eval.robustness import formulas
from eval.robustness.formulas import (
    average_search_similarity,
    correlate_ranks,
    find_gold_hops,
    measure_collapse,
    measure_diversity,
    measure_error,
    measure_error_skipping_zero,
    measure_overlap,
    measure_retrieval_failure,
    measure_similarity,
    measure_unordered_collapse,
    measure_variation,
)

NAN = math.nan


def same(found: object, wanted: list[float]) -> None:
    np.testing.assert_allclose(found, np.array(wanted), atol=1e-6)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "gold", "value"),
    [
        ("an artist", "art", 0),
        ("the US", "U.S.", 0),
        ("st johns", "St. John's", 0),
        ("about 1,100 men", "100", 1),
        ("No one knows", "no", 1),
        ("Beyoncé", "Beyonce", 0),
        ("他在北京市出生", "北京", 1),
        ("", "x", 0),
        ("The Art of War", "art", 1),
    ],
)
def test_golden_table_of_in_accuracy(answer: str, gold: str, value: float) -> None:
    assert in_accuracy.score(ScoringCase("q", answer, (gold,)))[""] == value


@pytest.mark.parametrize("golds", [(), ("",), ("the",), (" a ", "!")])
def test_a_gold_answer_without_a_token_gives_no_accuracy(golds: tuple[str, ...]) -> None:
    assert isinstance(in_accuracy.score(ScoringCase("q", "any answer at all", golds))[""], Unscored)


def test_golden_counts_of_section_3_5() -> None:
    counts = np.array([2.0, 2, 3, 1, 2, 4, 0])
    same(measure_error(counts, np.full(7, 2.0))[1:], [0, 0.5, 0.5, 0, 1, 1])
    found = measure_variation(counts, np.zeros(7, np.int64), 1)
    same(found.cv, [0.597614])
    same(found.cvr, [0.625933])


def test_golden_trajectory_of_section_3_7() -> None:
    assert average_search_similarity([0.99, 1.00, 0.85, 0.13]) == pytest.approx(0.7425)
    assert measure_retrieval_failure((True, True, True, True)) == 0
    assert measure_retrieval_failure((True, True, False, False)) == 0.5


def test_original_without_calls_divides_by_one_and_is_left_out_of_the_other_reading() -> None:
    counts, originals = np.array([2.0, 0, 1, NAN]), np.array([0.0, 0, 2, 1])
    same(measure_error(counts, originals), [2, 0, 0.5, NAN])
    same(measure_error_skipping_zero(counts, originals), [NAN, NAN, 0.5, NAN])


def test_variation_of_zeros_is_none_and_flagged_and_of_one_count_undefined() -> None:
    counts, families = np.array([0.0, 0, 3, 1, 3, NAN]), np.array([0, 0, 1, 2, 2, 2])
    found = measure_variation(counts, families, 4)
    same(found.cv, [0, NAN, 0.5, NAN])
    same(found.cvr, [1, NAN, 1 / 1.5, NAN])
    assert found.is_zero.tolist() == [True, False, False, False]


def test_largest_variation_of_n_counts_is_the_root_of_n_less_one() -> None:
    found = measure_variation(np.array([5.0, 0, 0, 0, 0]), np.zeros(5, np.int64), 1)
    same(found.cv, [2.0])


def test_similarity_skips_what_has_no_vector_and_calls_two_empty_answers_nothing() -> None:
    vectors = np.array([[1.0, 0], [0.6, 0.8], [-1, 0]])
    same(measure_similarity(vectors, np.array([0, 0, 0, -1, -1]), np.array([1, 2, 0, 0, -1])), [0.6, -1, 1, NAN, NAN])


def test_diversity_is_one_less_the_mean_cosine_of_all_pairs() -> None:
    vectors = np.array([[1.0, 0], [0.6, 0.8], [0, 1]])
    families = np.array([0, 0, 0, 1, 1, 2, 3])
    rows = np.array([0, 1, 2, 1, 1, 0, -1])
    same(measure_diversity(vectors, rows, families, 5), [1 - (0.6 + 0.0 + 0.8) / 3, 0, NAN, NAN, NAN])


def test_diversity_equals_a_plain_loop_whatever_the_sizes_and_the_order() -> None:
    chance = np.random.default_rng(5)
    vectors = chance.normal(size=(60, 16))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    families, rows = chance.integers(0, 40, 300), chance.integers(-1, 60, 300)
    wanted = []
    for family in range(41):
        own = vectors[rows[(families == family) & (rows >= 0)]]
        cosines = (own @ own.T)[np.triu_indices(len(own), 1)]
        wanted.append(1 - cosines.mean() if len(cosines) else NAN)
    same(measure_diversity(vectors, rows, families, 41), wanted)


def test_over_and_under_are_joint_and_conditional_rates() -> None:
    need, act = np.array([1.0, 1, 0, 0, NAN, 1]), np.array([0.0, 1, 1, 0, 1, NAN])
    values = {name: rule(need, act) for name, (_, rule) in formulas.DECISIONS.items()}
    same(values["over"], [1, 0, 0, 0, NAN, NAN])
    same(values["under"], [0, 0, 1, 0, NAN, NAN])
    same(values["over_where_needed"], [1, 0, NAN, NAN, NAN, NAN])
    same(values["under_where_not_needed"], [NAN, NAN, 1, 0, NAN, NAN])
    same(values["trigger_precision"], [NAN, 1, 0, NAN, NAN, NAN])
    same(values["trigger_recall"], [0, 1, NAN, NAN, NAN, NAN])


def test_flips_have_a_direction_and_belong_to_a_family() -> None:
    act, original = np.array([1.0, 0, 1, NAN, 0]), np.array([0.0, 1, 1, 1, 0])
    same(formulas.mark_flips(act, original), [1, 1, 0, NAN, 0])
    same(formulas.FLIPS["flip_on"][1](act, original), [1, 0, 0, NAN, 0])
    same(formulas.FLIPS["flip_off"][1](act, original), [0, 1, 0, NAN, 0])
    same(formulas.mark_flipped_families(np.array([1.0, 0, 0, NAN]), np.array([0, 0, 1, 2]), 4), [1, 0, NAN, NAN])


def test_an_act_that_is_always_the_same_is_constant() -> None:
    assert formulas.is_constant(np.array([1.0, NAN, 1])) and formulas.is_constant(np.array([NAN]))
    assert not formulas.is_constant(np.array([1.0, 0]))
    same(formulas.has_searched(np.array([0.0, 1, 3, NAN])), [0, 1, 1, NAN])


def test_what_retrieval_did_to_an_answer_adds_up_to_one() -> None:
    correct, without = np.array([1.0, 0, 1, 0]), np.array([0.0, 1, 1, 0])
    four = [formulas.OUTCOMES[name](correct, without) for name in ("helpful", "harmful", "stable", "unhelpful")]
    same(np.argmax(four, axis=0), [0, 1, 2, 3])
    same(np.sum(four, axis=0), [1, 1, 1, 1])


def test_collapse_counts_a_lacking_hop_as_no_overlap() -> None:
    original = [("a", "b"), ("c",)]
    assert measure_collapse(original, [("b", "a"), ("c",)]) == 0
    assert measure_collapse(original, [("a", "c")]) == pytest.approx(1 - (1 / 3 + 0) / 2)
    assert measure_unordered_collapse(original, [("a", "c")]) == pytest.approx(1 - 2 / 3)
    assert (
        measure_collapse(original, []) == 1 and measure_collapse([], []) is None and measure_unordered_collapse([], []) is None
    )


def test_two_hops_that_found_nothing_are_the_same() -> None:
    assert measure_overlap((), ()) == 1 and measure_collapse([()], [()]) == 0


def test_a_hop_hits_with_any_gold_document_and_nothing_is_asked_without_a_hop() -> None:
    assert find_gold_hops([("a", "g"), ("a",), ()], {"g", "h"}) == (True, False, False)
    assert measure_retrieval_failure(()) is None and average_search_similarity(()) is None


def test_rank_correlation_has_its_n_and_none_where_there_is_nothing_to_correlate() -> None:
    found = correlate_ranks(np.array([1.0, 2, 3, NAN, 4]), np.array([2.0, 4, 9, 1, 16]))
    assert (found.rho, found.n) == (pytest.approx(1.0), 4)
    ties = correlate_ranks(np.array([1.0, 2, 2, 3]), np.array([1.0, 3, 2, 4]))
    assert ties.rho == pytest.approx(0.948683) and ties.p == pytest.approx(0.051317, abs=1e-6)
    assert correlate_ranks(np.array([1.0, 2]), np.array([1.0, 2])) == (None, None, 2, "fewer than 3 pairs")
    assert correlate_ranks(np.array([1.0, 1, 1]), np.array([1.0, 2, 3])).why == "one of the two values is the same everywhere"
