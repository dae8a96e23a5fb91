"""Agreement between people beyond chance: Cohen's and Fleiss' kappa, Krippendorff's alpha with any distance, overlap of
evidence, and similarity of texts compared with random pairs. An undefined value is None with a reason, never 0."""

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
"""Expected disagreements up to this count as 0, because of rounding."""
MAX_CACHED_SCORES = 100_000
"""Maximum number of pairs of texts whose score is cached while a set of texts is compared."""
CELLS_PER_BLOCK = 2_000_000
"""Number of cells (resamples x units) that are computed at a time, which take 16 MB per array."""
_ONE_LABEL = "everybody gave one and the same label, so chance explains all agreement"


class RatingTable(NamedTuple):
    """Labels that people gave to units, as columns with one row for each label, because millions of labels do not fit into
    memory as objects."""

    units: Any
    """Integer array (rows,): number of the unit that each label belongs to; the rows of one unit are adjacent."""
    people: Any
    """Integer array (rows,): index into `names` of the person who gave each label."""
    labels: Any
    """Integer array (rows,): index into `values` of each label."""
    values: Sequence[Any]
    """All different labels, each once."""
    names: Sequence[str]
    """Names of all people who gave labels, each once."""

    def select(self, rows: Any) -> "RatingTable":
        """Return the table with only those rows, given as a mask or as indexes in order."""
        return self._replace(units=self.units[rows], people=self.people[rows], labels=self.labels[rows])

    def count_units(self) -> int:
        """Return the number of units that have a label."""
        import numpy as np

        return int(np.count_nonzero(np.diff(self.units))) + bool(len(self.units))

    def select_paired(self) -> "RatingTable":
        """Return the rows of units that have at least two labels; the units are numbered anew from 0, in their order."""
        import numpy as np

        units = _number_units(self.units)
        paired = self.select((np.bincount(units) > 1)[units])
        return paired._replace(units=_number_units(paired.units))


Ratings = Mapping[str, Mapping[str, Label]] | RatingTable
"""Labels that people gave: a dict from unit to a dict from person to label (only people who labelled the unit), or a table."""
T = TypeVar("T")


def tabulate_ratings(ratings: Mapping[str, Mapping[str, Any]] | RatingTable) -> RatingTable:
    """Return the labels as a table with one row for each label."""
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
    """Join the labels of several sets of units into one table; no unit may be in two sets."""
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
    """Reason for which the coefficient is undefined; "" if it is defined."""

    def record(self) -> dict[str, Any]:
        """Return the coefficient as JSON values, with the number of units as "n"."""
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.units, "why": self.why}


class TextAgreement(NamedTuple):
    """Similarity of the texts that different people gave for the same unit, compared with chance."""

    observed: Interval
    """Mean similarity over all pairs of people who gave texts for the same unit; each unit is a cluster."""
    chance: Interval
    """Mean similarity over random pairs of texts from different units."""


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
    (Krippendorff, Content Analysis, 2004, ch. 11), scaled to 1 for the farthest pair. Resamples use the distances computed from
    all ratings."""
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
    """Return the characters that both people marked as a share (0 to 1) of those that at least one marked; None if nobody
    marked any."""
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
    """Score how similar the texts of different people for the same unit are, and how similar `pairs` random pairs of texts from
    different units are.

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
    """Return the pairs of labels within each unit as four arrays: unit, one label, other label, number of pairs of people who
    gave them. Two equal labels form a pair if two people gave the label."""
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
    """Return the number of each row's unit; units are numbered from 0, in the order of the rows."""
    import numpy as np

    return np.cumsum(np.diff(units, prepend=units[:1]) != 0)


def _find_places(values: Any, wanted: Any) -> Any:
    """Return, for each wanted value, its index in `values`, which contains it once."""
    import numpy as np

    order = np.argsort(values)
    return order[np.searchsorted(values, wanted, sorter=order)]


def _count_people(table: RatingTable) -> int:
    import numpy as np

    return len(np.unique(table.people))


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
    return Agreement(None, None, None, units, _count_people(table), f"undefined, because {why}")


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
    """Return the coefficient of agreement with its interval, computed by resampling units. Resamples in which it is undefined
    are ignored.

    A resample takes `width` cells; CELLS_PER_BLOCK limits the number of resamples in memory."""
    import numpy as np

    (whole,) = value(np.ones((1, units)))
    if np.isnan(whole):
        return _undefined_agreement(table, "chance explains all agreement")
    if units < 2:
        return Agreement(float(whole), None, None, units, _count_people(table))
    height = max(1, CELLS_PER_BLOCK // width)
    blocks = times_drawn(units, resamples, seed)
    drawn = np.concatenate([value(block[row : row + height]) for block in blocks for row in range(0, len(block), height)])
    drawn = drawn[~np.isnan(drawn)]
    low, high = (float(q) for q in np.percentile(drawn, (2.5, 97.5))) if len(drawn) else (None, None)
    return Agreement(float(whole), low, high, units, _count_people(table))


def _join_spans(spans: Collection[Span]) -> dict[str, list[tuple[int, int]]]:
    """Return a dict from document to the (start, end) intervals that the spans mark in it; adjacent spans are joined."""
    joined: dict[str, list[tuple[int, int]]] = {}
    for span in sorted(spans):
        pieces = joined.setdefault(span.document, [])
        if pieces and span.start <= pieces[-1][1]:
            pieces[-1] = (pieces[-1][0], max(pieces[-1][1], span.end))
        elif span.end > span.start:
            pieces.append((span.start, span.end))
    return joined
