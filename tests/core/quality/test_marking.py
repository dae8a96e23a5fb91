"""The choice of the next marks: strata, the stratified estimate and its two intervals, the allocation, the draw; and, on
simulated marks with a known truth, how often the intervals miss it."""

import math

import numpy as np
import pytest

from core.quality.marking import (
    MarkingFrame,
    MarkingInterval,
    allocate_marks,
    build_frame,
    draw_units,
    estimate_interval,
    estimate_seconds,
    forecast_marks,
    group_units,
    judge_interval,
    measure_strata,
)

NAN = math.nan


def mark_on(frame: MarkingFrame, truth: "np.ndarray", looks: int, size: int, seed: int) -> list[MarkingInterval]:
    """The interval after each of so many batches."""
    marks, strata = np.full(len(truth), NAN), len(frame.names)
    intervals = []
    for _ in range(looks):
        taken = ~np.isnan(marks)
        drawn = np.bincount(frame.codes[taken], minlength=strata)
        more = allocate_marks(frame, measure_strata(frame, marks), drawn, np.ones(strata), size)
        rows = draw_units(frame.codes, taken, more, seed)
        marks[rows] = truth[rows]
        intervals.append(estimate_interval(frame, measure_strata(frame, marks)))
    return intervals


def test_few_scores_are_strata_of_their_own_many_are_cut_and_small_ones_join() -> None:
    few = build_frame([np.array([0.0] * 10 + [0.5] * 10 + [1.0] * 10)], [""], 0, 1)
    assert list(few.names) == ["0", "0.5", "1"] and few.sizes.tolist() == [10, 10, 10]
    assert few.guess[1] > few.guess[0] == few.guess[2], "unsure scores promise the most spread"
    many = build_frame([np.arange(100) / 99], [""], 0, 1)
    assert many.sizes.tolist() == [20] * 5 and many.names[0] == "0 to 0.192"
    pair = build_frame([np.repeat([0.0, 1.0], 50), np.tile([0.0, 1.0], 50)], ["A", "B"], 0, 1)
    assert set(pair.names) == {"A 0, B 0", "A 0, B 1", "A 1, B 0", "A 1, B 1"} and pair.scale == 2
    assert sorted(set(pair.scores.tolist())) == [-1, 0, 1]
    rare = build_frame([np.array([0.0] * 98 + [0.5, NAN])], [""], 0, 1)
    assert list(rare.names) == ["0", "others"] and rare.sizes.tolist() == [98, 2]
    outside = build_frame([np.array([10.0, 20.0] * 10)], [""], 0, 1)
    assert outside.sizes.tolist() == [10, 10] and not outside.scores.any(), "scores off the scale only make strata"
    assert list(group_units(["2", "1", "2"], 1).names) == ["1", "2"]


def test_the_estimate_weighs_strata_by_size_and_corrects_the_scores() -> None:
    frame = build_frame([np.array([0.0] * 30 + [1.0] * 10)], [""], 0, 1, zeros=10)
    marks = np.full(40, NAN)
    marks[:4], marks[30:34] = [0, 0, 0, 1], [1, 1, 1, 0]
    state = measure_strata(frame, marks)
    assert state.mean == pytest.approx((30 * 0.25 + 10 * 0.75 + 10 * 0) / 50)
    assert state.tuning == 0 and estimate_interval(frame, state).low is None, "8 marks are too few"
    pooled = (0.75 + 0.75 + 0.25) / 7
    assert state.variances == pytest.approx([(0.75 + 3 * pooled) / 6] * 2), "shrunk: one more mark counts half of the scale"
    scores = np.linspace(0, 1, 200)
    linear = build_frame([scores], [""], 0, 1)
    marks = np.full(200, NAN)
    marks[::4] = scores[::4] * 0.5 + 0.1
    state = measure_strata(linear, marks)
    assert state.tuning == pytest.approx(0.5) and state.mean == pytest.approx(scores.mean() * 0.5 + 0.1)


def test_a_stratum_without_a_mark_leaves_the_mean_unknown_and_all_marks_leave_no_doubt() -> None:
    frame = build_frame([np.array([0.0] * 20 + [1.0] * 20)], [""], 0, 1)
    marks = np.full(40, NAN)
    marks[:20] = 1.0
    found = estimate_interval(frame, measure_strata(frame, marks))
    assert found == MarkingInterval(None, None, None, None, None)
    assert judge_interval(found, 0.1, is_difference=True) == "too few"
    marks[20:] = 0.0
    found = estimate_interval(frame, measure_strata(frame, marks))
    assert (found.mean, found.low, found.high, found.always_low) == (0.5, 0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    ("low", "high", "is_difference", "verdict"),
    [
        (0.01, 0.3, True, "above"),
        (-0.3, -0.01, True, "below"),
        (-0.1, 0.3, True, "go on"),
        (-0.04, 0.04, True, "narrow"),
        (0.4, 0.6, False, "go on"),
        (0.46, 0.54, False, "narrow"),
    ],
)
def test_marking_stops_by_the_interval_that_holds_at_every_look(
    low: float, high: float, is_difference: bool, verdict: str
) -> None:
    inside = MarkingInterval((low + high) / 2, low + 0.01, high - 0.01, low, high)
    assert judge_interval(inside, 0.05, is_difference=is_difference) == verdict


def test_marks_go_where_they_spread_and_where_they_are_cheap() -> None:
    frame = MarkingFrame(np.repeat([0, 1], 5_000), ("sure", "unsure"), np.zeros(10_000), np.ones(2), 1.0)
    marks = np.full(10_000, NAN)
    marks[:1_000], marks[5_000:6_000] = np.arange(1_000) % 100 == 0, np.arange(1_000) % 2
    state, taken = measure_strata(frame, marks), np.array([1_000, 1_000])
    more = allocate_marks(frame, state, taken, np.ones(2), 2_000)
    spread = np.sqrt([0.01 * 0.99, 0.25])
    assert more.sum() == 2_000
    assert (more + taken)[1] / 4_000 == pytest.approx(min(0.75, spread[1] / spread.sum()), abs=0.02), "Neyman, above its floors"
    even = MarkingFrame(frame.codes, ("slow", "quick"), frame.scores, np.ones(2), 1.0)
    blank = np.full(10_000, NAN)
    cheap = allocate_marks(even, measure_strata(even, blank), np.zeros(2, int), np.array([4.0, 1.0]), 3_000)
    assert cheap[1] / cheap[0] == pytest.approx(2, abs=0.02), "shares are as 1 / sqrt(time)"
    assert allocate_marks(even, measure_strata(even, blank), np.array([5_000, 4_990]), np.ones(2), 50).tolist() == [0, 10]


def test_the_draw_is_random_within_strata_repeatable_and_never_takes_twice() -> None:
    codes = np.repeat([0, 1], [50, 150])
    taken = np.zeros(200, bool)
    taken[:10] = True
    times = np.zeros(200)
    for seed in range(3_000):
        rows = draw_units(codes, taken, np.array([10, 30]), seed)
        assert len(set(rows.tolist())) == 40
        times[rows] += 1
    assert times[:10].sum() == 0 and times[:50].sum() == 3_000 * 10
    assert times[10:50] == pytest.approx(np.full(40, 750), abs=150) and times[50:] == pytest.approx(np.full(150, 600), abs=130)
    again = [draw_units(codes, taken, np.array([10, 30]), seed).tolist() for seed in (13, 13, 14)]
    assert again[0] == again[1] != again[2]


def test_times_are_shrunk_and_the_forecast_ends_when_all_is_marked() -> None:
    frame = build_frame([np.repeat([0.0, 1.0], 50)], [""], 0, 1)
    seconds, marks = np.full(100, NAN), np.full(100, NAN)
    assert estimate_seconds(frame, seconds) is None
    seconds[:10], seconds[50:60] = 10.0, 30.0
    marks[:10], marks[50:60] = np.arange(10) % 2, np.arange(10) % 2
    times = estimate_seconds(frame, seconds)
    assert times == pytest.approx([(100 + 200) / 20, (300 + 200) / 20])
    state, drawn = measure_strata(frame, marks), np.array([10, 10])
    steps = forecast_marks(frame, state, drawn, times, [20, 40, 80, 500])
    assert [step.units for step in steps] == [20, 40, 80], "500 are the 80 that are left"
    assert steps[0].always > steps[1].always > steps[2].always == 0 == steps[2].half
    assert steps[2].seconds == pytest.approx(40 * 15 + 40 * 25)
    assert forecast_marks(frame, state, drawn, None, [20])[0].seconds is None


@pytest.mark.parametrize("judge", ["calibrated", "biased", "binary", "useless"])
def test_intervals_hold_the_truth_on_simulated_marks(judge: str) -> None:
    fixed = always = 0
    for world in range(200):
        generator = np.random.default_rng([1, world])
        chance = generator.beta(0.25, 0.15, 2_000)
        truth = (generator.random(2_000) < chance).astype(float)
        scores = {
            "calibrated": chance,
            "biased": 0.1 + 0.9 * np.sqrt(chance),
            "binary": (chance > 0.5).astype(float),
            "useless": generator.random(2_000),
        }[judge]
        looks = mark_on(build_frame([scores], [""], 0, 1), truth, 8, 20, world)
        last, mean = looks[-1], truth.mean()
        assert last.low is not None and last.high is not None
        fixed += last.low <= mean <= last.high
        always += all((one.always_low or 0) <= mean <= (one.always_high or 1) for one in looks)
    assert fixed >= 0.91 * 200, "at a nominal 95 %, with room for the chance of 200 worlds"
    assert always >= 0.95 * 200


def test_no_difference_is_hardly_ever_settled_however_often_one_looks() -> None:
    called = fixed = 0
    for world in range(200):
        generator = np.random.default_rng([2, world])
        chance = generator.beta(0.5, 0.5, 1_000)
        first, second = (generator.random((2, 1_000)) < chance).astype(float)
        truth = np.concatenate([first - second, second - first])  # the mean over all is 0
        scores = [np.concatenate([chance, chance]), np.concatenate([chance, chance])]
        looks = mark_on(build_frame(scores, ["A", "B"], 0, 1), truth, 15, 20, world)
        called += any(judge_interval(one, 1e-9, is_difference=True) in ("above", "below") for one in looks)
        fixed += any((one.low or -1) > 0 or (one.high or 1) < 0 for one in looks)
    assert called <= 0.05 * 200
    assert fixed > 0.1 * 200, "the interval for a fixed number of marks must not decide when to stop"
