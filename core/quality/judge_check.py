"""Compares a judge with people: confusion matrix, kappa, true-positive and true-negative rates, and an estimate of people's
mean mark from few marks by people and many by the judge."""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from core.statistics.agreement import Agreement, cohen
from core.statistics.statistics import CONFIDENCE_LEVEL, Interval, wilson

JUDGE, PEOPLE = "the judge", "people"
MIN_HUMAN_MARKS = 10
"""Minimum number of people's marks for an estimate; with fewer marks, the spread of the marks, and so the interval, would be
unknown."""
NORMAL_QUANTILE = 1.959964
_ROUNDING = 1e-18


class JudgedPair(NamedTuple):
    """The classes (such as correct) that the judge and people gave to the same answer or claim."""

    cluster: Hashable
    judge: str
    people: str


class ClassRates(NamedTuple):
    """Precision and recall of the judge for one class, where people's marks count as the truth."""

    precision: Interval
    recall: Interval
    f1: float | None
    """Harmonic mean of precision and recall; 0 if judge and people never give the class to the same answer, None if neither
    gives the class at all."""


class JudgeCheck(NamedTuple):
    """How well one judge agrees with people."""

    n: int
    confusion: Mapping[str, Mapping[str, int]]
    """Dict from people's class to a dict from the judge's class to the number of answers; both have every class as a key."""
    kappa: Agreement
    classes: Mapping[str, ClassRates]
    tpr: Interval
    """True-positive rate: of the answers that people call positive, the share that the judge also calls positive. The interval
    is Wilson's, for independent answers."""
    tnr: Interval
    """True-negative rate: of the answers that people call negative, the share that the judge also calls negative."""


class JudgeRow(NamedTuple):
    """One answer or claim with the judge's value and, if people marked it, people's value."""

    cluster: Hashable
    judge: float
    people: float | None = None
    times: float = 1.0
    """Number of answers that this answer represents in a stratified sample."""


class CorrectedMean(NamedTuple):
    """An estimate of the mean mark that people would give, computed from their marks and the judge's values."""

    mean: float | None
    """The estimated mean, or None for the reason in `why`."""
    low: float | None
    high: float | None
    n: int
    """Number of marks by people from which the estimate is computed."""
    of: int
    """Number of values by the judge from which the estimate is computed."""
    tuning: float | None = None
    """Weight of the judge's values in the estimate: 0 = ignored, 1 = full. None for a method without a weight."""
    why: str = ""


def check_judge(pairs: Sequence[JudgedPair], classes: Sequence[str], positive: str) -> JudgeCheck:
    """Compare the judge with people over all pairs of their classes; `classes` sets the order of the table."""
    confusion = {name: dict.fromkeys(classes, 0) for name in classes}
    for pair in pairs:
        confusion[pair.people][pair.judge] += 1
    ratings = {str(n): {JUDGE: pair.judge, PEOPLE: pair.people} for n, pair in enumerate(pairs)}
    if ratings:
        kappa = cohen(ratings, JUDGE, PEOPLE)
        kappa = kappa._replace(why=kappa.why.replace("both gave", "judge and people gave"))
    else:
        kappa = Agreement(None, None, None, 0, 2, "undefined, because people graded none of the answers")
    by_class = {name: _rate_class(confusion, name) for name in classes}
    others = [name for name in classes if name != positive]
    negatives = sum(confusion[people][judge] for people in others for judge in classes)
    true_negatives = sum(confusion[people][judge] for people in others for judge in others)
    why = "" if negatives else f"people call every answer {positive}"
    tnr = wilson(true_negatives, negatives)._replace(why=why)
    return JudgeCheck(len(pairs), confusion, kappa, by_class, by_class[positive].recall, tnr)


def correct_mean(rows: Sequence[JudgeRow], low: float | None = None, high: float | None = None) -> CorrectedMean:
    """Estimate the mean mark of people by prediction-powered inference, with its interval. `low` and `high` are the ends of the
    scale.

    The estimate is people's mean over the marked rows, minus `tuning` times a difference: the judge's mean over the marked rows
    minus its mean over all rows (Angelopoulos, Bates, Fannjiang, Jordan, Zrnic, Science 382, 2023, "Mean estimation"). The
    tuning minimises the variance, within 0..1 (Angelopoulos, Duchi, Zrnic, PPI++, arXiv 2311.01453, "Power tuning"). The marked
    rows are part of all rows, so both terms share rows: the variance is that of the whole sum, by cluster, with Student's
    quantile for the clusters with a mark. The estimate is valid for any judge if the marked rows are a random sample."""
    import numpy as np
    from scipy.special import stdtrit

    marked = np.array([row.people is not None for row in rows], bool)
    n, every = int(marked.sum()), len(rows)
    groups: dict[Hashable, int] = {}
    of = np.array([groups.setdefault(row.cluster, len(groups)) for row in rows], int)
    seen = len(set(of[marked].tolist())) if n else 0
    if n < MIN_HUMAN_MARKS or seen < 2:
        return CorrectedMean(
            None, None, None, n, every, None, f"{n} human marks: {MIN_HUMAN_MARKS} are needed to correct anything"
        )
    judge = np.array([row.judge for row in rows], float)
    people = np.array([row.people or 0.0 for row in rows], float)
    times = np.where(marked, [row.times for row in rows], 0.0)
    share = times / times.sum()
    own, judged = float(share @ people), float(share @ judge)
    whole = float(judge.mean())
    a = np.bincount(of, share * (people - own), len(groups))
    b = np.bincount(of, share * (judge - judged) - (judge - whole) / every, len(groups))
    tuning = float(np.clip(a @ b / (b @ b), 0.0, 1.0)) if b @ b > _ROUNDING else 0.0
    mean = own - tuning * (judged - whole)
    error = math.sqrt(seen / (seen - 1) * float(((a - tuning * b) ** 2).sum()))
    if error < 1e-12:
        why = "no interval: judge and people agree on every answer that people marked, so the spread is unknown"
        return CorrectedMean(_clip_value(mean, low, high), None, None, n, every, tuning, why)
    half = float(stdtrit(seen - 1, (1 + CONFIDENCE_LEVEL) / 2)) * error
    ends = (_clip_value(mean - half, low, high), _clip_value(mean + half, low, high))
    return CorrectedMean(_clip_value(mean, low, high), *ends, n, every, tuning)


def rogan_gladen(positive: int, n: int, tpr: Interval, tnr: Interval) -> CorrectedMean:
    """Estimate the share of answers that people would call positive. The estimate is computed from the share that the judge
    calls positive among `n` answers, and from the judge's two rates: (share + tnr - 1) / (tpr + tnr - 1) (Rogan, Gladen,
    American Journal of Epidemiology 107, 1978, pp. 71-76).

    The interval uses the variance given by Rogan and Gladen, which includes the uncertainty of both rates. The method assumes
    that the judge's rates are constant, and returns no estimate for a judge that is no better than chance."""
    marks = tpr.n + tnr.n
    if tpr.mean is None or tnr.mean is None or not n:
        return CorrectedMean(
            None, None, None, marks, n, why="people call every answer the same, so one of the two rates is unknown"
        )
    informedness = tpr.mean + tnr.mean - 1
    if informedness <= 0:
        return CorrectedMean(
            None,
            None,
            None,
            marks,
            n,
            why="undefined, because the judge separates positive from negative answers no better than chance",
        )
    share = positive / n
    estimate = (share + tnr.mean - 1) / informedness
    inside = _clip_value(estimate, 0.0, 1.0)
    variance = (
        share * (1 - share) / n
        + (1 - inside) ** 2 * tnr.mean * (1 - tnr.mean) / tnr.n
        + inside**2 * tpr.mean * (1 - tpr.mean) / tpr.n
    ) / informedness**2
    half = NORMAL_QUANTILE * math.sqrt(variance)
    return CorrectedMean(inside, max(0.0, estimate - half), min(1.0, estimate + half), marks, n)


def _rate_class(confusion: Mapping[str, Mapping[str, int]], name: str) -> ClassRates:
    hits = confusion[name][name]
    judged, actual = sum(row[name] for row in confusion.values()), sum(confusion[name].values())
    precision = wilson(hits, judged)._replace(why="" if judged else f"the judge calls no answer {name}")
    recall = wilson(hits, actual)._replace(why="" if actual else f"people call no answer {name}")
    return ClassRates(precision, recall, 2 * hits / (judged + actual) if judged + actual else None)


def _clip_value(value: float, low: float | None, high: float | None) -> float:
    value = value if low is None else max(low, value)
    return value if high is None else min(high, value)
