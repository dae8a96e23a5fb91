"""Marks of people: CRAG's published means, what several marks come to, and what is drawn."""

import pytest

from core.nouns import Grade
from core.quality.grading import (
    CODES,
    FOUR_GRADES,
    NUGGET_SUPPORT,
    RIGHT_WRONG,
    SCHEMES,
    WEIGHTS,
    WeightedGrade,
    draw_sample,
    grading_role,
    measure_agreement,
    order_by_seed,
    settle_grades,
    weighted_mean,
)


def grade(person: str, mark: str | None, role: str = "") -> Grade:
    return Grade(f"{person}-{mark}-{role}", "p", person, mark, role)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("perfect", "acceptable", "incorrect", "truthfulness"),
    [
        (62.6, 11.7, 17.9, 50.6),
        (60.8, 10.1, 16.6, 49.3),
        (59.8, 13.3, 25.0, 41.5),
        (52.5, 9.7, 16.0, 41.4),
        (55.8, 8.8, 25.3, 34.9),
    ],
)
def test_the_weights_give_crags_published_truthfulness(
    perfect: float, acceptable: float, incorrect: float, truthfulness: float
) -> None:
    shares = {"perfect": perfect, "acceptable": acceptable, "incorrect": incorrect}
    rows = [
        WeightedGrade(n, WEIGHTS[mark], times)
        for n, (mark, times) in enumerate([*shares.items(), ("missing", 100 - sum(shares.values()))])
    ]
    assert 100 * (weighted_mean(rows).mean or 0) == pytest.approx(truthfulness, abs=0.1)


def test_codes_are_no_weights_and_every_mark_of_a_scheme_has_a_weight() -> None:
    assert CODES == {"missing": 0, "incorrect": 1, "acceptable": 2, "perfect": 3}
    assert [WEIGHTS[mark] for mark in SCHEMES[FOUR_GRADES].names] == [1.0, 0.5, 0.0, -1.0]
    assert [WEIGHTS[mark] for mark in SCHEMES[RIGHT_WRONG].names] == [1.0, 0.0]
    assert [WEIGHTS[mark] for mark in SCHEMES[NUGGET_SUPPORT].names] == [1.0, 0.5, 0.0]


def test_two_marks_agree_or_want_a_third_who_decides() -> None:
    one = settle_grades([grade("Ann", "perfect")], 2)
    assert (one.state, one.mark, grading_role(one, 2, "Ann"), grading_role(one, 2, "Bob")) == ("open", None, None, "")
    same = settle_grades([grade("Ann", "perfect"), grade("Bob", "perfect")], 2)
    assert (same.state, same.mark, grading_role(same, 2, "Cem")) == ("agreed", "perfect", None)
    apart = settle_grades([grade("Ann", "perfect"), grade("Bob", "missing")], 2)
    assert (apart.state, apart.mark, grading_role(apart, 2, "Bob"), grading_role(apart, 2, "Cem")) == (
        "conflict",
        None,
        None,
        "resolves",
    )
    third = settle_grades([grade("Ann", "perfect"), grade("Bob", "missing"), grade("Cem", "acceptable", "resolves")], 2)
    assert (third.state, third.mark, grading_role(third, 2, "Dora")) == ("resolved", "acceptable", None)


def test_a_mark_that_is_taken_back_or_given_anew_counts_as_it_stands() -> None:
    back = settle_grades([grade("Ann", "perfect"), grade("Bob", "missing"), grade("Bob", None)], 2)
    assert (back.state, dict(back.blind), grading_role(back, 2, "Bob")) == ("open", {"Ann": "perfect"}, "")
    anew = settle_grades(
        [grade("Ann", "perfect"), grade("Bob", "missing"), grade("Cem", "missing", "resolves"), grade("Bob", "perfect")], 2
    )
    assert (anew.state, anew.mark) == ("agreed", "perfect"), "nobody has to decide any more"


def test_agreement_is_of_the_blind_marks_alone() -> None:
    answers = {
        "a": settle_grades([grade("Ann", "right"), grade("Bob", "right")], 2),
        "b": settle_grades([grade("Ann", "right"), grade("Bob", "wrong"), grade("Cem", "right", "resolves")], 2),
        "c": settle_grades([grade("Bob", "wrong"), grade("Ann", "wrong")], 2),
        "d": settle_grades([grade("Ann", "wrong")], 2),
    }
    found = measure_agreement(answers)
    assert (found.units, found.people) == (3, 2) and found.value == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))
    assert measure_agreement({"d": answers["d"]}).value is None
    several = answers | {"e": settle_grades([grade("Ann", "right"), grade("Dora", "right")], 2)}
    assert measure_agreement(several).people == 3, "Fleiss, where more than two people shared the work"


def test_a_draw_is_the_seeds_and_the_same_for_runs_of_the_same_questions() -> None:
    keys = [str(n) for n in range(40)]
    few = draw_sample({"1": keys, "2": ["x"]}, 5, 7)
    assert [len(one) for one in few.values()] == [5, 1] and few == draw_sample({"2": ["x"], "1": keys[::-1]}, 5, 7)
    assert few != draw_sample({"1": keys}, 5, 8) and set(few["1"]) <= set(draw_sample({"1": keys}, 9, 7)["1"])
    assert sorted(order_by_seed(keys, 1)) == sorted(keys) != order_by_seed(keys, 1)


def test_a_stratum_that_was_drawn_thinly_counts_for_all_it_stands_for() -> None:
    rows = [WeightedGrade(f"a{n}", 1.0, 9.0) for n in range(10)] + [WeightedGrade(f"b{n}", -1.0, 1.0) for n in range(10)]
    found = weighted_mean(rows)
    assert found.mean == pytest.approx(0.8) and found.n == 20 and found.low is not None and found.low < 0.8
    assert weighted_mean([]).mean is None
