"""Chooses which answers people mark next. Answers are put into strata by the scores that a metric gave them. People mark random
answers of every stratum, and more of the strata where marks are expected to differ most. The mean mark over all answers is
estimated by stratified prediction-powered inference, with two intervals: one is valid for a number of marks that was fixed in
advance, the other however often people look at the result.

The estimated value is the mean mark that people would give if they marked every one of these answers. A unit is an answer, or a
pair of answers of two systems to the same question."""

import heapq
import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from core.statistics.statistics import CONFIDENCE_LEVEL

MIN_EACH = 3
"""Number of units that people mark in every stratum first, before further marks are allocated to strata."""
MIN_MARKED = 20
"""Least number of marked units at which an interval is given and marking may stop."""
_PRIOR_MARKS = 3.0
"""Weight of the spread over all strata in the estimated spread of one stratum, as a number of marks."""
_GUESS_MARKS = 50.0
"""Weight of the spread that the scores suggest when marks are allocated to strata, as a number of marks. With a low weight,
strata whose first marks happen to agree get no more marks, and intervals miss the true mean too often."""
_PLANNED_MARKS = 100
"""Number of marks at which the interval that is valid at every look is narrowest. This number is fixed, because a number that
depends on the marks would make the interval invalid."""
_MIN_SHARE = 0.04
"""Strata with less than this share of all units are joined into one stratum."""
_DISTINCT = 5
"""If there are at most this many different scores, each score forms a separate stratum."""
_GUESSED_SHARE = 0.7
"""Weight (0 to 1) of the spread that the scores suggest; the rest of the weight is on an equal spread in all strata."""
_TIMED_UNITS = 10.0
"""Weight of the mean time over all strata in the estimated time of one stratum, as a number of units."""

Verdict = Literal["too few", "go on", "above", "below", "narrow"]


class MarkingFrame(NamedTuple):
    """All units whose mean is estimated, in strata."""

    codes: Any
    """Index into `names` of each unit's stratum, as an integer array (units,)."""
    names: Sequence[str]
    scores: Any
    """Score of each unit, or difference of the unit's two scores, as a float array (units,). The value is 0 for a unit without
    a score. If the metric's scale differs from the scale of the marks, the scores only determine the strata, and all values are
    0."""
    guess: Any
    """Spread of the marks that the scores suggest, relative to the mean of all units, as a float array (strata,)."""
    scale: float
    """Length of the scale of a unit's value, which is a mark or a difference of two marks."""
    zeros: int = 0
    """Number of further units whose value is known to be 0 without a mark; these count in the mean and are in no stratum."""

    @property
    def sizes(self) -> Any:
        """Return the number of units in each stratum, as an integer array (strata,)."""
        import numpy as np

        return np.bincount(self.codes, minlength=len(self.names))


class MarkedStrata(NamedTuple):
    """Statistics of each stratum, computed from the marks so far; arrays have the shape (strata,)."""

    sizes: Any
    marked: Any
    """Number of marked units."""
    variances: Any
    """Variance of a mark around the value that the score predicts, shrunk towards the variance over all strata."""
    pooled: float
    """Variance over all strata."""
    tuning: float
    """Weight of the scores in the estimate, from 0 = ignored to 1 = full."""
    mean: float | None
    """Estimated mean over all units; None if a stratum has no mark."""
    total: int
    """Number of all units, including those whose value is known without a mark."""


class MarkingInterval(NamedTuple):
    """An estimated mean mark with two 95 % intervals, whose ends are None if there are too few marks."""

    mean: float | None
    low: float | None
    """Lower end of the interval for a number of marks that was fixed before marking."""
    high: float | None
    always_low: float | None
    """Lower end of the interval that is valid at all looks together, so that this interval may decide when marking stops."""
    always_high: float | None


class MarkingForecast(NamedTuple):
    """Forecast of the time and of the intervals for further marking, if spreads and times stay as they are."""

    units: int
    """Number of further units to mark."""
    seconds: float | None
    """Time for marking the further units; None if the time is known for no mark."""
    half: float
    """Half of the width of the expected interval for a fixed number of marks."""
    always: float
    """Half of the width of the expected interval that is valid at every look."""


def build_frame(scores: Sequence[Any], names: Sequence[str], low: float, high: float, zeros: int = 0) -> MarkingFrame:
    """Put units into strata by their scores. `scores` has a float array (units,) for one system, or two arrays for a pair of
    systems, NaN = no score; `names` are the systems' names, `low` and `high` the ends of the scale of a mark; `zeros` is the
    number of further units with the value 0.

    Each system's scores are cut into their different values if there are up to five, else into groups of about equal size: five
    for one system, three for each of two. A stratum is a combination of such groups of scores; strata with less than 4 % of the
    units are joined into one stratum. The guess of a stratum's spread is the mean of p (1 - p) over its scores p, on a scale
    from 0 to 1: the variance of a mark if the score is the chance of a right answer (Fisch et al., Stratified
    Prediction-Powered Inference, arXiv 2406.04291, use it to allocate marks), averaged with equal spread."""
    import numpy as np

    columns = [np.asarray(values, float) for values in scores]
    codes, labels = np.zeros(len(columns[0]), np.int64), [""]
    for values, name in zip(columns, names, strict=True):
        own, words = _cut_scores(values, 5 if len(columns) == 1 else 3)
        codes = codes * len(words) + own
        labels = [", ".join(filter(None, (label, f"{name} {word}".strip()))) for label in labels for word in words]
    codes, strata = _join_small(codes, labels)
    present = [values[~np.isnan(values)] for values in columns]
    is_on_scale = all(((values >= low) & (values <= high)).all() for values in present)
    scale = (high - low) * len(columns)
    if not is_on_scale:
        return MarkingFrame(codes, strata, np.zeros(len(codes)), np.ones(len(strata)), scale, zeros)
    shares = [np.nan_to_num((values - low) / (high - low), nan=0.5) for values in columns]
    unsure = np.bincount(codes, sum(share * (1 - share) for share in shares), len(strata))
    sizes, sum_unsure = np.bincount(codes, minlength=len(strata)), float(unsure.sum())
    shape = unsure / np.maximum(sizes, 1) / (sum_unsure / len(codes)) if sum_unsure > 0 else np.ones(len(strata))
    value = columns[0] - columns[1] if len(columns) == 2 else columns[0]
    guess = 1 - _GUESSED_SHARE + _GUESSED_SHARE * shape
    return MarkingFrame(codes, strata, np.nan_to_num(value, nan=0.0), guess, scale, zeros)


def group_units(labels: Sequence[str], scale: float, zeros: int = 0) -> MarkingFrame:
    """Put units without scores into strata by a label of each unit. `scale` is the length of the scale of a unit's value."""
    import numpy as np

    names, codes = np.unique(np.array(labels), return_inverse=True)
    joined, strata = _join_small(codes, names.tolist())
    return MarkingFrame(joined, strata, np.zeros(len(codes)), np.ones(len(strata)), scale, zeros)


def _cut_scores(values: Any, parts: int) -> tuple[Any, list[str]]:
    """Return the group of each score, and the names of the groups; the last one has the units without a score."""
    import numpy as np

    has_score = ~np.isnan(values)
    distinct, places = np.unique(values[has_score], return_inverse=True)
    starts = np.arange(len(distinct))
    if len(distinct) > _DISTINCT:
        counts = np.bincount(places)
        middles = (np.cumsum(counts) - counts / 2) / len(places)
        starts = np.unique(np.floor(middles * parts), return_index=True)[1]
    ends = [*starts[1:], len(distinct)]
    words = [
        f"{distinct[start]:.3g}" if end - start == 1 else f"{distinct[start]:.3g} to {distinct[end - 1]:.3g}"
        for start, end in zip(starts, ends, strict=True)
    ]
    codes = np.full(len(values), len(words), np.int64)
    codes[has_score] = np.searchsorted(starts, places, side="right") - 1
    return codes, [*words, "no score"]


def _join_small(codes: Any, labels: Sequence[str]) -> tuple[Any, list[str]]:
    """Return the codes and names of the strata that have units, the small ones joined into one."""
    import numpy as np

    counts = np.bincount(codes, minlength=len(labels))
    large = [n for n in range(len(labels)) if counts[n] and counts[n] >= _MIN_SHARE * len(codes)]
    small = [n for n in range(len(labels)) if counts[n] and n not in large]
    index = np.full(len(labels), len(large), np.int64)
    index[large] = np.arange(len(large))
    joined = [labels[small[0]] if len(small) == 1 else "others"] if small else []
    return index[codes], [*(labels[n] for n in large), *joined]


def measure_strata(frame: MarkingFrame, marks: Any) -> MarkedStrata:
    """Estimate the mean over all units, and the spread of marks in each stratum. `marks` has people's value of each unit as a
    float array (units,), NaN = unmarked. The marked units of a stratum must be a random sample of it.

    The estimate is the sum over strata of W (mean mark - t (mean score of the marked units - mean score of all units)), where W
    is the stratum's share of all units (Fisch et al., arXiv 2406.04291); t minimises the variance, within 0..1, and is the same
    in all strata (PPI++, arXiv 2311.01453, "Power tuning"). The variance of a stratum is shrunk towards the variance over all
    strata. Both variances include one imaginary mark that is half of the scale away from the mean, divided among the strata by
    size; without this mark, a few equal marks would give a variance of 0."""
    import numpy as np

    has_mark = ~np.isnan(marks)
    strata, of = len(frame.names), frame.codes[has_mark]
    y, f = marks[has_mark], frame.scores[has_mark]
    sizes, marked = frame.sizes, np.bincount(of, minlength=strata)
    total, safe = len(frame.codes) + frame.zeros, np.maximum(marked, 1)
    mean_y, mean_f = (np.bincount(of, values, strata) / safe for values in (y, f))
    centred_y, centred_f = y - mean_y[of], f - mean_f[of]
    worth = sizes**2 * np.maximum(1 / safe - 1 / sizes, 0) / np.maximum(marked - 1, 1)
    both, own = (float((worth[of] * centred_f * other).sum()) for other in (centred_y, centred_f))
    tuning = min(1.0, max(0.0, both / own)) if own > 1e-12 and len(y) >= MIN_MARKED else 0.0
    squares = np.bincount(of, (centred_y - tuning * centred_f) ** 2, strata)
    free, shares = np.maximum(marked - 1, 0), sizes / max(len(frame.codes), 1)
    apart = (frame.scale / 2) ** 2
    pooled = (float(squares.sum()) + apart) / (float(free.sum()) + 1)
    variances = (squares + shares * apart + _PRIOR_MARKS * pooled) / (free + shares + _PRIOR_MARKS)
    sums = sizes * (mean_y - tuning * mean_f) + tuning * np.bincount(frame.codes, frame.scores, strata)
    mean = None if not total or (marked == 0).any() else float(sums.sum()) / total
    return MarkedStrata(sizes, marked, variances, pooled, tuning, mean, total)


def _halve(frame: MarkingFrame, state: MarkedStrata, marked: Any) -> tuple[float, float]:
    """Return half the width of the interval for a fixed number of marks, and half the width of the interval that is valid at
    every look, with `marked` units in each stratum.

    The first has Student's quantile, with Satterthwaite's degrees of freedom. The second is the normal mixture of Robbins as an
    asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, arXiv 2103.06476): with the information I = 1
    / error² and a constant r, sqrt((I + r) (log((I + r) / r) - 2 log alpha)) / I. This interval is valid at all looks because
    stratified means of growing samples move like sums, whatever the allocation: the covariance of an estimate with a later one
    is the variance of the later one. The interval is least reliable after few marks. Therefore half a mark that is half of the
    scale away is added to each stratum, and the error is increased by the ratio of Student's quantile to the normal
    quantile."""
    import numpy as np
    from scipy.special import ndtri, stdtrit

    n, alpha = np.maximum(marked, 1), 1 - CONFIDENCE_LEVEL
    free = n - 1 + _PRIOR_MARKS
    worth = (state.sizes / state.total) ** 2 * np.maximum(1 / n - 1 / state.sizes, 0)
    parts = worth * state.variances
    variance = float(parts.sum())
    if variance == 0:
        return 0.0, 0.0
    quantile = float(stdtrit(variance**2 / float((parts**2 / free).sum()), 1 - alpha / 2))
    careful = float((worth * (state.variances * free + 0.5 * (frame.scale / 2) ** 2) / (free + 0.5)).sum())
    information = (float(ndtri(1 - alpha / 2)) / quantile) ** 2 / careful
    bits = -2 * math.log(alpha)
    r = _PLANNED_MARKS / (0.4 * frame.scale) ** 2 / (bits + math.log(bits) + 1)
    always = math.sqrt((information + r) * (math.log((information + r) / r) + bits)) / information
    return math.sqrt(variance) * quantile, always


def estimate_interval(frame: MarkingFrame, state: MarkedStrata) -> MarkingInterval:
    """Return the estimated mean with both intervals. The interval is missing if fewer than MIN_MARKED units, and
    not all units, are marked."""
    mean = state.mean
    if mean is None or (state.marked.sum() < MIN_MARKED and (state.marked < state.sizes).any()):
        return MarkingInterval(mean, None, None, None, None)
    half, always = _halve(frame, state, state.marked)
    return MarkingInterval(mean, mean - half, mean + half, mean - always, mean + always)


def reverse_interval(interval: MarkingInterval) -> MarkingInterval:
    """Return the interval for the difference b - a, given the interval for a - b."""
    mean, low, high, always_low, always_high = (None if end is None else -end for end in interval)
    return MarkingInterval(mean, high, low, always_high, always_low)


def judge_interval(interval: MarkingInterval, width: float, *, is_difference: bool) -> Verdict:
    """Return whether marking may stop, as the interval that is valid at every look shows: the difference is above or below 0,
    or half of the interval's width is at most `width`. The chance that a difference of 0 is ever reported as above or below 0
    is at most 5 %, however often people look at the result."""
    if interval.always_low is None or interval.always_high is None:
        return "too few"
    if is_difference and interval.always_low > 0:
        return "above"
    if is_difference and interval.always_high < 0:
        return "below"
    return "narrow" if (interval.always_high - interval.always_low) / 2 <= width else "go on"


def allocate_marks(frame: MarkingFrame, state: MarkedStrata, taken: Any, seconds: Any, units: int) -> Any:
    """Return how many further units of each stratum people should mark, as an integer array (strata,) with the sum `units`, or
    less if fewer are left. `taken` is the number of units in each stratum that were drawn before, `seconds` the time that one
    takes; both arrays (strata,).

    Each unit is allocated to the stratum where it reduces the variance most per second. The variance of a stratum's part is W²
    s² / n, so that shares are proportional to W s / sqrt(seconds) (Neyman 1934; Cochran, Sampling Techniques, 1977, section
    5.5). Every stratum first gets MIN_EACH and half of its proportional share. s² is the variance of the marks so far, shrunk
    towards the variance that the scores suggest."""
    import numpy as np

    more, left = np.zeros(len(state.sizes), np.int64), state.sizes - taken
    free = np.maximum(state.marked - 1, 0)
    spread = (state.variances * free + _GUESS_MARKS * frame.guess * state.pooled) / (free + _GUESS_MARKS)
    worth = (state.sizes / state.total) ** 2 * spread / seconds
    shares = state.sizes / max(int(state.sizes.sum()), 1) * (int(state.marked.sum()) + units)
    least = np.maximum(MIN_EACH, np.floor(shares / 2))

    def rank(h: int) -> tuple[bool, float, int]:
        n = int(state.marked[h] + more[h])
        return bool(n >= least[h]), -float(worth[h]) / max(n * (n + 1), 0.5), h

    queue = [rank(h) for h in range(len(more)) if left[h] > 0]
    heapq.heapify(queue)
    for _ in range(units):
        if not queue:
            break
        h = queue[0][2]
        more[h] += 1
        if more[h] < left[h]:
            heapq.heapreplace(queue, rank(h))
        else:
            heapq.heappop(queue)
    return more


def draw_units(codes: Any, taken: Any, more: Any, seed: int) -> Any:
    """Return the indices of the next units that people mark, in a random order. From each stratum h, `more[h]` random units are
    drawn that are not in `taken`, a bool array (units,). Each unit that is left in a stratum has the same chance, so that all
    units ever drawn from a stratum are a random sample of it. The same seed and the same units taken give the same draw."""
    import numpy as np

    places = np.random.default_rng([int(taken.sum()), seed]).random(len(codes))
    chosen = [np.zeros(0, np.int64)]
    for h in np.flatnonzero(more):
        own = np.flatnonzero((codes == h) & ~taken)
        chosen.append(own[np.argsort(places[own])[: more[h]]])
    picked = np.concatenate(chosen)
    return picked[np.argsort(places[picked])]


def estimate_seconds(frame: MarkingFrame, seconds: Any) -> Any | None:
    """Return the time that a unit of each stratum takes, as a float array (strata,), shrunk towards the time of all. `seconds`
    has the recorded time of each unit as an array (units,), NaN = no time recorded; the result is None if no time is recorded
    for any unit."""
    import numpy as np

    is_timed = ~np.isnan(seconds)
    if not is_timed.any() or float(seconds[is_timed].sum()) <= 0:
        return None
    of, strata = frame.codes[is_timed], len(frame.names)
    sums, counts = np.bincount(of, seconds[is_timed], strata), np.bincount(of, minlength=strata)
    return (sums + _TIMED_UNITS * float(seconds[is_timed].mean())) / (counts + _TIMED_UNITS)


def forecast_marks(
    frame: MarkingFrame, state: MarkedStrata, taken: Any, seconds: Any | None, steps: Sequence[int]
) -> list[MarkingForecast]:
    """Return one forecast for each number of further units in `steps`. Numbers above the number of unmarked units give one
    forecast together, for all unmarked units. `seconds` is the time of one unit in each stratum, or None if it is not known."""
    import numpy as np

    even = np.ones(len(frame.names))
    forecasts: dict[int, MarkingForecast] = {}
    for units in steps:
        more = allocate_marks(frame, state, taken, even if seconds is None else seconds, units)
        half, always = _halve(frame, state, state.marked + more)
        spent = None if seconds is None else float((more * seconds).sum())
        forecasts[int(more.sum())] = MarkingForecast(int(more.sum()), spent, half, always)
    return list(forecasts.values())
