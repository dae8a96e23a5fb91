"""Agreement of people beyond chance: Cohen's and Fleiss' kappa, Krippendorff's alpha with any distance, overlap of evidence,
and similarity of texts compared with random pairs. An undefined value is None with a reason, never 0."""

import random
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from core.nouns import Span
from core.statistics.resampling import times_drawn
from core.statistics.statistics import Interval, bootstrap

RESAMPLES = 2_000
Label = Hashable
ZERO_TOLERANCE = 1e-9
"""Largest expected disagreement that counts as 0, because of rounding."""
MAX_CACHED_SCORES = 100_000
"""Maximum number of scores of two texts that are kept while a set of texts is compared."""
CELLS_PER_BLOCK = 2_000_000
"""Number of cells (resamples x units) that are computed at a time, 16 MB per array."""
_ONE_LABEL = "everybody gave one and the same label: chance explains it all"


class RatingTable(NamedTuple):
    """Labels as columns, a row for each, because millions of labels do not fit into memory as objects."""

    units: Any
    """int (rows,): number of the unit; the rows of one unit stand together."""
    people: Any
    """int (rows,): place of the person in `names`."""
    labels: Any
    """int (rows,): place of the label in `values`."""
    values: Sequence[Any]
    """Every label once."""
    names: Sequence[str]
    """Names of the people, each once."""

    def select(self, rows: Any) -> "RatingTable":
        """Return the table with only those rows: a mask, or their places in order."""
        return self._replace(units=self.units[rows], people=self.people[rows], labels=self.labels[rows])

    def count_units(self) -> int:
        """Return the number of units with a label."""
        import numpy as np

        return int(np.count_nonzero(np.diff(self.units))) + bool(len(self.units))

    def select_paired(self) -> "RatingTable":
        """Return the rows of units with at least two labels; the units are numbered from 0, in their order."""
        import numpy as np

        units = _number_units(self.units)
        paired = self.select((np.bincount(units) > 1)[units])
        return paired._replace(units=_number_units(paired.units))


Ratings = Mapping[str, Mapping[str, Label]] | RatingTable
"""Labels by unit and person; a unit lists only the people who labelled it."""
T = TypeVar("T")


def tabulate_ratings(ratings: Mapping[str, Mapping[str, Any]] | RatingTable) -> RatingTable:
    """Return the ratings as columns."""
    import numpy as np

    if isinstance(ratings, RatingTable):
        return ratings
    names: dict[str, int] = {}
    values: dict[Label, int] = {}
    rows = [
        (unit, names.setdefault(person, len(names)), values.setdefault(label, len(values)))
        for unit, row in enumerate(ratings.values())
        for person, label in row.items()
    ]
    units, people, labels = np.array(rows, np.int64).reshape(-1, 3).T
    return RatingTable(units, people, labels, list(values), list(names))


def join_ratings(parts: Sequence[Ratings]) -> RatingTable:
    """Return the ratings of several sets of units as one table; no unit is in two sets."""
    import numpy as np

    names: dict[str, int] = {}
    values: dict[Label, int] = {}
    columns: list[Any] = [np.empty((3, 0), np.int64)]
    first = 0
    for part in map(tabulate_ratings, parts):
        people = np.array([names.setdefault(name, len(names)) for name in part.names], np.int64)
        labels = np.array([values.setdefault(value, len(values)) for value in part.values], np.int64)
        units = _number_units(part.units) + first
        first += part.count_units()
        columns.append(np.array([units, people[part.people], labels[part.labels]]))
    of_unit, of_person, of_label = np.concatenate(columns, axis=1)
    return RatingTable(of_unit, of_person, of_label, list(values), list(names))


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
    import numpy as np

    paired = tabulate_ratings(ratings).select_paired()
    counts = {paired.values[place]: int(n) for place, n in zip(*np.unique(paired.labels, return_counts=True), strict=True)}
    steps = sorted(counts)

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

    table = tabulate_ratings(ratings)
    paired = table.select_paired()
    if not len(paired.units):
        return _undefined_agreement(table, "no unit was labelled by two people")
    used, of_row = np.unique(paired.labels, return_inverse=True)
    if len(used) == 1:
        return _undefined_agreement(table, _ONE_LABEL)
    labels = [paired.values[place] for place in used]
    sizes = np.bincount(paired.units).astype(float)
    entries, times = np.unique(of_row * len(sizes) + paired.units, return_counts=True)
    of_label, of_unit = np.divmod(entries, len(sizes))
    begins = np.flatnonzero(np.diff(of_label, prepend=-1))
    first, second, near = _list_near_pairs(labels, distance)
    if distance is NOMINAL:
        within = (sizes**2 - np.bincount(of_unit, times**2)) / (sizes - 1)
    else:
        within = _sum_distances(labels, distance, of_label, of_unit, times, len(sizes)) / (sizes - 1)

    def value(weights: Any) -> Any:
        n = weights @ sizes
        totals = np.add.reduceat(weights[:, of_unit] * times, begins, axis=1)
        expected = (n**2 - (totals[:, first] * totals[:, second]) @ near) / (n - 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(expected > ZERO_TOLERANCE, 1 - (weights @ within) / expected, np.nan)

    return _estimate_agreement(table, value, len(sizes), max(len(entries), len(near)), resamples, seed)


def cohen(ratings: Ratings, a: str, b: str, resamples: int = RESAMPLES, seed: int = 0) -> Agreement:
    """Return Cohen's kappa of two people over the units that both labelled (Cohen, Educ. and Psychological Measurement,
    1960)."""
    import numpy as np

    table = tabulate_ratings(ratings)
    own = [
        table.select(table.people == table.names.index(name)) if name in table.names else table.select([]) for name in (a, b)
    ]
    places = np.intersect1d(own[0].units, own[1].units, assume_unique=True, return_indices=True)[1:]
    common = own[0].units[np.sort(places[0])]  # in the order of the table
    of_side = [one.labels[_find_places(one.units, common)] for one in own]
    both = RatingTable(
        np.repeat(np.arange(len(common)), 2),
        np.tile([0, int(a != b)], len(common)),
        np.column_stack(of_side).ravel(),
        table.values,
        [a, b],
    )
    if not len(common):
        return _undefined_agreement(both, f"{a} and {b} labelled no unit in common")
    used, of_row = np.unique(both.labels, return_inverse=True)
    if len(used) == 1:
        return _undefined_agreement(both, "both gave one and the same label: chance explains it all")
    sides = np.zeros((2, len(common), len(used)))
    for side in (0, 1):
        sides[side, np.arange(len(common)), of_row[side::2]] = 1
    same = (sides[0] * sides[1]).sum(axis=1)

    def value(weights: Any) -> Any:
        n = weights.sum(axis=1)
        expected = ((weights @ sides[0]) * (weights @ sides[1])).sum(axis=1) / n**2
        return _correct_for_chance(weights @ same / n, expected)

    return _estimate_agreement(both, value, len(common), len(common), resamples, seed)


def fleiss(ratings: Ratings, resamples: int = RESAMPLES, seed: int = 0) -> Agreement:
    """Return Fleiss' kappa over units with equally many labels (Fleiss, Psychological Bulletin, 1971)."""
    import numpy as np

    table = tabulate_ratings(ratings)
    paired = table.select_paired()
    if not len(paired.units):
        return _undefined_agreement(table, "no unit was labelled by two people")
    sizes = np.unique(np.bincount(paired.units))
    if len(sizes) > 1:
        return _undefined_agreement(table, "not all units were labelled by equally many people: see alpha")
    used, of_row = np.unique(paired.labels, return_inverse=True)
    if len(used) == 1:
        return _undefined_agreement(table, _ONE_LABEL)
    size, units = int(sizes[0]), paired.count_units()
    counts = np.bincount(paired.units * len(used) + of_row, minlength=units * len(used)).reshape(units, -1).astype(float)
    agreed = ((counts**2).sum(axis=1) - size) / (size * (size - 1))

    def value(weights: Any) -> Any:
        n = weights.sum(axis=1)
        expected = (((weights @ counts) / (n * size)[:, None]) ** 2).sum(axis=1)
        return _correct_for_chance(weights @ agreed / n, expected)

    return _estimate_agreement(table, value, units, units, resamples, seed)


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
    texts: Mapping[str, Mapping[str, T]] | RatingTable,
    score: Callable[[T, T], float | None],
    pairs: int = 1_000,
    seed: int = 0,
) -> TextAgreement:
    """Return the scores of texts by different people on the same unit, and the scores of `pairs` random pairs from different
    units.

    `texts` contains the text by unit and person. `score` is symmetric. Equal texts of one unit are scored once."""
    table = tabulate_ratings(texts)
    values = table.values
    units, first, second, times = _list_pairs(table)
    score_places = lru_cache(MAX_CACHED_SCORES)(lambda a, b: score(values[a], values[b]))
    scores = [score_places(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True)]
    observed = bootstrap(scores, clusters=units.tolist(), resamples=RESAMPLES, seed=seed, times=times)
    every = range(len(table.units))
    generator = random.Random(seed)
    drawn: list[float | None] = []
    has_several_units = len(every) > 0 and bool((table.units != table.units[0]).any())
    while has_several_units and len(drawn) < pairs:
        one, other = generator.choice(every), generator.choice(every)
        if table.units[one] != table.units[other]:
            drawn.append(score_places(int(table.labels[one]), int(table.labels[other])))
    return TextAgreement(observed, bootstrap(drawn, resamples=RESAMPLES, seed=seed))


def _list_pairs(table: RatingTable) -> tuple[Any, Any, Any, Any]:
    """Return (unit, label, label, number of pairs of people) of every two labels of one unit, by unit; equal labels are a pair
    if two people gave them."""
    import numpy as np

    paired = table.select_paired()
    entries, times = np.unique(paired.units * len(table.values) + paired.labels, return_counts=True)
    units, labels = np.divmod(entries, max(1, len(table.values)))
    several = times > 1
    rows = [(units[several], labels[several], labels[several], times[several] * (times[several] - 1) // 2)]
    step = 1
    while (same := units[step:] == units[:-step]).any():  # the labels of a unit stand together
        a, b = np.flatnonzero(same), np.flatnonzero(same) + step
        rows.append((units[a], labels[a], labels[b], times[a] * times[b]))
        step += 1
    columns = [np.concatenate(column) for column in zip(*rows, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    unit, one, other, n = (column[order] for column in columns)
    return unit, one, other, n


def _number_units(units: Any) -> Any:
    """Return the numbers of the units from 0, in the order of the rows."""
    import numpy as np

    return np.cumsum(np.diff(units, prepend=units[:1]) != 0)


def _find_places(values: Any, wanted: Any) -> Any:
    """Return the place of each wanted value among distinct values, which contain it."""
    import numpy as np

    order = np.argsort(values)
    return order[np.searchsorted(values, wanted, sorter=order)]


def _count_people(table: RatingTable) -> int:
    import numpy as np

    return len(np.unique(table.people))


def _sum_distances(labels: Sequence[Label], distance: Distance, of_label: Any, of_unit: Any, times: Any, units: int) -> Any:
    """Return the sum of the distances of all ordered pairs of labels of each unit."""
    import numpy as np

    sums = np.zeros(units)
    order = np.lexsort((of_label, of_unit))
    label, unit, n = of_label[order], of_unit[order], times[order]
    step = 1
    while (same := unit[step:] == unit[:-step]).any():
        for place in np.flatnonzero(same).tolist():
            pairs = 2 * int(n[place]) * int(n[place + step])
            sums[unit[place]] += pairs * distance.of(labels[label[place]], labels[label[place + step]])
        step += 1
    return sums


def _undefined_agreement(table: RatingTable, why: str) -> Agreement:
    units = table.select_paired().count_units()
    return Agreement(None, None, None, units, _count_people(table), f"undefined, because {why}")


def _list_near_pairs(labels: Sequence[Label], distance: Distance) -> tuple[Any, Any, Any]:
    """Return (index of first label, index of second label, 1 - distance) of all ordered pairs whose distance may be below 1."""
    import numpy as np

    by_part: dict[Hashable, list[int]] = {}
    for place, label in enumerate(labels):
        for part in distance.parts(label):
            by_part.setdefault(part, []).append(place)
    pairs: dict[tuple[int, int], float] = {}
    for places in by_part.values():
        for a, b in combinations(places, 2):
            if (a, b) not in pairs:
                pairs[a, b] = pairs[b, a] = 1.0 - distance.of(labels[a], labels[b])
    same, others = np.arange(len(labels)), np.array(list(pairs), np.int64).reshape(-1, 2).T
    near = np.concatenate([np.ones(len(labels)), np.fromiter(pairs.values(), float, len(pairs))])
    return np.concatenate([same, others[0]]), np.concatenate([same, others[1]]), near


def _estimate_agreement(
    table: RatingTable, value: Callable[[Any], Any], units: int, width: int, resamples: int, seed: int
) -> Agreement:
    """Return the coefficient with its interval over resampled units. Resamples with an undefined coefficient are ignored.

    A resample takes `width` cells; CELLS_PER_BLOCK limits the number of resamples in memory."""
    import numpy as np

    (whole,) = value(np.ones((1, units)))
    if np.isnan(whole):
        return _undefined_agreement(table, "chance explains it all")
    if units < 2:
        return Agreement(float(whole), None, None, units, _count_people(table))
    height = max(1, CELLS_PER_BLOCK // width)
    blocks = times_drawn(units, resamples, seed)
    drawn = np.concatenate([value(block[row : row + height]) for block in blocks for row in range(0, len(block), height)])
    drawn = drawn[~np.isnan(drawn)]
    low, high = (float(q) for q in np.percentile(drawn, (2.5, 97.5))) if len(drawn) else (None, None)
    return Agreement(float(whole), low, high, units, _count_people(table))


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
