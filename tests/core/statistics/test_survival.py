"""How long answers stay right, from checks that see only whether they have changed by then."""

import math

import numpy as np
import pytest

from core.statistics.survival import ChangeInterval, fit_survival


def answers(*groups: tuple[int, float, float | None], size: int = 1) -> list[ChangeInterval]:
    """`n` answers for each (n, low, high); `size` answers in a row are one cluster."""
    listed = [(low, high) for n, low, high in groups for _ in range(n)]
    return [ChangeInterval(low, high, place // size) for place, (low, high) in enumerate(listed)]


def test_one_check_that_finds_half_changed_gives_its_day_as_half_life() -> None:
    fit = fit_survival(answers((50, 0, 100), (50, 100, None)))
    half = fit.estimate(0.5)
    assert fit.model == "exponential" and (fit.n, fit.changed) == (100, 50)
    assert half.days == pytest.approx(100, rel=1e-6)
    assert fit.estimate(0.75).days == pytest.approx(200, rel=1e-6)
    assert fit.share_changed(100) == pytest.approx(0.5)
    share = [1 - 0.5 ** (100 / end) for end in (half.high or 0, half.low or 0)]
    for end in share:  # the interval is that of the binomial likelihood ratio
        lost = 100 * math.log(0.5) - 50 * math.log(end) - 50 * math.log(1 - end)
        assert 2 * lost == pytest.approx(3.841459, rel=1e-4)


def test_nothing_changed_gives_a_bound_by_the_rule_of_three() -> None:
    fit = fit_survival(answers((100, 50, None)))
    assert fit.model is None and "No answer changed" in fit.why
    half = fit.estimate(0.5)
    assert (half.days, half.high) == (None, None)
    assert half.low == pytest.approx(math.log(2) * 100 * 50 / -math.log(0.05))
    assert fit_survival(answers((100, 50, None), size=10)).estimate(0.5).low == pytest.approx((half.low or 0) / 10)


def test_everything_changed_before_the_first_check_gives_an_upper_bound() -> None:
    fit = fit_survival(answers((10, 0, 30)))
    half = fit.estimate(0.5)
    assert fit.model is None and (half.days, half.low) == (None, None)
    rate = math.log(2) / (half.high or 0)
    assert (1 - math.exp(-rate * 30)) ** 10 == pytest.approx(0.05, rel=1e-6)


def test_too_few_answers_give_neither_estimate_nor_bound() -> None:
    fit = fit_survival(answers((4, 0, 30)))
    assert fit.estimate(0.5) == (None, None, None) and "too few" in fit.why and fit.share_changed(10) is None
    assert fit_survival([]).n == 0


def test_an_answer_seen_on_the_day_of_its_release_says_nothing() -> None:
    assert (
        fit_survival([*answers((10, 0, 20), (10, 20, None)), ChangeInterval(0, 0, "x"), ChangeInterval(0, None, "y")]).n == 20
    )


def test_answers_that_change_together_have_a_wider_interval() -> None:
    alone = fit_survival(answers((50, 0, 100), (50, 100, None)))
    grouped = fit_survival(answers((50, 0, 100), (50, 100, None), size=10))
    assert grouped.design == pytest.approx(10 * 10 / 9, rel=1e-6) and grouped.clusters == 10
    wide, narrow = grouped.estimate(0.5), alone.estimate(0.5)
    assert wide.days == narrow.days
    assert (wide.low or 0) < (narrow.low or 0) and (wide.high or 0) > (narrow.high or 0)
    one = fit_survival(answers((50, 0, 100), (50, 100, None), size=100))
    assert one.estimate(0.5).low is None and "one cluster" in one.why


def test_a_weibull_distribution_is_chosen_where_the_rate_grows_and_not_by_chance() -> None:
    days = 360 * np.random.default_rng(13).weibull(2.0, 400)
    checks = [90.0, 180.0, 270.0, 360.0]
    seen = [
        ChangeInterval(
            max([d for d in checks if d < day], default=0), min([d for d in checks if d >= day], default=None), place
        )
        for place, day in enumerate(days)
    ]
    fit = fit_survival(seen)
    assert fit.model == "weibull" and fit.shape == pytest.approx(2.0, abs=0.3)
    half = fit.estimate(0.5)
    assert (half.low or 0) < 360 * math.log(2) ** 0.5 < (half.high or 0)
    flat = fit_survival(answers((50, 0, 100), (25, 100, 200), (25, 200, None)))
    assert flat.model == "exponential", "half of the rest changed in each step"
