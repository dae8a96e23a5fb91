"""Agreement of people beyond chance: Cohen's and Fleiss' kappa, Krippendorff's alpha with any distance, overlap of evidence,
and similarity of texts compared with random pairs. An undefined value is None with a reason, never 0."""

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
"""Labels by unit and person; a unit lists only the people who labelled it."""
T = TypeVar("T")
ZERO_TOLERANCE = 1e-9
"""Largest expected disagreement that counts as 0, because of rounding."""
CELLS_PER_BLOCK = 2_000_000
"""Number of cells (resamples x units) that are computed at a time, 16 MB per array."""
_ONE_LABEL = "everybody gave one and the same label: chance explains it all"


class Agreement(NamedTuple):
    """A coefficient with its interval."""

    value: float | None
    """Coefficient: 1 = perfect agreement, 0 = agreement by chance, below 0 = worse than chance; None = undefined."""
    low: float | None
    """Lower end of the 95 % percentile bootstrap interval over units; None when no interval can be computed."""
    high: float | None
    units: int
    """Number of units with labels of at least two people."""
    people: int
    why: str = ""
    """Reason for a missing value; "" for a defined value."""

    def record(self) -> dict[str, Any]:
        """Return the coefficient as JSON values; "n" = number of units."""
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.units, "why": self.why}


class TextAgreement(NamedTuple):
    """The similarity of texts by different people on the same unit."""

    observed: Interval
    """Mean over all pairs of people on the same unit; each unit is a cluster."""
    chance: Interval
    """Mean over random pairs of texts from different units."""


class Distance(NamedTuple):
    """A distance between labels, 0..1."""

    of: Callable[[Label, Label], float]
    parts: Callable[[Any], Collection[Hashable]]
    """Parts of a label. Labels without a common part have distance 1 and are never compared."""


def masi_distance(a: Label, b: Label) -> float:
    """Return the distance of two sets, 0..1: 1 - Jaccard times 1, 2/3, 1/3 or 0 for equal, nested, overlapping or disjoint sets
    (Passonneau, LREC 2006). Two empty sets are equal. Labels are frozensets."""
    x, y = frozenset(a), frozenset(b)  # type: ignore[call-overload]
    if x == y:
        return 0.0
    return 1.0 - len(x & y) / len(x | y) * (2 / 3 if x <= y or y <= x else 1 / 3)


def ordinal(ratings: Ratings) -> Distance:
    """Return a distance for ordered labels. The distance is the squared number of labels between two labels (Krippendorff,
    Content Analysis, 2004, ch. 11), scaled to 1 for the farthest pair. Labels are numbers; resamples use the distances from all
    ratings."""
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
    """Return Krippendorff's alpha = 1 - observed / expected disagreement (Krippendorff, Content Analysis, 2004, ch. 11). Any
    number of people may label any subset of the units; units with a single label are ignored."""
    import numpy as np

    paired = _select_paired_labels(ratings)
    if not paired:
        return _undefined_agreement(ratings, "no unit was labelled by two people")
    labels = list(dict.fromkeys(label for row in paired for label in row))
    if len(labels) == 1:
        return _undefined_agreement(ratings, _ONE_LABEL)
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
    """Return Cohen's kappa of two people over the units that both labelled (Cohen, Educ. and Psychological Measurement,
    1960)."""
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
        return _correct_for_chance(weights @ same / n, expected)

    return _estimate_agreement(both, value, len(both), len(both), resamples, seed)


def fleiss(ratings: Ratings, resamples: int = RESAMPLES, seed: int = 0) -> Agreement:
    """Return Fleiss' kappa over units with equally many labels (Fleiss, Psychological Bulletin, 1971)."""
    import numpy as np

    paired = _select_paired_labels(ratings)
    if not paired:
        return _undefined_agreement(ratings, "no unit was labelled by two people")
    sizes = {len(row) for row in paired}
    if len(sizes) > 1:
        return _undefined_agreement(ratings, "not all units were labelled by equally many people: see alpha")
    labels = list(dict.fromkeys(label for row in paired for label in row))
    if len(labels) == 1:
        return _undefined_agreement(ratings, _ONE_LABEL)
    (size,) = sizes
    tables = [Counter(row) for row in paired]
    counts = np.array([[table[label] for label in labels] for table in tables], float)
    agreed = ((counts**2).sum(axis=1) - size) / (size * (size - 1))

    def value(weights: Any) -> Any:
        n = weights.sum(axis=1)
        expected = (((weights @ counts) / (n * size)[:, None]) ** 2).sum(axis=1)
        return _correct_for_chance(weights @ agreed / n, expected)

    return _estimate_agreement(ratings, value, len(paired), len(paired), resamples, seed)


def _correct_for_chance(observed: Any, expected: Any) -> Any:
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)


def span_jaccard(a: Collection[Span], b: Collection[Span]) -> float | None:
    """Return the characters marked by both people as a share of the characters marked by at least one, 0..1; None if there are
    none."""
    left, right = _join_spans(a), _join_spans(b)
    common = sum(
        max(0, min(x_end, y_end) - max(x, y))
        for document in left.keys() & right.keys()
        for x, x_end in left[document]
        for y, y_end in right[document]
    )
    either = sum(end - start for side in (left, right) for pieces in side.values() for start, end in pieces) - common
    return common / either if either else None


def compare_texts(
    texts: Mapping[str, Mapping[str, T]], score: Callable[[T, T], float | None], pairs: int = 1_000, seed: int = 0
) -> TextAgreement:
    """Return the scores of texts by different people on the same unit, and the scores of `pairs` random pairs from different
    units.

    `texts` contains the text by unit and person."""
    scored = [(unit, score(a, b)) for unit, row in texts.items() for a, b in combinations(row.values(), 2)]
    observed = bootstrap([value for _, value in scored], clusters=[unit for unit, _ in scored], resamples=RESAMPLES, seed=seed)
    every = [(unit, text) for unit, row in texts.items() for text in row.values()]
    generator = random.Random(seed)
    drawn: list[float | None] = []
    has_several_units = len({unit for unit, _ in every}) > 1
    while has_several_units and len(drawn) < pairs:
        (unit, a), (other, b) = generator.choice(every), generator.choice(every)
        if unit != other:
            drawn.append(score(a, b))
    return TextAgreement(observed, bootstrap(drawn, resamples=RESAMPLES, seed=seed))


def _select_paired_labels(ratings: Ratings) -> list[list[Label]]:
    """Return the labels of each unit with at least two labels."""
    return [list(row.values()) for row in ratings.values() if len(row) > 1]


def _count_people(ratings: Ratings) -> int:
    return len({person for row in ratings.values() for person in row})


def _undefined_agreement(ratings: Ratings, why: str) -> Agreement:
    return Agreement(None, None, None, len(_select_paired_labels(ratings)), _count_people(ratings), f"undefined, because {why}")


def _list_near_pairs(labels: Sequence[Label], distance: Distance) -> tuple[Any, Any, Any]:
    """Return (index of first label, index of second label, 1 - distance) of all ordered pairs whose distance may be below 1."""
    import numpy as np

    by_part: dict[Hashable, list[int]] = {}
    for place, label in enumerate(labels):
        for part in distance.parts(label):
            by_part.setdefault(part, []).append(place)
    pairs = {(place, place): 1.0 for place in range(len(labels))}
    for places in by_part.values():
        for a, b in combinations(places, 2):
            if (a, b) not in pairs:
                pairs[a, b] = pairs[b, a] = 1.0 - distance.of(labels[a], labels[b])
    first, second = zip(*pairs, strict=True)
    return np.array(first), np.array(second), np.array(list(pairs.values()))


def _estimate_agreement(
    ratings: Ratings, value: Callable[[Any], Any], units: int, width: int, resamples: int, seed: int
) -> Agreement:
    """Return the coefficient with its interval over resampled units. Resamples with an undefined coefficient are ignored.

    A resample takes `width` cells; CELLS_PER_BLOCK limits the number of resamples in memory."""
    import numpy as np

    (whole,) = value(np.ones((1, units)))
    if np.isnan(whole):
        return _undefined_agreement(ratings, "chance explains it all")
    if units < 2:
        return Agreement(float(whole), None, None, units, _count_people(ratings))
    height = max(1, CELLS_PER_BLOCK // width)
    blocks = times_drawn(units, resamples, seed)
    drawn = np.concatenate([value(block[row : row + height]) for block in blocks for row in range(0, len(block), height)])
    drawn = drawn[~np.isnan(drawn)]
    low, high = (float(q) for q in np.percentile(drawn, (2.5, 97.5))) if len(drawn) else (None, None)
    return Agreement(float(whole), low, high, units, _count_people(ratings))


def _join_spans(spans: Collection[Span]) -> dict[str, list[tuple[int, int]]]:
    """Return the marked (start, end) intervals by document; adjacent spans are joined."""
    joined: dict[str, list[tuple[int, int]]] = {}
    for span in sorted(spans):
        pieces = joined.setdefault(span.document, [])
        if pieces and span.start <= pieces[-1][1]:
            pieces[-1] = (pieces[-1][0], max(pieces[-1][1], span.end))
        elif span.end > span.start:
            pieces.append((span.start, span.end))
    return joined
