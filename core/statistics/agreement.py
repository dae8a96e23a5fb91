"""Agreement between people beyond chance: Cohen's and Fleiss' kappa, and Krippendorff's alpha with any distance. An undefined
value is None with a reason, never 0."""

from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from core.statistics.ratings import RESAMPLES, Label, Ratings, RatingTable, tabulate_ratings
from core.statistics.resampling import times_drawn

ZERO_TOLERANCE = 1e-9
"""Expected disagreements up to this count as 0, because of rounding."""
CELLS_PER_BLOCK = 2_000_000
"""Maximum number of array cells (resamples x units) that are computed at a time; an array of this size takes 16 MB."""
_ONE_LABEL = "everybody gave one and the same label, so chance explains all agreement"


class Agreement(NamedTuple):
    """A coefficient of agreement between people, with its interval."""

    value: float | None
    """Coefficient of agreement: 1 = perfect, 0 = as by chance, below 0 = worse than chance; None = undefined."""
    low: float | None
    """Lower end of the 95 % percentile bootstrap interval over units; None if there is no interval."""
    high: float | None
    units: int
    """Number of units that have labels of at least two people."""
    people: int
    why: str = ""
    """Reason why the coefficient is undefined; "" if the coefficient is defined."""

    def record(self) -> dict[str, Any]:
        """Return the coefficient as JSON values, with the number of units as "n"."""
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.units, "why": self.why}


class Distance(NamedTuple):
    """A distance between two labels, from 0 (equal) to 1."""

    of: Callable[[Label, Label], float]
    parts: Callable[[Any], Collection[Hashable]]
    """Function that returns the parts of a label. Labels that share no part have distance 1 and are never compared."""


def masi_distance(a: Label, b: Label) -> float:
    """Return the MASI distance of two sets (0 to 1): 1 - Jaccard times 1, 2/3, 1/3 or 0 for equal, nested, overlapping or
    disjoint sets (Passonneau, LREC 2006). Two empty sets are equal. Labels are frozensets."""
    x, y = frozenset(a), frozenset(b)  # type: ignore[call-overload]
    if x == y:
        return 0.0
    return 1.0 - len(x & y) / len(x | y) * (2 / 3 if x <= y or y <= x else 1 / 3)


def ordinal(ratings: Ratings) -> Distance:
    """Return the ordinal distance for labels that are numbers: the squared number of given labels that lie between two labels
    (Krippendorff, Content Analysis, 2004, ch. 11), scaled to 1 for the farthest pair. The bootstrap resamples use the distances
    computed from all ratings."""
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
    """Return Cohen's kappa of two people over the units that both labelled (Cohen, Educational and Psychological Measurement,
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
        return _undefined_agreement(both, "both gave one and the same label, so chance explains all agreement")
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
    """Return Fleiss' kappa over units that all have the same number of labels (Fleiss, Psychological Bulletin, 1971)."""
    import numpy as np

    table = tabulate_ratings(ratings)
    paired = table.select_paired()
    if not len(paired.units):
        return _undefined_agreement(table, "no unit was labelled by two people")
    sizes = np.unique(np.bincount(paired.units))
    if len(sizes) > 1:
        return _undefined_agreement(table, "the number of people who labelled a unit differs between units: use alpha instead")
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


def _find_places(values: Any, wanted: Any) -> Any:
    """Return, for each wanted value, its index in `values`, which contains each value once."""
    import numpy as np

    order = np.argsort(values)
    return order[np.searchsorted(values, wanted, sorter=order)]


def _sum_distances(labels: Sequence[Label], distance: Distance, of_label: Any, of_unit: Any, times: Any, units: int) -> Any:
    """Return, for each unit, the sum of the distances over all ordered pairs of its labels."""
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
    return Agreement(None, None, None, units, table.count_people(), f"undefined, because {why}")


def _list_near_pairs(labels: Sequence[Label], distance: Distance) -> tuple[Any, Any, Any]:
    """Return all ordered pairs of labels whose distance may be below 1, as three arrays: index of the first label, index of the
    second, 1 - distance."""
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
    """Return the coefficient of agreement with its interval, computed by resampling units. Resamples in which the coefficient
    is undefined are ignored.

    One resample takes `width` array cells; CELLS_PER_BLOCK limits the number of resamples that are in memory at the same
    time."""
    import numpy as np

    (whole,) = value(np.ones((1, units)))
    if np.isnan(whole):
        return _undefined_agreement(table, "chance explains all agreement")
    if units < 2:
        return Agreement(float(whole), None, None, units, table.count_people())
    height = max(1, CELLS_PER_BLOCK // width)
    blocks = times_drawn(units, resamples, seed)
    drawn = np.concatenate([value(block[row : row + height]) for block in blocks for row in range(0, len(block), height)])
    drawn = drawn[~np.isnan(drawn)]
    low, high = (float(q) for q in np.percentile(drawn, (2.5, 97.5))) if len(drawn) else (None, None)
    return Agreement(float(whole), low, high, units, table.count_people())
