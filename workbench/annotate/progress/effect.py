"""Measure the effect of drafts on people: decisions on items whose draft people saw, saw after an own answer (blind reveal), or
never saw (no assistance). A seed draws which item is which, so a difference between these arms is an effect of the draft."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from core.statistics.resampling import RESAMPLES, Draws, draw
from core.statistics.statistics import CONFIDENCE_LEVEL, Interval, derive_interval
from core.text.text import token_f1
from store.queue.assistance import DRAFT, NONE, REVEAL, Assistance, AssistanceRule, AssistedDecision
from workbench.annotate.progress.trust import MIN_DECISIONS

ARMS: tuple[Assistance, ...] = (DRAFT, REVEAL, NONE)
SEED = 13
"""Seed of the resamples of all intervals."""
MIN_PEOPLE = 3
"""Minimum number of people in an arm for an interval: two people say too little about how people differ."""
_TIME = "seconds"


def _compare_with_draft(one: AssistedDecision) -> float | None:
    return token_f1(one.answer, one.drafted, one.language) if one.is_accepted and one.drafted else None


def _compare_with_others(one: AssistedDecision) -> float | None:
    if not one.is_accepted or not one.others:
        return None
    return sum(token_f1(one.answer, other, one.language) for other in one.others) / len(one.others)


def _compare_with_adjudicated(one: AssistedDecision) -> float | None:
    return token_f1(one.answer, one.adjudicated, one.language) if one.is_accepted and one.adjudicated else None


MEASURES: Mapping[str, Callable[[AssistedDecision], float | None]] = {
    "like the draft": _compare_with_draft,
    "like other people's": _compare_with_others,
    "like the adjudicated": _compare_with_adjudicated,
    _TIME: lambda one: math.log(one.seconds) if one.seconds else None,
    "as drafted": lambda one: float(one.is_accepted and one.is_unchanged),
    "edited": lambda one: float(one.is_accepted and not one.is_unchanged),
    "discarded": lambda one: float(not one.is_accepted),
}
"""What is compared between the arms, by name: three mean token F1 of the answers of accepted items, the logarithm of the active
seconds, and three shares of all decisions."""


@dataclass(frozen=True, slots=True)
class MeasuredEffect:
    """One measure in the three arms, with the effects of the other arms against the arm in which people see the draft."""

    measure: str
    arms: Mapping[Assistance, Interval]
    """Mean in each arm, 0 to 1; for seconds the geometric mean."""
    effects: Mapping[Assistance, Interval]
    """Mean in the arm minus the mean in the arm "draft"; for seconds the ratio of the geometric means."""


@dataclass(frozen=True, slots=True)
class DraftEffect:
    """The effect of drafts on people: of all drafts, of the drafts of one agent, or of one level."""

    group: str
    """all, agent, or level"""
    name: str
    decisions: Mapping[Assistance, int]
    people: Mapping[Assistance, int]
    """Number of people who decided, in each arm."""
    anchoring: Mapping[Assistance, Interval]
    """For the arms "draft" and "blind reveal": how much of the distance from unassisted answers to the draft disappears,
    (F1 in the arm - F1 without a draft) / (1 - F1 without a draft). 1 = people copy the draft; 0 = their answers are as unlike
    the draft as without it."""
    median_seconds: Mapping[Assistance, float | None]
    rows: Sequence[MeasuredEffect]


@dataclass(frozen=True, slots=True)
class EffectReport:
    """The effects of drafts on people, with the decisions that are not compared."""

    rule: AssistanceRule | None
    """The rule under which the compared decisions were made, or None if there are none."""
    other_rules: int
    """Number of decisions that are left out because another rule drew their arm."""
    seen_before: int
    """Number of decisions that are left out because the person had seen the item's draft, or had decided on it, before."""
    seed: int
    effects: Sequence[DraftEffect]


def measure_effects(decisions: Sequence[AssistedDecision], seed: int = SEED, resamples: int = RESAMPLES) -> EffectReport:
    """Measure the effect of the drafts on the decisions under the last rule: of all drafts, of each agent and of each level.

    Compared are first decisions in the arm that the seed drew. All arms are from the time of one rule, because people and
    drafts change with time."""
    if not decisions:
        return EffectReport(None, 0, 0, seed, [])
    rule = decisions[-1].rule
    under = [one for one in decisions if one.rule == rule]
    compared = [one for one in under if one.is_first and rule.draw(one.item) == one.assistance]
    groups = {("all", ""): compared}
    for group, names in (("agent", [one.agent for one in compared]), ("level", [one.level for one in compared])):
        for name in sorted(set(names)):
            groups[group, name] = [one for one, own in zip(compared, names, strict=True) if own == name]
    effects = [_measure_group(*name, part, seed, resamples) for name, part in groups.items() if part]
    return EffectReport(rule, len(decisions) - len(under), len(under) - len(compared), seed, effects)


def _measure_group(group: str, name: str, decisions: Sequence[AssistedDecision], seed: int, resamples: int) -> DraftEffect:
    arms = {arm: [one for one in decisions if one.assistance == arm] for arm in ARMS}
    table = _Table(decisions, seed, resamples)
    seconds = {arm: [one.seconds for one in own if one.seconds] for arm, own in arms.items()}
    return DraftEffect(
        group,
        name,
        {arm: len(own) for arm, own in arms.items()},
        {arm: len({one.person for one in own}) for arm, own in arms.items()},
        {arm: table.measure_anchoring(arm) for arm in (DRAFT, REVEAL)},
        {arm: median(own) if own else None for arm, own in seconds.items()},
        [table.measure(measure) for measure in MEASURES],
    )


class _Table:
    """The values of all measures in all arms, resampled by person; if several people decided on one item, also by item and by
    decision."""

    def __init__(self, decisions: Sequence[AssistedDecision], seed: int, resamples: int) -> None:
        import numpy as np

        values = np.full((len(decisions), len(MEASURES) * len(ARMS)), math.nan)
        for place, one in enumerate(decisions):
            for number, value in enumerate(measure(one) for measure in MEASURES.values()):
                values[place, len(ARMS) * number + ARMS.index(one.assistance)] = math.nan if value is None else value
        people, items = [one.person for one in decisions], [one.item for one in decisions]
        self._draws = [draw(values, people, resamples, seed)]
        if len(set(items)) < len(items):
            self._draws += [draw(values, items, resamples, seed), draw(values, range(len(items)), resamples, seed)]

    def measure(self, name: str) -> MeasuredEffect:
        """Return one measure with its effects."""
        first, is_time = len(ARMS) * list(MEASURES).index(name), name == _TIME
        places = {arm: first + place for place, arm in enumerate(ARMS)}
        limits, ends = ((-math.inf, math.inf),) * 2 if is_time else ((0.0, 1.0), (-1.0, 1.0))
        means = {arm: self._derive([place], lambda mean: mean[..., 0], limits) for arm, place in places.items()}
        effects = {
            arm: self._derive([places[arm], places[DRAFT]], lambda mean: mean[..., 0] - mean[..., 1], ends) for arm in ARMS[1:]
        }
        if is_time:
            means, effects = ({arm: _raise(one) for arm, one in each.items()} for each in (means, effects))
        return MeasuredEffect(name, means, effects)

    def measure_anchoring(self, arm: Assistance) -> Interval:
        """Return how strongly the answers in the arm follow the draft. The ends are computed for the logarithm of the share of
        the distance that is left, (1 - F1 in the arm) / (1 - F1 without a draft), whose distribution is less skewed."""
        import numpy as np

        columns = [ARMS.index(arm), ARMS.index(NONE)]
        found = self._derive(columns, lambda mean: (mean[..., 0] - mean[..., 1]) / (1 - mean[..., 1]), (-math.inf, 1.0))
        if found.mean is None and found.n >= MIN_DECISIONS:
            return found._replace(why="unassisted answers already are the draft's")
        if found.mean is None or found.low is None or found.mean >= 1:
            return found
        reach = self._find_reach(columns, lambda mean: np.log((1 - mean[..., 0]) / (1 - mean[..., 1])))
        low, high = (1 - (1 - found.mean) * math.exp(min(end, 700.0)) for end in (reach, -reach))
        return found._replace(low=low, high=high)

    def _find_reach(self, columns: Sequence[int], value: Callable[[Any], Any]) -> float:
        """Return half the width of the interval of a value computed from the means of some columns."""
        return _combine([_measure_reach(drawn, columns, value) for drawn in self._draws])

    def _derive(self, columns: Sequence[int], value: Callable[[Any], Any], limits: tuple[float, float]) -> Interval:
        """Return a value computed from the means of some columns, with its interval; None with a reason if a column has too few
        values."""
        first = self._draws[0]
        n = int(first.n[list(columns)].min())
        if n < MIN_DECISIONS:
            return Interval(None, None, None, n, f"too few: {n} of the {MIN_DECISIONS} decisions that are needed")
        found = derive_interval(first, columns, value)
        people = int(first.clusters[list(columns)].min())
        if people < MIN_PEOPLE and found.mean is not None:
            why = f"no interval: {people} of the {MIN_PEOPLE} people that are needed"
            return found._replace(low=None, high=None, why=why)
        if found.mean is None or found.low is None:
            return found
        reach = self._find_reach(columns, value)
        low, high = (min(max(end, limits[0]), limits[1]) for end in (found.mean - reach, found.mean + reach))
        return found._replace(low=low, high=high)


def _measure_reach(drawn: Draws, columns: Sequence[int], value: Callable[[Any], Any]) -> float:
    """Return half the width of the interval over g clusters: t(g - 1) times the standard error. The standard error is the
    standard deviation of the resampled values times sqrt(g / (g - 1)), because resamples of g clusters vary too little by this
    factor (Hesterberg, The American Statistician 69, 2015)."""
    import numpy as np
    from scipy.special import stdtrit

    chosen = list(columns)
    with np.errstate(invalid="ignore", divide="ignore"):
        resampled = np.asarray(value(drawn.resampled[chosen].T))
    clusters = int(drawn.clusters[chosen].min())
    if clusters < 2:
        return 0.0
    error = math.sqrt(clusters / (clusters - 1)) * float(resampled[np.isfinite(resampled)].std())
    return float(stdtrit(clusters - 1, (1 + CONFIDENCE_LEVEL) / 2)) * error


def _combine(reaches: Sequence[float]) -> float:
    """Return half the width of the interval if people and items are both drawn, from those by person, by item and by decision:
    their squares are added as the variances of two-way clusters are, person + item - decision (Cameron, Gelbach, Miller,
    Journal of Business and Economic Statistics 29, 2011). The result is at least that by person and that by item."""
    squares = [reach**2 for reach in reaches]
    return math.sqrt(squares[0] if len(squares) == 1 else max(squares[0], squares[1], squares[0] + squares[1] - squares[2]))


def _raise(interval: Interval) -> Interval:
    """Return an interval of logarithms as an interval of the numbers themselves."""
    mean, low, high = (None if value is None else math.exp(min(value, 700.0)) for value in interval[:3])
    return interval._replace(mean=mean, low=low, high=high)
