"""A judge against people: confusion of the two, kappa, true-positive and true-negative rates, and the mean that people would
have given, estimated from a few of their marks and all of the judge's, beside the judge's own."""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from core.statistics.agreement import Agreement, cohen
from core.statistics.statistics import LEVEL, Interval, wilson

JUDGE, PEOPLE = "the judge", "people"
MIN_HUMAN_MARKS = 10
"""Human marks below which nothing is corrected: the interval would rest on a spread that nobody knows."""
NORMAL_QUANTILE = 1.959964
_ROUNDING = 1e-18


class JudgedPair(NamedTuple):
    """What both said of one answer or claim."""

    cluster: Hashable
    judge: str
    people: str


class ClassRates(NamedTuple):
    """How the judge does on one class, taking people for right."""

    precision: Interval
    recall: Interval
    f1: float | None
    """Their harmonic mean, from the counts, so that it is 0 where nothing is hit; None where neither calls any so."""


class JudgeCheck(NamedTuple):
    """One judge against people."""

    n: int
    confusion: Mapping[str, Mapping[str, int]]
    """People's class -> judge's class -> how many; every class on both sides."""
    kappa: Agreement
    classes: Mapping[str, ClassRates]
    tpr: Interval
    """Of those that people call positive, the share that the judge does; interval by Wilson, each pair for itself."""
    tnr: Interval
    """Of those that people do not, the share that the judge does not either."""


class JudgeRow(NamedTuple):
    """One answer or claim with the judge's value, and people's where they gave one."""

    cluster: Hashable
    judge: float
    people: float | None = None
    times: float = 1.0
    """How many it stands for where it was drawn by strata."""


class CorrectedMean(NamedTuple):
    """A mean of people's marks that the judge's help to estimate."""

    mean: float | None
    """None, and `why` says why."""
    low: float | None
    high: float | None
    n: int
    """Marks of people."""
    of: int
    """Values of the judge."""
    tuning: float | None = None
    """How far the judge is heeded: 0 = not at all, 1 = in full. None where it is no matter of degree."""
    why: str = ""


def check_judge(pairs: Sequence[JudgedPair], classes: Sequence[str], positive: str) -> JudgeCheck:
    """All of it; `classes` in the order of a table."""
    confusion = {of: dict.fromkeys(classes, 0) for of in classes}
    for pair in pairs:
        confusion[pair.people][pair.judge] += 1
    ratings = {str(n): {JUDGE: pair.judge, PEOPLE: pair.people} for n, pair in enumerate(pairs)}
    if ratings:
        kappa = cohen(ratings, JUDGE, PEOPLE)
        kappa = kappa._replace(why=kappa.why.replace("both gave", "judge and people gave"))
    else:
        kappa = Agreement(None, None, None, 0, 2, "undefined, because people graded none of it")
    by_class = {name: _of_class(confusion, name) for name in classes}
    others = [name for name in classes if name != positive]
    negatives = sum(confusion[of][said] for of in others for said in classes)
    right = sum(confusion[of][said] for of in others for said in others)
    tnr = wilson(right, negatives)._replace(why="" if negatives else f"people call none of them other than {positive}")
    return JudgeCheck(len(pairs), confusion, kappa, by_class, by_class[positive].recall, tnr)


def correct_mean(
    rows: Sequence[JudgeRow], low: float | None = None, high: float | None = None, level: float = LEVEL
) -> CorrectedMean:
    """Prediction-powered mean with its interval: people's mean over what they marked, less `tuning` times what the judge's mean
    there differs from its mean over everything (Angelopoulos, Bates, Fannjiang, Jordan, Zrnic, Science 382, 2023, "Mean
    estimation"; the tuning that makes the variance least, kept within 0..1, is that of Angelopoulos, Duchi, Zrnic, PPI++,
    arXiv 2311.01453, "Power tuning"). What was marked is a part of everything, so that both terms share rows: the variance is
    that of the whole sum, by cluster, and the quantile is Student's for the clusters with a mark. It is right whatever the
    judge is worth, as long as what people marked was drawn by chance. `low` and `high` are the ends of the scale."""
    import numpy as np

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
        why = "no interval: people and judge say the same of all that people marked, which tells nothing of the spread"
        return CorrectedMean(_clip_value(mean, low, high), None, None, n, every, tuning, why)
    half = _student(seen - 1, level) * error
    ends = (_clip_value(mean - half, low, high), _clip_value(mean + half, low, high))
    return CorrectedMean(_clip_value(mean, low, high), *ends, n, every, tuning)


def rogan_gladen(positive: int, n: int, tpr: Interval, tnr: Interval) -> CorrectedMean:
    """The share that people would call positive, from the judge's share among n, its true-positive and its true-negative rate:
    (share + tnr - 1) / (tpr + tnr - 1) (Rogan, Gladen, American Journal of Epidemiology 107, 1978, pp. 71-76); its interval by
    their variance, which counts that both rates are estimates. It takes the rates for the same everywhere. Undefined for a
    judge that is no better than chance."""
    marks = tpr.n + tnr.n
    if tpr.mean is None or tnr.mean is None or not n:
        return CorrectedMean(
            None, None, None, marks, n, why="people call all of them the same: one of the two rates is not known"
        )
    told = tpr.mean + tnr.mean - 1
    if told <= 0:
        return CorrectedMean(
            None, None, None, marks, n, why="undefined, because the judge tells them apart no better than chance"
        )
    share = positive / n
    found = (share + tnr.mean - 1) / told
    inside = min(1.0, max(0.0, found))
    variance = (
        share * (1 - share) / n
        + (1 - inside) ** 2 * tnr.mean * (1 - tnr.mean) / tnr.n
        + inside**2 * tpr.mean * (1 - tpr.mean) / tpr.n
    ) / told**2
    half = NORMAL_QUANTILE * math.sqrt(variance)
    return CorrectedMean(inside, max(0.0, found - half), min(1.0, found + half), marks, n)


def _of_class(confusion: Mapping[str, Mapping[str, int]], name: str) -> ClassRates:
    hits = confusion[name][name]
    said, there = sum(row[name] for row in confusion.values()), sum(confusion[name].values())
    precision = wilson(hits, said)._replace(why="" if said else f"the judge calls none of them {name}")
    recall = wilson(hits, there)._replace(why="" if there else f"people call none of them {name}")
    return ClassRates(precision, recall, 2 * hits / (said + there) if said + there else None)


def _student(degrees: int, level: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + level) / 2))


def _clip_value(value: float, low: float | None, high: float | None) -> float:
    value = value if low is None else max(low, value)
    return value if high is None else min(high, value)
