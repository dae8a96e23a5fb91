"""Tables with their rows, prepared for queries: rows by key, by value and by relation, and values at the end of paths. If a
table has a time column, each query sees the table as it was at a given time."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from core.errors import BenchError
from core.tables.names import NameIndex
from core.tables.nouns import TableRelation, TableSpec

_STEP = re.compile(r"(\w+)(?:\.(.+)|\{([^{}]*)\})?", re.DOTALL)


class TableRow(NamedTuple):
    """One row of a table, as the table's name and the row's index in it."""

    table: str
    place: int


class EntityTable:
    """A table with its rows, which never change."""

    def __init__(self, spec: TableSpec, rows: Sequence[tuple[Any, ...]], hash: str = "") -> None:
        """Create a table; `rows` contains the cells in the order of spec.columns: None, text, int, float, bool, or a tuple of
        these."""
        self.spec, self.rows, self.hash = spec, rows, hash
        self._places = {column: place for place, column in enumerate(spec.columns)}
        self._holding: dict[str, dict[Any, list[int]]] = {}
        self._as_of: tuple[str | None, Sequence[int]] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def cell(self, place: int, column: str) -> Any:
        """Return the cell of a column in the row at index `place`; a list cell is returned as a list. Raises KeyError if the
        column is unknown."""
        value = self.rows[place][self._places[column]]
        return list(value) if isinstance(value, tuple) else value

    def record(self, place: int) -> dict[str, Any]:
        """Return the row at index `place` as a dict from column to cell."""
        return {column: self.cell(place, column) for column in self.spec.columns}

    def find_row(self, key: Any, now: str | None = None) -> int | None:
        """Return the index of the row that has the key and is valid at the time `now`, or None if there is none."""
        return next(iter(self.find_rows(self.spec.key, key, now)), None) if self.spec.key else None

    def find_rows(self, column: str, value: Any, now: str | None = None) -> list[int]:
        """Return, in order, the indices of the rows that are valid at the time `now` and whose cell equals the value or is a
        list that contains it."""
        return [place for place in self.index_column(column).get(value, ()) if self.is_current(place, now)]

    def index_column(self, column: str) -> Mapping[Any, list[int]]:
        """Return a dict from each value of the column to the indices of the rows with this value, alone or in a list; None is
        left out."""
        if column not in self._holding:
            place, index = self._places[column], {}  # type: int, dict[Any, list[int]]
            for number, row in enumerate(self.rows):
                cell = row[place]
                for value in dict.fromkeys(cell) if isinstance(cell, tuple) else () if cell is None else (cell,):
                    index.setdefault(value, []).append(number)
            self._holding[column] = index
        return self._holding[column]

    def repeats(self, column: str) -> bool:
        """Return whether the values of the column repeat, that is, each value occurs on average in two or more rows."""
        index = self.index_column(column)
        return bool(index) and 2 * len(index) <= sum(map(len, index.values()))

    def as_of(self, now: str | None = None) -> Sequence[int]:
        """Return the indices of all rows that are valid at the time `now`."""
        if not self.spec.time:
            return range(len(self.rows))
        cached = self._as_of
        if cached is None or cached[0] != now:
            has_versions = self.spec.key and self._versions
            is_valid = self.is_current if has_versions else self._has_begun
            cached = self._as_of = (now, [place for place in range(len(self.rows)) if is_valid(place, now)])
        return cached[1]

    def is_current(self, place: int, now: str | None) -> bool:
        """Return whether the row is valid at the time `now`: it is the latest row with its key whose time is not after
        `now`."""
        if not self.spec.time:
            return True
        if not self._has_begun(place, now):
            return False
        versions = self._versions.get(self.cell(place, self.spec.key), ()) if self.spec.key else ()
        later = versions[versions.index(place) + 1 :] if place in versions else ()
        return not any(self._has_begun(other, now) for other in later)

    @cached_property
    def names(self) -> NameIndex:
        """Search index over the names in the table's name column."""
        place = self._places[self.spec.label]
        return NameIndex([row[place] for row in self.rows])

    def _has_begun(self, place: int, now: str | None) -> bool:
        begins = self.cell(place, self.spec.time)
        if begins is None or now is None:
            return True
        return begins <= int(now[:4]) if isinstance(begins, int | float) else str(begins) <= now

    @cached_property
    def _versions(self) -> Mapping[Any, list[int]]:
        """Dict from key to the indices of its rows, oldest first, for keys that have several rows."""
        repeated = {key: places for key, places in self.index_column(self.spec.key).items() if len(places) > 1}
        time = self._places[self.spec.time]
        return {key: sorted(places, key=lambda place: _time_key(self.rows[place][time])) for key, places in repeated.items()}


class Tables(Mapping[str, EntityTable]):
    """All tables by name, with the relations between them."""

    def __init__(self, tables: Sequence[EntityTable] = ()) -> None:
        self._tables = {table.spec.name: table for table in tables}

    def __getitem__(self, name: str) -> EntityTable:
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def hashes(self) -> dict[str, str]:
        """Dict from table name to the hash of the table's snapshot."""
        return {name: table.hash for name, table in self.items()}

    def relations(self, table: str) -> list[TableRelation]:
        """Return the relations of a table to tables that are present: the table's relations, and the opposite relations of
        other tables."""
        return list(self._relations[table].values())

    def relation(self, table: str, name: str) -> TableRelation | None:
        return self._relations[table].get(name)

    @cached_property
    def _relations(self) -> Mapping[str, Mapping[str, TableRelation]]:
        by_table: dict[str, dict[str, TableRelation]] = {name: {} for name in self}
        for name, table in self.items():
            for relation in table.spec.relations:
                if relation.to in self:
                    by_table[name].setdefault(relation.name, relation)
                    if relation.back:
                        back = TableRelation(
                            name=relation.back, column=relation.to_column, to=name, to_column=relation.column, many=True
                        )
                        by_table[relation.to].setdefault(relation.back, back)
        return by_table

    def follow(self, row: TableRow, relation: TableRelation, now: str | None = None) -> list[TableRow]:
        """Return the rows to which a relation leads from a row, in order and without duplicates."""
        cell, other = self[row.table].cell(row.place, relation.column), self[relation.to]
        values = cell if isinstance(cell, list) else [] if cell is None else [cell]
        places = dict.fromkeys(place for value in values for place in other.find_rows(relation.to_column, value, now))
        return [TableRow(relation.to, place) for place in places]

    def value(self, row: TableRow, path: str, now: str | None = None) -> Any:
        """Return the value that a path (column, or relation.column) leads to from a row, or None if there is none. Raises
        BenchError if the path is invalid.

        A path is a column, `relation.path`, or `relation{path, path}`, which gives a record. The value of a relation to many
        rows is a list."""
        table = self[row.table]
        step = _STEP.fullmatch(path.strip())
        if step is None:
            raise BenchError(f"{path!r} is not a path: write a column, or relation.column.")
        name, rest, several = step.groups()
        relation = self.relation(row.table, name)
        is_column = rest is None and several is None
        if is_column and name in table.spec.columns:
            return table.cell(row.place, name)
        if relation is None or is_column:
            kind = "column" if is_column else "relation"
            raise BenchError(f"{path!r} does not exist in table {row.table}: the table has no such {kind}.")
        rows = self.follow(row, relation, now)
        parts = [part.strip() for part in several.split(",")] if several is not None else []
        values = [{p: self.value(r, p, now) for p in parts} if parts else self.value(r, rest, now) for r in rows]
        if not relation.many:
            return values[0] if values else None
        return [part for value in values for part in (value if isinstance(value, list) else [value]) if part is not None]


def _time_key(value: Any) -> tuple[bool, str]:
    return value is not None, f"{value:020.6f}" if isinstance(value, int | float) else str(value)
