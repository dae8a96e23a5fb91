"""A table of hand-made traces gives every figure by values worked out by hand, edges included."""

import math

import numpy as np
import pytest

from core.errors import BenchError
from eval.robustness.estimate import Estimate
from eval.robustness.measures import MEASURES, make_hop_measure
from eval.robustness.records import WordingRecord
from eval.robustness.study import ITEMS, REWRITES, Arm, Study
from tests.eval.robustness.made import at_angles, record

ANGLES = {"A": 0.0, "B": 60.0, "C": 90.0, "q1": 0.0, "q2": 60.0, "q3": 90.0}
"""cos A,B = .5; A,C = 0; B,C = cos 30 = .866025."""
B_C = math.sqrt(3) / 2


def table() -> list[WordingRecord]:
    """Three items: i1 with everything, i2 without a gold document and with an empty answer, i3 whose spelling failed and whose
    original did not search."""
    return [
        record(
            "i1",
            "original",
            "A",
            correct=1.0,
            calls=3,
            gold=["g"],
            tokens_out=10,
            tokens_in=100,
            loss=2.0,
            length=6,
            hops=[("q1", ["g", "x"]), ("q2", ["g"])],
        ),
        record(
            "i1",
            "spelling",
            "B",
            correct=0.0,
            calls=2,
            gold=["g"],
            tokens_out=20,
            tokens_in=90,
            loss=4.0,
            length=8,
            hops=[("q1", ["x"])],
        ),
        record(
            "i1",
            "human",
            "A",
            variant="h1",
            correct=1.0,
            calls=4,
            gold=["g"],
            tokens_out=30,
            tokens_in=80,
            loss=3.0,
            length=7,
            hops=[("q3", ["y"]), ("q2", ["g"]), ("q1", ["z"])],
        ),
        record(
            "i1",
            "human",
            "C",
            variant="h2",
            correct=0.0,
            calls=1,
            gold=["g"],
            tokens_out=50,
            tokens_in=70,
            loss=5.0,
            length=9,
            hops=[],
        ),
        record("i2", "original", "B", correct=0.0, calls=2, hops=[("q1", ["a"])], tokens_out=10),
        record("i2", "spelling", "", correct=0.0, calls=2, hops=[("q2", ["a"])], tokens_out=0, is_extracted=False),
        record("i3", "original", "A", correct=1.0, calls=1, gold=["g"], hops=[], tokens_out=5),
        record("i3", "spelling", None),
        record("i3", "human", "B", variant="h3", correct=1.0, calls=2, gold=["g"], hops=[("q1", ["g"])], tokens_out=15),
    ]


def without() -> list[WordingRecord]:
    """The same agent without retrieval."""
    right = {"i1": 1.0, "i1-spelling": 0.0, "h1": 0.0, "h2": 1.0, "i2": 0.0, "i2-spelling": 1.0, "i3": 1.0, "h3": 0.0}
    return [
        record(r.item, r.kind, "A", variant=r.variant, correct=right[r.variant or r.item], searches=0)
        for r in table()
        if r.answer is not None
    ]


@pytest.fixture(scope="module")
def study() -> Study:
    return Study([Arm("adaptive", [table()], [without()])], at_angles(ANGLES), resamples=200)


def shown(found: dict[tuple[str, str], Estimate]) -> dict[str, tuple[float | None, int]]:
    return {kind: (None if one.mean is None else round(one.mean, 6), one.n) for (_, kind), one in found.items()}


HAND: dict[str, dict[str, tuple[float | None, int]]] = {
    "in_accuracy": {"original": (2 / 3, 3), "spelling": (0, 2), "human": ((0.5 + 1) / 2, 2), REWRITES: (2 / 5, 5)},
    "not_extracted": {"original": (0, 3), "spelling": (0.5, 2), "human": (0, 2), REWRITES: (1 / 5, 5)},
    "search_rate": {"original": (2 / 3, 3), "spelling": (1, 2), "human": ((0.5 + 1) / 2, 2), REWRITES: (4 / 5, 5)},
    "searches": {"original": (1, 3), "spelling": (1, 2), "human": ((1.5 + 1) / 2, 2), REWRITES: (6 / 5, 5)},
    "calls": {"original": (2, 3), "spelling": (2, 2), "human": ((2.5 + 2) / 2, 2), REWRITES: (11 / 5, 5)},
    "tokens_out": {"original": (25 / 3, 3), "spelling": (10, 2), "human": ((40 + 15) / 2, 2), REWRITES: (23, 5)},
    "tokens_in": {"original": (100, 1), "spelling": (90, 1), "human": (75, 1), REWRITES: (80, 3)},
    "query_loss": {"original": (2, 1), "spelling": (4, 1), "human": (4, 1), REWRITES: (4, 3)},
    "query_tokens": {"original": (6, 1), "spelling": (8, 1), "human": (8, 1), REWRITES: (8, 3)},
    "query_words": {"original": (2, 3), "spelling": (2, 2), "human": (2, 2), REWRITES: (2, 5)},
    "similarity": {"spelling": (0.5, 1), "human": ((0.5 + 0.5) / 2, 2), REWRITES: ((0.5 + 1 + 0 + 0.5) / 4, 4)},
    # i1: A B A C: AB .5, AA 1, AC 0, BA .5, BC, AC 0; i2 has one answer; i3: AB .5
    "diversity": {ITEMS: (((1 - (2 + B_C) / 6) + 0.5) / 2, 2)},
    # i1: B A C: .5, BC, 0
    "diversity_of_rewrites": {ITEMS: (1 - (0.5 + B_C) / 3, 1)},
    # i1: o 2, spelling 1, human 3 and 0; i2: 1, 1; i3: 0, human 1
    "re_searches": {"spelling": (0.25, 2), "human": ((0.75 + 1) / 2, 2), REWRITES: ((0.5 + 0.5 + 1 + 0 + 1) / 5, 5)},
    "re_searches_skip_zero": {"spelling": (0.25, 2), "human": (0.75, 1), REWRITES: ((0.5 + 0.5 + 1 + 0) / 4, 4)},
    "zero_searches": {"spelling": (0, 2), "human": (0.5, 2), REWRITES: (0.2, 5)},
    "re_calls": {
        "spelling": (1 / 6, 2),
        "human": (((1 / 3 + 2 / 3) / 2 + 1) / 2, 2),
        REWRITES: ((1 / 3 + 1 / 3 + 2 / 3 + 0 + 1) / 5, 5),
    },
    "re_calls_skip_zero": {"spelling": (1 / 6, 2), "human": (0.75, 2), REWRITES: ((1 / 3 + 1 / 3 + 2 / 3 + 0 + 1) / 5, 5)},
    # i1: 2 1 3 0: mean 1.5, deviation sqrt(1.25); i2: 1 1; i3: 0 1: mean .5, deviation .5
    "cv_searches": {ITEMS: ((math.sqrt(1.25) / 1.5 + 0 + 1) / 3, 3)},
    "cvr_searches": {ITEMS: ((1 / (1 + math.sqrt(1.25) / 1.5) + 1 + 0.5) / 3, 3)},
    # i1: 3 2 4 1: mean 2.5; i2: 2 2; i3: 1 2: mean 1.5, deviation .5
    "cv_calls": {ITEMS: ((math.sqrt(1.25) / 2.5 + 0 + 1 / 3) / 3, 3)},
    "cvr_calls": {ITEMS: ((1 / (1 + math.sqrt(1.25) / 2.5) + 1 + 0.75) / 3, 3)},
    # need: i1 0, spelling 1, h1 1, h2 0; i2 1, spelling 0; i3 0, h3 1. act: 1, 1, 1, 0; 1, 1; 0, 1
    "needed": {"original": (1 / 3, 3), "spelling": (0.5, 2), "human": ((0.5 + 1) / 2, 2), REWRITES: (3 / 5, 5)},
    "over": {"original": (0, 3), "spelling": (0, 2), "human": (0, 2), REWRITES: (0, 5)},
    "under": {"original": (1 / 3, 3), "spelling": (0.5, 2), "human": (0, 2), REWRITES: (0.2, 5)},
    "over_where_needed": {"original": (0, 1), "spelling": (0, 1), "human": (0, 2), REWRITES: (0, 3)},
    "under_where_not_needed": {"original": (0.5, 2), "spelling": (1, 1), "human": (0, 1), REWRITES: (0.5, 2)},
    "trigger_precision": {"original": (0.5, 2), "spelling": (0.5, 2), "human": (1, 2), REWRITES: (3 / 4, 4)},
    "trigger_recall": {"original": (1, 1), "spelling": (1, 1), "human": (1, 2), REWRITES: (1, 3)},
    # need of the original: i1 0, i2 1, i3 0
    "under_on_original": {"original": (1 / 3, 3), "spelling": (0.5, 2), "human": ((0.5 + 1) / 2, 2), REWRITES: (3 / 5, 5)},
    "over_on_original": {"original": (0, 3), "spelling": (0, 2), "human": (0, 2), REWRITES: (0, 5)},
    # act: i1 o1 s1 h1 1, h2 0; i2 1 1; i3 o0, h3 1
    "flip": {"spelling": (0, 2), "human": ((0.5 + 1) / 2, 2), REWRITES: (2 / 5, 5)},
    "flip_on": {"spelling": (0, 2), "human": (0.5, 2), REWRITES: (1 / 5, 5)},
    "flip_off": {"spelling": (0, 2), "human": (0.25, 2), REWRITES: (1 / 5, 5)},
    "any_flip": {ITEMS: (2 / 3, 3)},
    # i1 spelling: q1,q1 = 1; h1: q1,q3 = 0 and q2,q2 = 1; i2 spelling: q1,q2 = .5; h2 and h3 share no hop
    "search_similarity": {"spelling": (0.75, 2), "human": (0.5, 1), REWRITES: ((1 + 0.5 + 0.5) / 3, 3)},
    # i1: 0, spelling 1, h1 2/3, h2 no hop; i2 has no gold; i3: no hop, h3 0
    "retrieval_failure": {"original": (0, 1), "spelling": (1, 1), "human": (1 / 3, 2), REWRITES: ((1 + 2 / 3 + 0) / 3, 3)},
    # i1 spelling: jaccard gx,x .5, then 0 of 2; h1: gx,y 0; g,g 1; 0 of 3; h2: 0 of 2; i2: the same; i3 h3: 0 of 1
    "collapse": {
        "spelling": ((0.75 + 0) / 2, 2),
        "human": (((2 / 3 + 1) / 2 + 1) / 2, 2),
        REWRITES: ((0.75 + 2 / 3 + 1 + 0 + 1) / 5, 5),
    },
    # i1: {g x} with {x}: .5; with {y g z}: 1 of 4; with {}: 0
    "collapse_in_any_order": {
        "spelling": (0.25, 2),
        "human": (((0.75 + 1) / 2 + 1) / 2, 2),
        REWRITES: ((0.5 + 0.75 + 1 + 0 + 1) / 5, 5),
    },
    "gap": {"spelling": (-0.5, 2), "human": (-0.25, 2), REWRITES: (-2 / 5, 5)},
    "change": {"spelling": (0.5, 2), "human": (0.25, 2), REWRITES: (2 / 5, 5)},
    "answer_breaks": {"spelling": (0.5, 2), "human": (0.25, 2), REWRITES: (2 / 5, 5)},
    "helpful": {"original": (0, 3), "spelling": (0, 2), "human": ((0.5 + 1) / 2, 2), REWRITES: (2 / 5, 5)},
    "harmful": {"original": (0, 3), "spelling": (0.5, 2), "human": (0.25, 2), REWRITES: (2 / 5, 5)},
    "stable": {"original": (2 / 3, 3), "spelling": (0, 2), "human": (0, 2), REWRITES: (0, 5)},
    "unhelpful": {"original": (1 / 3, 3), "spelling": (0.5, 2), "human": (0, 2), REWRITES: (1 / 5, 5)},
}


@pytest.mark.parametrize("name", HAND)
def test_every_figure_by_hand(study: Study, name: str) -> None:
    wanted = {kind: (None if mean is None else pytest.approx(mean, abs=2e-6), n) for kind, (mean, n) in HAND[name].items()}
    assert shown(study.figures(0, [name])) == wanted


def test_every_figure_is_worked_out_here_or_elsewhere() -> None:
    elsewhere = {
        "query_similarity",
        "over_where_needed_on_original",
        "under_where_not_needed_on_original",
        "trigger_precision_on_original",
        "trigger_recall_on_original",
    }
    assert set(HAND) | elsewhere == set(MEASURES)


def test_what_has_no_value_is_counted_and_a_failure_stands_apart(study: Study) -> None:
    found = study.figures(0, ["similarity", "retrieval_failure", "diversity"])
    assert found["similarity", "spelling"].undefined == 1  # the empty answer; the failed one is not an answer
    assert found["retrieval_failure", "original"].undefined == 2  # no gold document, and no hop
    assert found["diversity", ITEMS].undefined == 1
    assert study.count_failures(0) == {"spelling": 1}


def test_items_with_all_kinds_are_a_table_of_their_own(study: Study) -> None:
    assert study.n_complete == 2  # i2 was never asked in a person's words; i3's spelling failed, and was asked
    assert shown(study.figures(0, ["in_accuracy"], only_complete=True)) == {
        "original": (1, 2),
        "spelling": (0, 1),
        "human": (0.75, 2),
        REWRITES: (0.5, 4),
    }


def test_curves_by_hop_are_over_the_answers_that_have_as_many(study: Study) -> None:
    found = study.figures(
        0,
        [
            make_hop_measure("search_similarity", 1),
            make_hop_measure("search_similarity", 2),
            make_hop_measure("retrieval_failure", 1),
            make_hop_measure("retrieval_failure", 3),
        ],
    )
    assert found["MSS@1", REWRITES].mean == pytest.approx((1 + 0 + 0.5) / 3) and found["MSS@1", REWRITES].n == 3
    assert (found["MSS@2", "human"].mean, found["MSS@2", "spelling"].mean) == (pytest.approx(1.0), None)
    assert found["RFR@1", "human"].mean == pytest.approx(0.5)
    assert (found["RFR@3", "human"].mean, found["RFR@3", "human"].n, found["RFR@3", "original"].mean) == (1.0, 1, None)


def test_a_system_that_always_searches_has_no_flips() -> None:
    rows = [record("i", kind, searches=1) for kind in ("original", "spelling")]
    found = Study([Arm("vanilla", [rows])], at_angles(ANGLES)).figures(0, ["flip", "any_flip", "re_searches"])
    assert found["flip", "spelling"].mean is None and found["flip", "spelling"].why == "this system searches always or never"
    assert found["any_flip", ITEMS].mean is None and found["re_searches", "spelling"].mean == 0


def test_a_system_that_tells_no_searches_has_no_figure_of_them() -> None:
    rows = [record("i", kind, searches=None) for kind in ("original", "spelling")]
    found = Study([Arm("endpoint", [rows])], at_angles(ANGLES)).figures(0, ["searches", "flip", "cvr_searches", "over"])
    assert {one.mean for one in found.values()} == {None}
    assert found["searches", "spelling"].why == found["flip", "spelling"].why == "this system does not report its searches"
    assert found["over", "spelling"].why.startswith("no closed_book run")


def test_repeats_have_a_mean_of_means_and_a_sample_deviation() -> None:
    def run(number: int, right: list[float]) -> list[WordingRecord]:
        return [
            record(f"i{i}", kind, correct=value, repeat=number)
            for i, value in enumerate(right)
            for kind in ("original", "spelling")
        ]

    arm = Arm("three", [run(0, [1, 1, 0, 0]), run(1, [1, 1, 1, 0]), run(2, [1, 1, 1, 1])])
    found = Study([arm], at_angles(ANGLES)).figures(0, ["in_accuracy"])["in_accuracy", "spelling"]
    assert (found.mean, found.sd, found.runs, found.n) == (pytest.approx(0.75), pytest.approx(0.25), 3, 4)
    assert found.low is not None and found.high is not None and found.low < 0.75 < found.high


def test_intervals_draw_whole_items_and_the_same_seed_draws_the_same() -> None:
    chance = np.random.default_rng(2)
    rows = [
        record(f"i{i}", kind, variant=f"{i}{kind}", correct=float(own))
        for i, own in enumerate(chance.integers(0, 2, 80))
        for kind in ("original", "spelling", "grammar")
    ]
    study = Study([Arm("same answer in every wording", [rows])], at_angles(ANGLES), seed=3)
    found, again = study.figures(0, ["in_accuracy"]), study.figures(0, ["in_accuracy"])
    assert found == again
    one, all_ = found["in_accuracy", "spelling"], found["in_accuracy", REWRITES]
    assert (all_.low, all_.high) == (pytest.approx(one.low), pytest.approx(one.high))  # twice the rows, no narrower
    assert one.mean is not None and one.high is not None
    assert one.high - one.mean == pytest.approx(1.96 * math.sqrt(one.mean * (1 - one.mean) / 80), rel=0.15)


def test_runs_without_any_rewrite_are_refused() -> None:
    with pytest.raises(BenchError, match="--variants"):
        Study([Arm("plain", [[record("i")]])], at_angles(ANGLES)).figures(0, ["in_accuracy"])


def test_a_rewrite_without_its_original_has_no_figure_beside_it() -> None:
    rows = [record("i", "original", None), record("i", "spelling", "B", searches=1)]
    found = Study([Arm("a", [rows])], at_angles(ANGLES)).figures(0, ["similarity", "re_searches", "collapse", "in_accuracy"])
    assert found["in_accuracy", "spelling"].mean == 1
    assert [found[name, "spelling"].mean for name in ("similarity", "re_searches", "collapse")] == [None] * 3
