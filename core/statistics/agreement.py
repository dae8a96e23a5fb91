"""How far people agree beyond chance: Cohen's and Fleiss' kappa, Krippendorff's alpha with any distance, overlap of evidence,
and likeness of texts beside that of random pairs. Undefined is None with the reason, never 0; each value has its interval."""

import random
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from core.nouns import Span
from core.statistics.resampling import times_drawn
from core.statistics.statistics import Interval, bootstrap

RESAMPLES = 2_000
Label = Hashable
Ratings = Mapping[str, Mapping[str, Label]]
"""Unit -> person -> label; a person who did not see a unit is not in it."""
T = TypeVar("T")
ZERO_TOLERANCE = 1e-9
"""An expected disagreement up to here is one of 0, but for rounding."""
CELLS_PER_BLOCK = 2_000_000
"""Cells of resamples by units that are computed at a time (16 MB each array)."""


class Agreement(NamedTuple):
    """A coefficient with its interval."""

    value: float | None
    """1 = perfect, 0 = as by chance, below 0 = worse; None = undefined."""
    low: float | None
    """95 % percentile bootstrap over units; None where nothing can be resampled."""
    high: float | None
    units: int
    """Units that at least two people labelled."""
    people: int
    why: str = ""
    """Why there is no value; empty when there is one."""


class TextAgreement(NamedTuple):
    """How alike the texts of different people on one unit are."""

    observed: Interval
    """Mean over all pairs of people on one unit, a cluster a unit."""
    chance: Interval
    """The same over random pairs from different units."""


class Distance(NamedTuple):
    """How far two labels are apart."""

    of: Callable[[Label, Label], float]
    parts: Callable[[Any], Collection[Hashable]]
    """What two labels must have in common to be nearer than 1: only such pairs are ever compared."""


def masi_distance(a: Label, b: Label) -> float:
    """Distance of two sets, 0..1: 1 - Jaccard times 1, 2/3, 1/3 or 0 for equal, nested, overlapping, disjoint sets (Passonneau,
    LREC 2006). Two empty sets are equal. Labels are frozensets."""
    one, other = frozenset(a), frozenset(b)  # type: ignore[call-overload]
    if one == other:
        return 0.0
    common = len(one & other)
    weight = 2 / 3 if one <= other or other <= one else 1 / 3
    return 1.0 - common / len(one | other) * weight


def ordinal(ratings: Ratings) -> Distance:
    """Distance of two steps of a scale: how many of the labels given lie between them, squared (Krippendorff, Content Analysis,
    2004, ch. 11), the farthest pair at 1. Labels are numbers; resamples keep the distances of the whole."""
    counts = Counter(label for row in _select_paired_labels(ratings) for label in row)
    steps = sorted(counts)  # type: ignore[type-var]

    def ordinal_distance(a: Any, b: Any) -> float:
        low, high = min(a, b), max(a, b)
        return float(sum(counts[step] for step in steps if low <= step <= high) - (counts[a] + counts[b]) / 2) ** 2

    farthest = ordinal_distance(steps[0], steps[-1]) if len(steps) > 1 else 1.0
    return Distance(lambda a, b: ordinal_distance(a, b) / farthest, lambda label: (None,))


NOMINAL = Distance(lambda a, b: float(a != b), lambda label: (label,))
MASI = Distance(masi_distance, lambda label: label or (None,))


def alpha(ratings: Ratings, distance: Distance = NOMINAL, resamples: int = RESAMPLES, seed: int = 0) -> Agreement:
    """Krippendorff's alpha = 1 - observed / expected disagreement, any number of people, units may be missing for some
    (Krippendorff, Content Analysis, 2004, ch. 11). Units with one label say nothing about agreement and are left out."""
    import numpy as np

    paired = _select_paired_labels(ratings)
    if not paired:
        return _undefined_agreement(ratings, "no unit was labelled by two people")
    labels = list(dict.fromkeys(label for row in paired for label in row))
    if len(labels) == 1:
        return _undefined_agreement(ratings, "everybody gave one and the same label: chance explains it all")
    place = {label: n for n, label in enumerate(labels)}
    entries = sorted((place[label], unit, n) for unit, row in enumerate(paired) for label, n in Counter(row).items())
    of_label, of_unit, times = (np.array(column) for column in zip(*entries, strict=True))
    begins = np.flatnonzero(np.diff(of_label, prepend=-1))
    first, second, near = _list_near_pairs(labels, distance)
    sizes = np.array([len(row) for row in paired], float)
    within = np.array([2 * sum(distance.of(a, b) for a, b in combinations(row, 2)) / (len(row) - 1) for row in paired])

    def value(weights: Any) -> Any:
        n = weights @ sizes
        totals = np.add.reduceat(weights[:, of_unit] * times, begins, axis=1)
        expected = (n**2 - (totals[:, first] * totals[:, second]) @ near) / (n - 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(expected > ZERO_TOLERANCE, 1 - (weights @ within) / expected, np.nan)

    return _estimate_agreement(ratings, value, len(paired), max(len(entries), len(near)), resamples, seed)


def cohen(ratings: Ratings, a: str, b: str, resamples: int = RESAMPLES, seed: int = 0) -> Agreement:
    """Cohen's kappa of two people over the units that both labelled (Cohen, Educ. and Psychological Measurement, 1960)."""
    import numpy as np

    both = {unit: {a: row[a], b: row[b]} for unit, row in ratings.items() if a in row and b in row}
    if not both:
        return _undefined_agreement(both, f"{a} and {b} labelled no unit in common")
    labels = list(dict.fromkeys(label for row in both.values() for label in row.values()))
    if len(labels) == 1:
        return _undefined_agreement(both, "both gave one and the same label: chance explains it all")
    place = {label: n for n, label in enumerate(labels)}
    sides = np.zeros((2, len(both), len(labels)))
    for unit, row in enumerate(both.values()):
        for side, person in enumerate((a, b)):
            sides[side, unit, place[row[person]]] = 1
    same = (sides[0] * sides[1]).sum(axis=1)

    def value(weights: Any) -> Any:
        n = weights.sum(axis=1)
        expected = ((weights @ sides[0]) * (weights @ sides[1])).sum(axis=1) / n**2
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(expected < 1, (weights @ same / n - expected) / (1 - expected), np.nan)

    return _estimate_agreement(both, value, len(both), len(both), resamples, seed)


def fleiss(ratings: Ratings, resamples: int = RESAMPLES, seed: int = 0) -> Agreement:
    """Fleiss' kappa over units that equally many people labelled (Fleiss, Psychological Bulletin, 1971)."""
    import numpy as np

    paired = _select_paired_labels(ratings)
    if not paired:
        return _undefined_agreement(ratings, "no unit was labelled by two people")
    sizes = {len(row) for row in paired}
    if len(sizes) > 1:
        return _undefined_agreement(ratings, "not all units were labelled by equally many people: see alpha")
    labels = list(dict.fromkeys(label for row in paired for label in row))
    if len(labels) == 1:
        return _undefined_agreement(ratings, "everybody gave one and the same label: chance explains it all")
    (size,) = sizes
    tables = [Counter(row) for row in paired]
    counts = np.array([[table[label] for label in labels] for table in tables], float)
    agreed = ((counts**2).sum(axis=1) - size) / (size * (size - 1))

    def value(weights: Any) -> Any:
        n = weights.sum(axis=1)
        expected = (((weights @ counts) / (n * size)[:, None]) ** 2).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(expected < 1, (weights @ agreed / n - expected) / (1 - expected), np.nan)

    return _estimate_agreement(ratings, value, len(paired), len(paired), resamples, seed)


def span_jaccard(a: Collection[Span], b: Collection[Span]) -> float | None:
    """Characters that both marked, of those that either did, 0..1; None when neither marked any."""
    one, other = _characters(a), _characters(b)
    common = sum(
        max(0, min(x_end, y_end) - max(x, y))
        for document in one.keys() & other.keys()
        for x, x_end in one[document]
        for y, y_end in other[document]
    )
    either = sum(end - start for side in (one, other) for pieces in side.values() for start, end in pieces) - common
    return common / either if either else None


def compare_texts(
    texts: Mapping[str, Mapping[str, T]], score: Callable[[T, T], float | None], pairs: int = 1_000, seed: int = 0
) -> TextAgreement:
    """Unit -> person -> text, compared by `score`: people on one unit, beside `pairs` random pairs from different units."""
    found = [(unit, score(a, b)) for unit, row in texts.items() for a, b in combinations(row.values(), 2)]
    observed = bootstrap([value for _, value in found], clusters=[unit for unit, _ in found], resamples=RESAMPLES, seed=seed)
    every = [(unit, text) for unit, row in texts.items() for text in row.values()]
    chance_of = random.Random(seed)
    drawn: list[float | None] = []
    several = len({unit for unit, _ in every}) > 1
    while several and len(drawn) < pairs:
        (one, a), (other, b) = chance_of.choice(every), chance_of.choice(every)
        if one != other:
            drawn.append(score(a, b))
    chance = bootstrap(drawn, resamples=RESAMPLES, seed=seed)
    return TextAgreement(observed, chance)


def _select_paired_labels(ratings: Ratings) -> list[list[Label]]:
    """The labels of each unit that has at least two."""
    return [list(row.values()) for row in ratings.values() if len(row) > 1]


def _people(ratings: Ratings) -> int:
    return len({person for row in ratings.values() for person in row})


def _undefined_agreement(ratings: Ratings, why: str) -> Agreement:
    return Agreement(None, None, None, len(_select_paired_labels(ratings)), _people(ratings), f"undefined, because {why}")


def _list_near_pairs(labels: Sequence[Label], distance: Distance) -> tuple[Any, Any, Any]:
    """(first label, second label, 1 - their distance), by place, of all ordered pairs whose distance can be other than 1."""
    import numpy as np

    having: dict[Hashable, list[int]] = {}
    for place, label in enumerate(labels):
        for part in distance.parts(label):
            having.setdefault(part, []).append(place)
    pairs = {(place, place): 1.0 for place in range(len(labels))}
    for places in having.values():
        for one, other in combinations(places, 2):
            if (one, other) not in pairs:
                pairs[one, other] = pairs[other, one] = 1.0 - distance.of(labels[one], labels[other])
    first, second = zip(*pairs, strict=True)
    return np.array(first), np.array(second), np.array(list(pairs.values()))


def _estimate_agreement(
    ratings: Ratings, value: Callable[[Any], Any], units: int, width: int, resamples: int, seed: int
) -> Agreement:
    """The coefficient, and its interval over `resamples` draws of the units; draws in which it is undefined are left out. Only
    as many draws are held at a time as BLOCK allows where one takes `width` cells."""
    import numpy as np

    (whole,) = value(np.ones((1, units)))
    if np.isnan(whole):
        return _undefined_agreement(ratings, "chance explains it all")
    if units < 2:
        return Agreement(float(whole), None, None, units, _people(ratings))
    height = max(1, CELLS_PER_BLOCK // width)
    drawn = np.concatenate(
        [
            value(block[row : row + height])
            for block in times_drawn(units, resamples, seed)
            for row in range(0, len(block), height)
        ]
    )
    drawn = drawn[~np.isnan(drawn)]
    low, high = (float(q) for q in np.percentile(drawn, (2.5, 97.5))) if len(drawn) else (None, None)
    return Agreement(float(whole), low, high, units, _people(ratings))


def _characters(spans: Collection[Span]) -> dict[str, list[tuple[int, int]]]:
    """Document -> its marked stretches, joined where they touch."""
    joined: dict[str, list[tuple[int, int]]] = {}
    for span in sorted(spans):
        pieces = joined.setdefault(span.document, [])
        if pieces and span.start <= pieces[-1][1]:
            pieces[-1] = (pieces[-1][0], max(pieces[-1][1], span.end))
        elif span.end > span.start:
            pieces.append((span.start, span.end))
    return joined
