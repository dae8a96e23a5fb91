"""A judge against people: figures worked by hand, and what a correction is worth where the truth is known."""

import numpy as np
import pytest

from core.quality.judge_check import JudgedPair, JudgeRow, check_judge, correct_mean, rogan_gladen
from core.statistics.statistics import bootstrap, wilson

TWO = ("right", "wrong")


def pairs(hits: int, misses: int, false: int, right: int) -> list[JudgedPair]:
    """So many of: both right; people right alone; the judge right alone; both wrong."""
    cells = (("right", "right", hits), ("wrong", "right", misses), ("right", "wrong", false), ("wrong", "wrong", right))
    return [JudgedPair(f"{judge}{people}{n}", judge, people) for judge, people, times in cells for n in range(times)]


def simulated(seed: int, marked: int = 100, truth: float = 0.6, tpr: float = 0.95, tnr: float = 0.7) -> list[JudgeRow]:
    """A judge of known rates on answers of a known share of right ones, some of which people marked."""
    chance, n = np.random.default_rng(seed), 1_000
    people = chance.random(n) < truth
    judge = np.where(people, chance.random(n) < tpr, chance.random(n) >= tnr)
    return [JudgeRow(place, float(judge[place]), float(people[place]) if place < marked else None) for place in range(n)]


def test_rates_kappa_and_confusion_are_those_worked_by_hand() -> None:
    found = check_judge(pairs(40, 10, 5, 45), TWO, "right")
    assert found.confusion == {"right": {"right": 40, "wrong": 10}, "wrong": {"right": 5, "wrong": 45}}
    assert (found.tpr.mean, found.tpr.n, found.tnr.mean, found.tnr.n) == (0.8, 50, 0.9, 50)
    assert (found.tpr.low, found.tpr.high) == wilson(40, 50)[1:3]
    assert found.kappa.value == pytest.approx(0.7)  # agreed .85, by chance .45 * .5 + .55 * .5 = .5
    right = found.classes["right"]
    assert right.precision.mean == pytest.approx(40 / 45) and right.recall.mean == 0.8
    assert right.f1 == pytest.approx(2 * 40 / (45 + 50))


def test_crags_printed_precision_and_recall_make_the_f1_that_its_table_misprints() -> None:
    right = check_judge(pairs(922, 78, 11, 100), TWO, "right").classes["right"]
    assert (round(100 * (right.precision.mean or 0), 1), round(100 * (right.recall.mean or 0), 1)) == (98.8, 92.2)
    assert round(100 * (right.f1 or 0), 1) == 95.4
    silent = check_judge(pairs(0, 5, 0, 5), TWO, "right").classes["right"]
    assert silent.precision.mean is None and silent.f1 == 0.0


def test_three_classes_have_a_line_each_and_all_that_is_not_positive_is_negative() -> None:
    given = [
        JudgedPair(n, judge, people)
        for n, (judge, people) in enumerate(
            [
                ("accurate", "accurate"),
                ("incorrect", "missing"),
                ("accurate", "incorrect"),
                ("missing", "missing"),
            ]
        )
    ]
    found = check_judge(given, ("accurate", "missing", "incorrect"), "accurate")
    assert (found.tpr.mean, found.tnr.mean, found.tnr.n) == (1.0, 2 / 3, 3)
    assert found.classes["missing"].recall.mean == 0.5 and found.classes["missing"].precision.mean == 1.0
    assert found.classes["incorrect"].precision.mean == 0.0


def test_what_nobody_marked_is_undefined_and_never_0() -> None:
    none = check_judge([], TWO, "right")
    assert none.kappa.value is None and none.tpr.mean is None and "none" in none.kappa.why
    one_sided = check_judge(pairs(20, 0, 0, 0), TWO, "right")
    assert one_sided.tnr.mean is None and one_sided.tnr.why and one_sided.kappa.value is None
    assert rogan_gladen(5, 10, one_sided.tpr, one_sided.tnr).mean is None
    few = correct_mean(simulated(1, marked=9))
    assert few.mean is None and few.n == 9 and "10 are needed" in few.why
    worse = check_judge(pairs(10, 10, 10, 10), TWO, "right")
    assert "no better than chance" in rogan_gladen(5, 10, worse.tpr, worse.tnr).why


def test_the_tuned_mean_is_the_one_worked_by_hand() -> None:
    # ten marked answers of forty: people 1 on 6 of them, the judge on 7 (5 of them shared); the judge on 24 of all forty
    judge = [1] * 5 + [0] + [1] * 2 + [0] * 2 + [1] * 17 + [0] * 13
    people = [1] * 6 + [0] * 4
    rows = [JudgeRow(n, float(j), float(people[n]) if n < 10 else None) for n, j in enumerate(judge)]
    found = correct_mean(rows)
    a = np.array([(y - 0.6) / 10 for y in people] + [0.0] * 30)
    b = np.array([(j - 0.7) / 10 if n < 10 else 0.0 for n, j in enumerate(judge)]) - (np.array(judge) - 0.6) / 40
    tuning = float(a @ b / (b @ b))
    assert 0 < tuning < 1 and found.tuning == pytest.approx(tuning)
    assert found.mean == pytest.approx(0.6 - tuning * (0.7 - 0.6))
    error = float(np.sqrt(10 / 9 * ((a - tuning * b) ** 2).sum()))
    assert found.high is not None and found.high == pytest.approx(found.mean + 2.262157 * error, abs=1e-6)


def test_a_judge_that_says_nothing_leaves_the_peoples_own_mean() -> None:
    rows = [JudgeRow(n, 1.0, float(n % 2)) for n in range(20)] + [JudgeRow(n, 1.0) for n in range(20, 100)]
    found = correct_mean(rows)
    assert (found.mean, found.tuning, found.n, found.of) == (0.5, 0.0, 20, 100)


def test_answers_that_stand_for_more_of_the_run_count_for_more() -> None:
    rows = [JudgeRow(n, 0.0, float(n < 5), 9.0 if n < 5 else 1.0) for n in range(10)]
    assert correct_mean(rows).mean == pytest.approx(45 / 50)


def test_no_end_of_a_corrected_interval_leaves_the_scale() -> None:
    rows = [JudgeRow(n, float(n > 0), float(n > 0) if n < 12 else None) for n in range(14)]
    found = correct_mean([*rows[1:12], JudgeRow("x", 1.0, 0.0), *rows[12:]], 0.0, 1.0)
    assert found.low is not None and found.high is not None and 0 <= found.low < found.high <= 1


def test_a_judge_that_people_never_contradict_has_no_interval_of_width_0() -> None:
    found = correct_mean([JudgeRow(n, 1.0, 1.0) for n in range(12)] + [JudgeRow(n, 1.0) for n in range(12, 40)])
    assert found.mean == 1.0 and found.low is None and "the spread is unknown" in found.why


@pytest.mark.parametrize(("tpr", "tnr"), [(0.95, 0.7), (0.7, 0.95), (0.8, 0.6)])
def test_the_corrected_interval_covers_the_truth_and_the_raw_one_does_not(tpr: float, tnr: float) -> None:
    raw = corrected_ = rogan = narrower = 0
    truth = 0.6 if tnr < 0.9 else 0.7
    for seed in range(100):
        rows = simulated(seed, truth=truth, tpr=tpr, tnr=tnr)
        own = bootstrap([row.judge for row in rows], resamples=500, seed=seed)
        raw += (own.low or 0) <= truth <= (own.high or 0)
        found = correct_mean(rows, 0.0, 1.0)
        corrected_ += (found.low or 0) <= truth <= (found.high or 0)
        marked = [
            JudgedPair(row.cluster, TWO[1 - int(row.judge)], TWO[1 - int(row.people)]) for row in rows if row.people is not None
        ]
        people = correct_mean([row._replace(judge=0.0) for row in rows])
        narrower += (found.high or 0) - (found.low or 0) < (people.high or 0) - (people.low or 0)
        checked_ = check_judge(marked, TWO, "right")
        other = rogan_gladen(int(sum(row.judge for row in rows)), len(rows), checked_.tpr, checked_.tnr)
        rogan += (other.low or 0) <= truth <= (other.high or 0)
    assert corrected_ >= 90 and rogan >= 90
    assert raw < 50, "a judge with these rates is off by more than its own interval tells"
    assert narrower > 90, "people alone would need more marks"
