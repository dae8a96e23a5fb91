"""Find values for a template's slots (placeholders) such that the values identify exactly one entity of a table."""

import random
from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

from builders.templates.template_answers import follow_path
from builders.templates.templates import Template
from core.tables.names import normalise_name
from core.tables.world import TableRow, Tables

MAX_NAMINGS = 16
"""Maximum number of combinations of slot values that are tried to name one entity, if slots have several values."""
_Sign = tuple[Any, ...]
Owners = dict[tuple[str, tuple[str, ...], str | None], dict[_Sign, set[Any]]]
"""A dict from (table, paths of slots, time) to a dict from the values of these slots to the keys of the entities that have
them."""


class EntityNaming:
    """Finds the slot values that identify the entities of a template's table, and caches which values identify which
    entities."""

    def __init__(self, tables: Tables, template: Template, now: str | None, owners: Owners | None = None) -> None:
        """`owners` is a cache that several templates over the same tables share."""
        self._tables, self._template, self._now = tables, template, now
        self._table = tables[template.table]
        self._owners: Owners = {} if owners is None else owners
        self._ways_of: dict[str, list[str]] = {}

    def slots(self, of: str) -> list[str]:
        """Return the names of the template's slots of one kind: subject, other, false or condition."""
        return [name for name, slot in self._template.slots.items() if slot.of == of]

    def signs(self, place: int, of: str) -> Iterator[_Sign]:
        """Yield the combinations of slot values, normalised by comparison_key, with which the slots can describe the row at
        index `place`."""
        return (tuple(map(comparison_key, way)) for way in self._ways(place, of))

    def owners(self, of: str) -> Mapping[_Sign, set[Any]]:
        """Return a dict from each combination of slot values to the keys of the entities that it identifies."""
        kind = self._template.table, tuple(self._paths(of)), self._now
        if kind not in self._owners:
            owners: dict[_Sign, set[Any]] = {}
            for place in self._table.as_of(self._now):
                key = self._table.cell(place, self._table.spec.key)
                for sign in self.signs(place, of):
                    owners.setdefault(sign, set()).add(key)
            self._owners[kind] = owners
        return self._owners[kind]

    def choose_values(self, place: int, of: str, rng: random.Random) -> tuple[dict[str, Any], str]:
        """Return slot values that together identify only the row at index `place`, as (dict from slot to value, ""). If no
        values identify only this row, return ({}, the reason)."""
        ways = list(self._ways(place, of))
        if not ways:
            return {}, "no value fills a slot"
        owners = self.owners(of)
        alone = [way for way in ways if len(owners[tuple(map(comparison_key, way))]) == 1]
        if not alone:
            return {}, "two entities fit"
        return dict(zip(self.slots(of), alone[rng.randrange(len(alone))] if len(alone) > 1 else alone[0], strict=True)), ""

    def _ways(self, place: int, of: str) -> Iterator[_Sign]:
        row, columns = TableRow(self._template.table, place), self._table.spec.columns
        each = []
        for path in self._paths(of):
            if columns.get(path, "list") != "list":  # the usual case: a single cell
                cell = self._table.cell(place, path)
                each.append([cell] if cell is not None and str(cell).strip() else [])
                continue
            values = follow_path(self._tables, row, path, {}, self._now)
            each.append([value for value in dict.fromkeys(values) if str(value).strip()])
        return islice(product(*each), MAX_NAMINGS)

    def _paths(self, of: str) -> list[str]:
        if of not in self._ways_of:
            self._ways_of[of] = [self._template.slots[name].path for name in self.slots(of)]
        return self._ways_of[of]


def comparison_key(value: Any) -> Any:
    """Return the normalised form of a value for comparisons, in which names that differ only in case or dots are equal."""
    return normalise_name(value) if isinstance(value, str) else value
