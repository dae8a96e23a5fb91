"""Hit rates and the bias of a draft that is seen first, against figures computed by hand."""

import pytest

from core.statistics.statistics import wilson
from store.reviews.control_answers import ControlCount
from store.reviews.own_answers import ComparedAnswer, FirstDecision
from workbench.annotate.progress.trust import MIN_DECISIONS, count_control_results, measure_biases


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_a_share_has_its_score_interval(right: int, n: int, low: float, high: float) -> None:
    """Newcombe 1998, Statistics in Medicine 17, 857-872, Table I, method 3."""
    found = wilson(right, n)
    assert (found.mean, found.n) == (right / n, n) and found.low is not None and found.high is not None
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_a_share_of_nothing_is_none() -> None:
    assert wilson(0, 0).mean is None and wilson(0, 0).why


def test_hits_are_of_a_person_and_of_each_flaw_and_practice_stands_apart() -> None:
    counts = [
        ControlCount("Ada", "wrong_figure", False, 3, 2, 9.0),
        ControlCount("Ada", "no_flaw", False, 1, 1, None),
        ControlCount("Ada", "wrong_figure", True, 5, 5, 9.0),
        ControlCount("Bo", "no_flaw", False, 6, 0, 9.0),
    ]
    bo, ada = count_control_results(counts, False)
    assert (ada.person, ada.n, ada.right, ada.share.mean) == ("Ada", 4, 3, 0.75)
    assert ada.by_error == {"wrong figure": (2, 3), "no error": (1, 1)} and (bo.right, bo.n) == (0, 6)
    assert [(one.person, one.n) for one in count_control_results(counts, True)] == [("Ada", 5)]


def test_own_answers_are_compared_with_the_draft_and_with_what_was_accepted() -> None:
    answers = [
        ComparedAnswer("Ada", "a", "en", "Marta Quill", ("Jonas Reed",), ("Marta Quill", "Quill")),
        ComparedAnswer("Ada", "b", "en", "red bridge", ("red boat",), None),
    ]
    decisions = [FirstDecision("Ada", "a", True, False), FirstDecision("Ada", "b", True, True)]
    decisions += [FirstDecision("Ada", f"s{n}", False, n < 3) for n in range(4)]
    whole, ada = measure_biases(answers, decisions)
    assert (whole.to_draft.mean, whole.to_draft.n) == (0.25, 2), "0, and half of two words"
    assert (whole.to_accepted.mean, whole.to_accepted.n) == (1.0, 1)
    assert (whole.blind.mean, whole.seen.mean, whole.difference.mean) == (0.5, 0.75, 0.25)
    assert ada.person == "Ada" and ada.few.startswith("too few: 2 own answers, 2 decisions") and ada.difference.mean is None
    assert measure_biases([], decisions) == []


def test_a_person_with_enough_decisions_of_both_kinds_has_figures() -> None:
    answers = [ComparedAnswer("Ada", str(n), "en", "one", ("one",), None) for n in range(MIN_DECISIONS)]
    decisions = [FirstDecision("Ada", str(n), n < MIN_DECISIONS, n % 2 == 0) for n in range(2 * MIN_DECISIONS)]
    ada = measure_biases(answers, decisions)[1]
    assert not ada.few and ada.difference.mean == 0.0 and ada.difference.low is not None and ada.difference.low < 0
