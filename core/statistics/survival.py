"""Estimates how long answers stay right from checks at a few dates. A check shows only whether an answer has changed by then,
so the time of each change is known as an interval (interval censoring: Turnbull 1976; with one check, current status data)."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

MIN_ANSWERS = 5
"""Minimum number of answers for an estimate."""
MIN_CHANGED_FOR_WEIBULL = 20
"""Minimum number of changed answers from which a Weibull distribution may be chosen."""
CHI_SQUARE = 3.841459
"""95 % point of the chi-square distribution with one degree of freedom."""
STRICT_CHI_SQUARE = 6.634897
"""99 % point. A Weibull distribution that is chosen by chance extrapolates badly, so that the choice needs a strict test."""
_BOUND = -math.log(0.05)
"""About 3: with no change in a time t of all answers together, the rate is below 3 / t with 95 % confidence (rule of three)."""
_LOW_SHAPE, _HIGH_SHAPE = 0.2, 5.0
"""Bounds of Weibull's shape."""
_GOLDEN = (math.sqrt(5) - 1) / 2

SurvivalModel = Literal["exponential", "weibull"]


class ChangeInterval(NamedTuple):
    """When an answer changed: after `low` days and within `high` days; None = it had not changed `low` days after its date."""

    low: float
    high: float | None
    cluster: Hashable
    """Answers of one cluster, such as those from one row of a table, may change together."""


class TimeEstimate(NamedTuple):
    """Days until a share of the answers has changed, with a 95 % interval."""

    days: float | None
    """None = not known, because no answer or every answer changed, or because there are too few."""
    low: float | None
    """Lower end of the interval, or a lower bound if no answer changed; None = there is none."""
    high: float | None
    """Upper end of the interval, or an upper bound if all answers changed; None = there is none."""


@dataclass(frozen=True, slots=True)
class SurvivalFit:
    """A distribution of the time until an answer changes, fitted by maximum likelihood."""

    model: SurvivalModel | None
    """None = there is no estimate; `why` has the reason."""
    shape: float
    """Weibull's shape: 1 = a constant rate of change (exponential), below 1 = the rate falls, above 1 = the rate grows."""
    n: int
    changed: int
    """Number of answers that changed."""
    clusters: int
    design: float
    """Design effect (1 or more): by how much clusters of answers that change together widen the interval, as a factor of the
    variance."""
    why: str
    """Sentence that says why there is no estimate, or no interval; "" if there are both."""
    estimate: Callable[[float], TimeEstimate]
    """Returns the days until a share (0..1, both excluded) of the answers has changed."""

    def share_changed(self, days: float) -> float | None:
        """Return the expected share (0..1) of answers that have changed after so many days; None without an estimate."""
        half = self.estimate(0.5).days if self.model else None
        return None if half is None else -math.expm1(-math.log(2) * (days / half) ** self.shape)


def fit_survival(answers: Sequence[ChangeInterval]) -> SurvivalFit:
    """Fit an exponential distribution to the times at which answers changed or, if at least two dates tell them apart, a
    Weibull distribution.

    The likelihood of an answer is S(low) - S(high) if it changed, else S(low), with S(t) = exp(-rate * t^shape). The Weibull
    distribution is chosen if at least 20 answers changed and the likelihood ratio test rejects shape = 1 at 1 %. Intervals are
    profile likelihood intervals. For answers in clusters, the chi-square limit of interval and test is multiplied by the design
    effect, the ratio of the variance of the score between clusters to the variance that independent answers would have
    (Chandler, Bate 2007, for one parameter). If no answer changed, there is only the bound -log(0.05) / time, for which each
    cluster counts once."""
    import numpy as np

    usable = [one for one in answers if (one.low > 0 if one.high is None else one.high > one.low)]
    names: dict[Hashable, int] = {}
    of = np.array([names.setdefault(one.cluster, len(names)) for one in usable], np.intp)
    n, changed = len(usable), sum(one.high is not None for one in usable)

    def give(
        model: SurvivalModel | None, estimate: Callable[[float], TimeEstimate], why: str = "", **more: float
    ) -> SurvivalFit:
        shape, design = more.get("shape", 1.0), more.get("design", 1.0)
        return SurvivalFit(model, shape, n, changed, len(names), design, why, lru_cache(estimate))

    if n < MIN_ANSWERS:
        return give(None, lambda share: TimeEstimate(None, None, None), f"{n} of at least {MIN_ANSWERS} answers: too few.")
    low = np.array([one.low for one in usable], np.float64)
    high = np.array([math.inf if one.high is None else one.high for one in usable], np.float64)
    if not changed:
        exposed = np.zeros(len(names))
        np.maximum.at(exposed, of, low)
        rate = _BOUND / float(exposed.sum()) if exposed.any() else math.inf
        return give(None, lambda share: TimeEstimate(None, -math.log1p(-share) / rate, None), "No answer changed: a bound.")
    if not low.any():
        first = np.full(len(names), math.inf)
        np.minimum.at(first, of, high)
        rate = _solve(lambda r: float(np.log(-np.expm1(-r * first)).sum()) + _BOUND, 1e-9 / first.max(), 1e3 / first.min())
        return give(None, lambda share: TimeEstimate(None, None, -math.log1p(-share) / rate), "Every answer changed: a bound.")
    sample = _Sample(low, high)
    rate = sample.find_rate(1.0)
    design = sample.measure_design(rate, of, len(names))
    limit = CHI_SQUARE * design / 2
    shape = 1.0
    if changed >= MIN_CHANGED_FOR_WEIBULL and len({*low[low > 0], *high[np.isfinite(high)]}) > 1:
        free = _maximise(lambda k: sample.measure(sample.find_rate(k), k))
        if sample.measure(sample.find_rate(free), free) - sample.measure(rate, 1.0) > STRICT_CHI_SQUARE * design / 2:
            shape, rate = free, sample.find_rate(free)
    top = sample.measure(rate, shape)

    def estimate(share: float) -> TimeEstimate:
        hazard = -math.log1p(-share)
        best = (hazard / rate) ** (1 / shape)

        def measure_loss(days: float) -> float:
            if shape == 1.0:
                return top - sample.measure(hazard / days, 1.0) - limit
            chosen = _maximise(lambda k: sample.measure(hazard / days**k, k))
            return top - sample.measure(hazard / days**chosen, chosen) - limit

        if len(names) < 2:
            return TimeEstimate(best, None, None)
        ends = [end if measure_loss(end) > 0 else None for end in (best / 1e4, best * 1e4)]
        low_end, high_end = (None if end is None else _solve(measure_loss, best, end) for end in ends)
        return TimeEstimate(best, low_end, high_end)

    why = "" if len(names) > 1 else "All answers are one cluster: no interval."
    return give("exponential" if shape == 1.0 else "weibull", estimate, why, shape=shape, design=design)


class _Sample:
    """The likelihood of a sample; `low` and `high` are arrays of days, and infinity stands for "not changed"."""

    def __init__(self, low: Any, high: Any) -> None:
        import numpy as np

        self._changed = np.isfinite(high)
        self._low, self._high = low, high

    def measure(self, rate: float, shape: float) -> float:
        """Return the log likelihood of S(t) = exp(-rate * t^shape)."""
        import numpy as np

        start, width = self._power(shape)
        with np.errstate(divide="ignore", under="ignore"):
            return float(np.log(-np.expm1(-rate * width)).sum() - rate * start.sum())

    def find_rate(self, shape: float) -> float:
        """Return the rate with the highest likelihood for this shape; the derivative falls with the rate, so that it is 0
        once."""
        import numpy as np

        start, width = self._power(shape)
        total = float(start.sum())

        def slope(rate: float) -> float:
            with np.errstate(over="ignore"):
                return float((width / np.expm1(rate * width)).sum()) - total

        return _solve(slope, 1e-12 / float(width.max()), 1e3 / float(width.min()))

    def measure_design(self, rate: float, of: Any, clusters: int) -> float:
        """Return the design effect of the clusters at this rate, at least 1; `of` has the number of each answer's cluster."""
        import numpy as np

        if clusters in (1, len(of)):
            return 1.0
        width = np.where(self._changed, self._high - self._low, 0.0)
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            grown = np.expm1(rate * width)
            scores = np.where(self._changed, width / grown, 0.0) - self._low
            bends = np.where(self._changed, width**2 * (grown + 1) / grown**2, 0.0)
        sums = np.zeros(clusters)
        np.add.at(sums, of, scores)
        return max(1.0, float((sums**2).sum() / bends.sum()) * clusters / (clusters - 1))

    def _power(self, shape: float) -> tuple[Any, Any]:
        start = self._low**shape
        return start, self._high[self._changed] ** shape - start[self._changed]


def _solve(value: Callable[[float], float], start: float, end: float) -> float:
    """Return the positive number between `start` and `end` at which `value` changes its sign, by bisection of its logarithm."""
    low, high = math.log(start), math.log(end)
    is_above = value(start) > 0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (value(math.exp(middle)) > 0) == is_above else (low, middle)
    return math.exp((low + high) / 2)


def _maximise(value: Callable[[float], float]) -> float:
    """Return the shape at which `value` is highest, by golden section search of its logarithm."""
    low, high = math.log(_LOW_SHAPE), math.log(_HIGH_SHAPE)
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = value(math.exp(left)), value(math.exp(right))
    for _ in range(30):
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = value(math.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = value(math.exp(right))
    return math.exp((low + high) / 2)
