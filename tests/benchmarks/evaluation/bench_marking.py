"""The next answers to mark: the choice among 100,000 answers, against a stratified sample by pandas; and, on simulated marks
with a known truth, how often the intervals miss it, and how many marks they need, against random marks with PPI++."""

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.quality.marking import (
    MarkedStrata,
    MarkingFrame,
    MarkingInterval,
    allocate_marks,
    build_frame,
    draw_units,
    estimate_interval,
    measure_strata,
)
from tests.benchmarks.table import by_turns, head, row

ANSWERS, BATCH = 100_000, 100
WORLDS, QUESTIONS, LOOKS, SIZE = 300, 4_000, 25, 20
JUDGES = ("calibrated", "biased", "graded", "binary", "skewed", "useless")


def main() -> None:
    head()
    time_choice()
    simulate()


def time_choice() -> None:
    """The choice of a batch when people marked 500 of the answers."""
    import pandas as pd

    generator = np.random.default_rng(13)
    scores, levels = generator.beta(0.5, 0.3, ANSWERS), generator.integers(1, 5, ANSWERS)
    marked = generator.choice(ANSWERS, min(500, ANSWERS // 10), replace=False)
    table = pd.DataFrame({"score": scores, "level": levels})

    def ours() -> None:
        frame = build_frame([scores], [""], 0, 1)
        marks, taken = np.full(ANSWERS, math.nan), np.zeros(ANSWERS, bool)
        marks[marked], taken[marked] = scores[marked] > 0.5, True
        state = measure_strata(frame, marks)
        drawn = np.bincount(frame.codes[marked], minlength=len(frame.names))
        more = allocate_marks(frame, state, drawn, np.ones(len(frame.names)), BATCH)
        assert len(draw_units(frame.codes, taken, more, 13)) == BATCH

    def by_pandas() -> None:
        left = table.drop(index=marked)
        left = left.assign(stratum=pd.qcut(left.score, 5, labels=False, duplicates="drop"))
        left.groupby("stratum", group_keys=False).sample(n=max(1, BATCH // 5), random_state=13)

    theirs, own = by_turns(by_pandas, ours)
    row(f"the next {BATCH} of {ANSWERS:,} answers", "pandas qcut, groupby, sample", theirs, own, 0.3)
    row("the same in 100 ms", "0.1 second of CPU", 0.1, own, 1)


def make_world(judge: str, generator: np.random.Generator) -> tuple[Any, Any]:
    """A judge's scores, and the marks that people would give, one for each question."""
    chance = generator.beta(12, 0.7, QUESTIONS) if judge == "skewed" else generator.beta(0.25, 0.15, QUESTIONS)
    marks = (generator.random(QUESTIONS) < chance).astype(float)
    scores = {
        "calibrated": chance,
        "skewed": chance,
        "biased": 0.1 + 0.9 * np.sqrt(chance),
        "graded": np.round(chance * 4) / 4,
        "binary": (chance > 0.5).astype(float),
        "useless": generator.random(QUESTIONS),
    }[judge]
    return scores, marks


def make_pairs(judge: str, same: int, generator: np.random.Generator) -> tuple[list[Any], Any]:
    """The scores of two systems on the questions that they answer differently, and the differences of their marks."""
    (first, a), (second, b) = make_world(judge, generator), make_world(judge, generator)
    return [first[same:], second[same:]], (a - b)[same:]


def estimate_looks(frame: MarkingFrame, truth: Any, seed: int) -> list[MarkingInterval]:
    """The intervals after each batch."""
    marks, strata = np.full(len(truth), math.nan), len(frame.names)
    found = []
    for _ in range(LOOKS):
        taken = ~np.isnan(marks)
        drawn = np.bincount(frame.codes[taken], minlength=strata)
        state: MarkedStrata = measure_strata(frame, marks)
        chosen = draw_units(frame.codes, taken, allocate_marks(frame, state, drawn, np.ones(strata), SIZE), seed)
        marks[chosen] = truth[chosen]
        found.append(estimate_interval(frame, measure_strata(frame, marks)))
    return found


def estimate_random(scores: Any, truth: Any, n: int, generator: np.random.Generator) -> tuple[float, float]:
    """The estimate and half of the interval of PPI++ after n random marks, corrected for the finite number of answers."""
    from scipy.special import stdtrit

    rows = generator.choice(len(truth), n, replace=False)
    y, f = truth[rows], scores[rows]
    spread = float(f.var(ddof=1))
    tuning = min(1.0, max(0.0, float(np.cov(y, f)[0, 1]) / spread)) if spread > 0 else 0.0
    rest = y - tuning * f
    half = float(stdtrit(n - 1, 0.975)) * math.sqrt(float(rest.var(ddof=1)) / n * (1 - n / len(truth)))
    return float(rest.mean()) + tuning * float(scores.mean()), half


def interpolate_marks(halves: Any, goal: float) -> float:
    """The number of marked questions at which half of the mean interval is the goal; NaN = never within the looks."""
    ns = SIZE * np.arange(1, LOOKS + 1)
    return float(np.interp(-goal, -halves, ns)) if halves[-1] <= goal else math.nan


def simulate() -> None:
    """Print coverage and marks for every judge, those without a gain and those whose coverage fails too."""
    print(
        f"{WORLDS} worlds, {QUESTIONS:,} questions, {LOOKS} batches of {SIZE}; coverage at nominal .95 after 20, 40, 100, "
        "200 and all marks (random marks, after 40 and all);"
    )
    print(
        "ever outside: worlds in which the interval for stopping missed the truth at any look (at most .05); marks for the "
        "width that 60 % of all marks give at random"
    )
    print(f"{'of':<12}{'judge':<12}{'coverage':<28}{'random':<12}{'ever outside':<14}{'random n':>9}{'ours n':>9}{'fewer':>8}")
    for what, same in (("mean", 0), ("difference", 0), ("half equal", QUESTIONS // 2)):
        for judge in JUDGES:
            print_case(what, judge, same)


def print_case(what: str, judge: str, same: int) -> None:
    """Print the line of one judge: of the mean of one system, or of the difference of two, which gave `same` equal answers."""
    hits, halves, outside = np.zeros(LOOKS), np.zeros(LOOKS), 0
    random_hits, random_halves = np.zeros(LOOKS), np.zeros(LOOKS)
    for world in range(WORLDS):
        generator = np.random.default_rng([world, 13])
        if what != "mean":
            scores, truth = make_pairs(judge, same, generator)
            frame = build_frame(scores, ["A", "B"], 0, 1, same)
            whole = np.concatenate([scores[0] - scores[1], np.zeros(same)]), np.concatenate([truth, np.zeros(same)])
        else:
            one, truth = make_world(judge, generator)
            frame, whole = build_frame([one], [""], 0, 1), (one, truth)
        mean, missed = float(whole[1].mean()), False
        for look, found in enumerate(estimate_looks(frame, truth, world)):
            if found.low is None or found.high is None or found.always_low is None or found.always_high is None:
                halves[look] = math.nan
                continue
            hits[look] += found.low <= mean <= found.high
            halves[look] += (found.high - found.low) / 2
            missed = missed or not found.always_low <= mean <= found.always_high
            estimate, half = estimate_random(*whole, SIZE * (look + 1), generator)
            random_hits[look] += abs(estimate - mean) <= half
            random_halves[look] += half
        outside += missed
    goal = random_halves[LOOKS * 3 // 5 - 1] / WORLDS
    theirs, own = SIZE * (LOOKS * 3 // 5), interpolate_marks(np.nan_to_num(halves / WORLDS, nan=1.0), goal)
    shown = sorted({look for look in (0, 1, 4, 9, LOOKS - 1) if look < LOOKS})
    coverage = " ".join(f"{hits[look] / WORLDS:.2f}" for look in shown)
    by_random = " ".join(f"{random_hits[look] / WORLDS:.2f}" for look in shown[1:2] + shown[-1:])
    marks = f"{theirs:>9,}{own:>9.0f}{1 - own / theirs:>8.0%}"
    print(f"{what:<12}{judge:<12}{coverage:<28}{by_random:<12}{outside / WORLDS:<14.3f}{marks}", flush=True)


if __name__ == "__main__":
    main()
