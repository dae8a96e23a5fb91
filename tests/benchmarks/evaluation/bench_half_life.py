"""The half-life of a release on simulated answers with a known truth: how often the 95 % interval contains the true half-life,
its bias, and designs in which the claim must fail. A hand-written fit by scipy is the peer."""

import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.statistics.survival import ChangeInterval, fit_survival
from tests.benchmarks.table import by_turns, head, row

WORLDS = 200
ANSWERS = 2_000
Draw = Callable[[Any, int], Any]


def main() -> None:
    head()
    time_fit()
    simulate()


def time_fit() -> None:
    """The fit of answers that were all given on different days."""
    from scipy.optimize import minimize_scalar

    generator = np.random.default_rng(13)
    answers = observe(generator.exponential(400, ANSWERS), [90.0, 180.0, 360.0], generator.integers(0, 30, ANSWERS), 1)
    low = np.array([one.low for one in answers])
    high = np.array([np.inf if one.high is None else one.high for one in answers])

    def by_scipy() -> float:
        def loss(log_rate: float) -> float:
            rate = math.exp(log_rate)
            return -float(np.log(np.maximum(np.exp(-rate * low) - np.exp(-rate * high), 1e-300)).sum())

        return math.log(2) / math.exp(minimize_scalar(loss, bounds=(-15, 5), method="bounded").x)

    assert abs(by_scipy() / (fit_survival(answers).estimate(0.5).days or 0) - 1) < 0.25  # ours may choose Weibull
    theirs, own = by_turns(by_scipy, lambda: fit_survival(answers).estimate(0.5).low)
    row(f"half-life and interval of {ANSWERS:,} answers", "scipy, exponential, no interval", theirs, own, 0.001)


def observe(times: Any, checks: Sequence[float], shifts: Any, size: int) -> list[ChangeInterval]:
    """What checks show of the times at which answers change; `size` answers in a row are one cluster."""
    answers = []
    for place, (time, shift) in enumerate(zip(times.tolist(), np.broadcast_to(shifts, len(times)).tolist(), strict=True)):
        seen = [check + shift for check in checks]
        after = next((day for day in seen if day >= time), None)
        before = max((day for day in seen if day < time), default=0.0)
        answers.append(ChangeInterval(before, after, place // size))
    return answers


def alone(half: float, shape: float = 1.0) -> Draw:
    """Independent times with this half-life."""
    return lambda generator, n: half / math.log(2) ** (1 / shape) * generator.weibull(shape, n)


def together(half: float, size: int) -> Draw:
    """Times of clusters of `size` answers that change together."""
    return lambda generator, n: np.repeat(half / math.log(2) * generator.exponential(1, n // size), size)


def mixed(quick: float, slow: float) -> Draw:
    """Half of the answers change quickly, half slowly; the half-life of the mixture is computed."""

    def draw(generator: Any, n: int) -> Any:
        return np.where(generator.random(n) < 0.5, quick, slow) / math.log(2) * generator.exponential(1, n)

    return draw


def find_median(quick: float, slow: float) -> float:
    low, high = 0.0, slow
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if 0.5 ** (middle / quick) + 0.5 ** (middle / slow) > 1 else (low, middle)
    return low


def simulate() -> None:
    """Coverage at nominal .95 by design; the last designs break an assumption, and their coverage must fall."""
    one, four = [180.0], [90.0, 180.0, 270.0, 360.0]
    designs: list[tuple[str, Draw, float, list[float], int, int, int]] = [
        ("40 answers, 1 check, half-life 360", alone(360), 360, one, 40, 1, 1),
        ("200 answers, 1 check, half-life 360", alone(360), 360, one, 200, 1, 1),
        ("200 answers, 4 checks, half-life 360", alone(360), 360, four, 200, 1, 1),
        ("200 answers, 4 checks, half-life 3,600", alone(3_600), 3_600, four, 200, 1, 1),
        ("1,000 answers, 4 checks, half-life 60", alone(60), 60, four, 1_000, 1, 1),
        ("400 answers, 4 checks, Weibull shape 2", alone(360, 2.0), 360, four, 400, 1, 1),
        ("400 answers in clusters of 10, 4 checks", together(360, 10), 360, four, 400, 10, 10),
        ("FAILS: the same, taken as independent", together(360, 10), 360, four, 400, 10, 1),
        ("FAILS: half 60, half 6,000 days, 1 check", mixed(60, 6_000), find_median(60, 6_000), [30.0], 400, 1, 1),
    ]
    for number, (name, draw, truth, checks, n, _, size) in enumerate(designs):
        generator = np.random.default_rng([13, number])
        hits, values, bounds = 0, [], 0
        for _ in range(WORLDS):
            found = fit_survival(observe(draw(generator, n), checks, 0, size)).estimate(0.5)
            hits += (found.low or 0.0) <= truth <= (math.inf if found.high is None else found.high)
            bounds += found.days is None
            values += [] if found.days is None else [found.days]
        bias = float(np.median(values)) / truth - 1 if values else math.nan
        note = f", {bounds} of {WORLDS} bounds alone" if bounds else ""
        print(f"{name:<48}median {bias:+7.1%} of the truth{note}", flush=True)
        if name.startswith("FAILS"):
            row("  coverage that must fall", "nominal", 0.95, 1 - hits / WORLDS, 0.15, higher=True)
        else:
            row("  coverage of the 95 % interval", "nominal", 0.95, hits / WORLDS, 0.95, higher=True)


if __name__ == "__main__":
    main()
