"""Labels that people gave to units, as a table of columns."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

Label = Hashable
RESAMPLES = 2_000
"""Number of resamples from which the interval of a measure of agreement is computed."""


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
        """Return the table with only the given rows; `rows` is a mask, or an array of indexes in order."""
        return self._replace(units=self.units[rows], people=self.people[rows], labels=self.labels[rows])

    def count_units(self) -> int:
        """Return the number of units that have a label."""
        import numpy as np

        return int(np.count_nonzero(np.diff(self.units))) + bool(len(self.units))

    def count_people(self) -> int:
        """Return the number of people who gave a label."""
        import numpy as np

        return len(np.unique(self.people))

    def select_paired(self) -> "RatingTable":
        """Return the rows of units that have at least two labels; the units get new numbers from 0, in the same order."""
        import numpy as np

        units = _number_units(self.units)
        paired = self.select((np.bincount(units) > 1)[units])
        return paired._replace(units=_number_units(paired.units))


Ratings = Mapping[str, Mapping[str, Label]] | RatingTable
"""Labels that people gave: a dict from unit to a dict from person to label (only people who labelled the unit), or a table."""


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
    """Join several tables of labels into one table; no unit may be in two of the tables."""
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


def _number_units(units: Any) -> Any:
    """Return the number of each row's unit; units are numbered from 0, in the order of the rows."""
    import numpy as np

    return np.cumsum(np.diff(units, prepend=units[:1]) != 0)
