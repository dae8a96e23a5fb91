"""The curve of answers that are still right, and the intervals in which the others changed."""

import datetime

import pytest

from core.quality.half_life import CheckedAnswer, DecayOutcome
from eval.half_life.curve import Aging, AgingQuestion, DatedAnswers, measure_aging
from eval.half_life.layout import build_page, encode_aging
from eval.reports.renderer import renderers

BEGIN = datetime.date(2027, 1, 1)
QUESTIONS = {
    f"q{n}": AgingQuestion("static" if n % 2 else "fast-changing", "open", "template", f"q{n}", BEGIN) for n in range(10)
}


def check(days: int, *outcomes: DecayOutcome) -> DatedAnswers:
    answers = [CheckedAnswer(item=f"q{n}", outcome=one, days=days, why="x") for n, one in enumerate(outcomes)]
    return DatedAnswers(f"c{days}", BEGIN + datetime.timedelta(days), answers)


def everything(*checks: DatedAnswers) -> Aging:
    return measure_aging(checks, QUESTIONS)[0]


def test_the_state_at_a_check_is_what_is_seen_and_a_return_is_counted() -> None:
    found = everything(
        check(10, *["unchanged"] * 9, "changed"),
        check(20, "changed", *["unchanged"] * 9),
    )
    assert [point.unchanged.mean for point in found.points] == [0.9, 0.9]
    assert (found.fit.n, found.fit.changed, found.returned) == (10, 2, 1), "both were wrong once"


def test_gone_counts_as_changed_and_what_was_not_asked_not_at_all() -> None:
    found = everything(check(10, "gone", *["unchanged"] * 8, "not_asked"))
    (point,) = found.points
    assert (point.unchanged.n, point.unchanged.mean) == (9, pytest.approx(8 / 9))
    assert (point.counts["gone"], point.counts["not_asked"]) == (1, 1)
    assert (found.fit.n, found.fit.changed) == (9, 1)


def test_a_change_on_the_day_of_the_answer_is_in_the_estimate_as_half_a_day() -> None:
    found = everything(check(0, "changed", *["unchanged"] * 9), check(30, *["unchanged"] * 10))
    assert (found.fit.n, found.fit.changed, found.returned) == (10, 1, 1) and found.points[0].days == 0
    alone = everything(check(0, *["changed"] * 5, *["unchanged"] * 5))
    assert (alone.fit.n, alone.fit.changed) == (10, 5) and alone.fit.estimate(0.5).days == pytest.approx(0.5)
    right = everything(check(0, *["unchanged"] * 10))
    assert right.fit.model is None and right.fit.estimate(0.5).low == pytest.approx(10 * 0.5 * 0.231378, rel=1e-3)


def test_not_found_is_left_out_first_and_counted_as_changed_beside_it() -> None:
    left_out, as_changed = measure_aging([check(10, *["unchanged"] * 6, *["not_found"] * 4)], QUESTIONS)[:2]
    assert (left_out.points[0].unchanged.n, left_out.fit.changed) == (6, 0)
    assert as_changed.counts_not_found and as_changed.points[0].unchanged.mean == 0.6 and as_changed.fit.changed == 4
    assert left_out.fit.model is None and as_changed.fit.model == "exponential"


def test_two_checks_of_one_day_are_one_point_and_the_decided_outcome_counts() -> None:
    found = everything(check(10, *["changed"] * 10), check(10, "unchanged", *["not_asked"] * 9))
    (point,) = found.points
    assert (point.unchanged.n, point.counts["unchanged"], point.counts["changed"]) == (10, 1, 9)


def test_groups_come_after_all_questions_and_dates_follow_from_days() -> None:
    agings = measure_aging([check(100, *["changed", "unchanged"] * 5)], QUESTIONS)
    assert [(one.by, one.value) for one in agings] == [("", ""), ("dynamism", "fast-changing"), ("dynamism", "static")]
    half = agings[0].fit.estimate(0.5)
    assert half.days == pytest.approx(100) and agings[0].find_date(half.days) == datetime.date(2027, 4, 11)
    assert agings[0].find_date(None) is None and agings[0].find_date(1e6) is None
    refresh = agings[0].find_refresh(0.1)
    assert refresh.days == pytest.approx(100 * 0.152003, rel=1e-4) and (refresh.low or 0) < (refresh.days or 0)


def test_the_page_says_bounds_as_bounds() -> None:
    checks = [check(100, *["unchanged"] * 10)]
    agings = measure_aging(checks, QUESTIONS)
    page = build_page("v1", checks, agings, 0.1, [{"agent": "offline", "on": "2027-04-11", "offline": True}])
    text = renderers()["table"].render(page)
    assert "> 231" in text and "No answer changed: a bound." in text
    assert page.notes == [
        "0 of 10 answers changed. The half-life is more than 231 days with 95 % confidence, so that no refresh is needed "
        "before 2027-02-05 at a tolerance of 0.1.",
        "The agent offline of the check on 2027-04-11 is no LLM.",
    ]
    assert "<svg" in page.figures[0].svg and "tolerance 0.1" in page.figures[0].svg
    encoded = encode_aging(agings[0], 0.1)
    assert encoded["half_life"]["days"] is None and encoded["refresh"]["date"] is None
    assert encoded["refresh"]["earliest"] == "2027-02-05"
