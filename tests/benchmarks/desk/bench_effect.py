"""The effect of drafts on people: the report on 6,000 decisions, against one measure resampled with numpy; and, on simulated
people with a known effect, how often the intervals hold the truth, beside Welch's t test, which takes decisions for
independent."""

import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.statistics.statistics import Interval
from store.queue.assistance import DRAFT, NONE, AssistanceRule, AssistedDecision
from tests.benchmarks.table import by_turns, head, row
from workbench.annotate.progress.effect import measure_effects

DECISIONS, WORLDS, EACH, RESAMPLES = 6_000, 1_000, 60, 500
DRAFTED = "the old bridge of Orvel"
EFFECT = 0.35
"""True difference of the mean logarithms of the seconds, without a draft minus with it: 42 % more time."""
CASES = ((3, 1, 0.15), (6, 1, 0.15), (6, 1, 0.5), (12, 1, 0.15), (6, 3, 0.15), (12, 3, 0.15))
"""Number of people, of people for each item, and spread of the effect among people."""


def make_world(seed: int, people: int, shared: int, spread: float, each: int = EACH) -> list[AssistedDecision]:
    """Decisions by people of different pace and different effect, on items of different length; every word of an answer is the
    draft's with a chance that the draft raises for each person differently."""
    generator, rule = np.random.default_rng([seed, people, shared]), AssistanceRule(0.2, seed, 0.2)
    pace, own = generator.normal(0, 0.5, people), generator.normal(EFFECT, spread, people)
    follows = np.clip(generator.normal(0.5, spread, people), 0, 1)
    decisions = []
    for number in range(people * each // shared):
        item, length, chance = f"{seed}-{number}", generator.normal(0, 0.4), generator.beta(2, 2)
        arm = rule.draw(item)
        for person in generator.choice(people, shared, replace=False).tolist():
            slower = own[person] if arm == NONE else 0.0
            seconds = math.exp(3.5 + pace[person] + length + slower + generator.normal(0, 0.5))
            is_copy = generator.random() < chance or (arm == DRAFT and generator.random() < follows[person])
            answer = DRAFTED if is_copy else "something else"
            known = ("offline", "1", "en", arm, rule, True, is_copy)
            decisions.append(AssistedDecision(f"p{person}", item, *known, seconds, DRAFTED, answer))
    return decisions


def time_report() -> None:
    """The whole report, against numpy's resamples of one difference."""
    decisions = make_world(1, 30, 1, 0.15, DECISIONS // 30)
    people = [np.array([one.person == f"p{person}" for one in decisions]) for person in range(30)]
    logs = np.log([one.seconds or 1.0 for one in decisions])
    arms = np.array([one.assistance for one in decisions])

    def by_numpy() -> None:
        generator, places = np.random.default_rng(13), [np.flatnonzero(own) for own in people]
        for _ in range(RESAMPLES):
            drawn = np.concatenate([places[person] for person in generator.integers(0, 30, 30)])
            logs[drawn][arms[drawn] == NONE].mean() - logs[drawn][arms[drawn] == DRAFT].mean()

    theirs, ours = by_turns(by_numpy, lambda: measure_effects(decisions, resamples=RESAMPLES))
    row(f"all effects of {len(decisions):,} decisions", "numpy, one effect", theirs, ours, 0.3)
    row("the same in 3 seconds", "3 seconds of CPU", 3.0, ours, 1)


def measure_by_welch(decisions: list[AssistedDecision]) -> tuple[float, float]:
    """The 95 % interval of the difference of mean logarithms by Welch's t test."""
    from scipy.stats import ttest_ind

    logs = [[math.log(one.seconds or 1.0) for one in decisions if one.assistance == arm] for arm in (NONE, DRAFT)]
    found = ttest_ind(*logs, equal_var=False).confidence_interval(0.95)
    return float(found.low), float(found.high)


def holds(value: Interval, truth: float) -> bool:
    return value.low is not None and value.high is not None and value.low <= truth <= value.high


def find_truth() -> dict[float, float]:
    """The true anchoring for each spread: the share of non-copies that turn into copies, over very many people."""
    return {spread: float(np.clip(np.random.default_rng(1).normal(0.5, spread, 10**6), 0, 1).mean()) for _, _, spread in CASES}


def simulate() -> None:
    """Print how often the intervals hold the true effect on time and the true anchoring, at nominal .95."""
    print(f"{WORLDS} worlds, {EACH} decisions a person, shares .2 and .2; share of intervals that hold the truth, nominal .95")
    print(f"{'people':<8}{'an item':<9}{'spread':<8}{'time':>8}{'Welch':>8}{'anchoring':>11}{'width of time':>15}")
    worst, truths = 1.0, find_truth()
    for people, shared, spread in CASES:
        time, welch, anchored, widths = 0, 0, 0, []
        for world in range(WORLDS):
            decisions = make_world(world, people, shared if shared <= people else people, spread)
            effect = measure_effects(decisions, resamples=RESAMPLES).effects[0]
            ratio = next(one for one in effect.rows if one.measure == "seconds").effects[NONE]
            time += holds(ratio, math.exp(EFFECT))
            low, high = measure_by_welch(decisions)
            welch += low <= EFFECT <= high
            anchored += holds(effect.anchoring[DRAFT], truths[spread])
            widths.append(math.log((ratio.high or 1.0) / (ratio.low or 1.0)))
        shares = [hits / WORLDS for hits in (time, welch, anchored)]
        worst = min(worst, shares[0], shares[2])
        print(
            f"{people:<8}{shared:<9}{spread:<8}{shares[0]:>8.3f}{shares[1]:>8.3f}{shares[2]:>11.3f}{np.median(widths):>15.2f}"
        )
    head()
    row("the lowest coverage of a case", "nominal .95, at least .93", 0.93, worst, 1, higher=True)


def main() -> None:
    head()
    time_report()
    simulate()


if __name__ == "__main__":
    main()
