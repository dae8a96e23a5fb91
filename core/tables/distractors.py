"""Adds distractors to the tables that questions are about: further rows, some random and some with similar names, that make it
harder to find the rows asked about."""

import random
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from core.ids import content_hash
from core.tables.nouns import snapshot_hash
from core.tables.world import EntityTable, Tables


class MixedTables(NamedTuple):
    """Tables reduced to the rows that questions ask about (subjects) and distractors."""

    tables: Tables
    told: dict[str, dict[str, Any]]
    """Dict from table to its counts, which are stored with the results: subjects, distractors, noise (distractors per subject,
    or None without subjects) and seed."""


class DistractorTable(NamedTuple):
    """A table reduced to the rows that questions ask about (subjects) and distractors."""

    table: EntityTable
    subjects: int
    """Number of rows of the subjects, including all their versions over time."""
    distractors: int

    @property
    def noise(self) -> float | None:
        """Number of distractors per subject, or None if there are no subjects; 30 means a signal-to-noise ratio of 1:30."""
        return self.distractors / self.subjects if self.subjects else None


def add_distractors(table: EntityTable, subjects: Iterable[Any], *, others: int, nearest: int, seed: int) -> DistractorTable:
    """Reduce a table to the rows of the subjects (given by key) and their distractors, in the order of the table. The
    distractors are all rows with the same names, `nearest` rows with similar names for each name, and `others` random rows. The
    same seed gives the same rows."""
    keys = set(subjects)
    key, label = table.spec.key, table.spec.label
    inside = {place for place in range(len(table)) if table.cell(place, key) in keys}
    noise: set[int] = set()
    if nearest and label:
        names = {str(name) for place in sorted(inside) if (name := table.cell(place, label)) is not None}
        for name in sorted(names):
            near = [place for match in table.names.find_nearest(name, nearest) for place in match.places if place not in inside]
            noise.update(near[:nearest])
        namesakes = {place for name in names for place in table.names.find_exact(name)}
        noise |= namesakes - inside
    rest = [place for place in range(len(table)) if place not in inside and place not in noise]
    noise.update(random.Random(seed).sample(rest, min(others, len(rest))))
    rows = [table.rows[place] for place in sorted(inside | noise)]
    identity = content_hash([table.hash, others, nearest, seed, sorted(map(str, keys))])
    return DistractorTable(EntityTable(table.spec, rows, snapshot_hash(table.spec, identity)), len(inside), len(noise))


def mix_distractors(
    world: Tables, subjects: Mapping[str, Iterable[Any]], *, others: int, nearest: int, seed: int
) -> MixedTables:
    """Return all tables, with each table in `subjects` (a dict from table name to keys) reduced to the rows with these keys and
    distractors by `add_distractors`."""
    mixed = {
        name: add_distractors(world[name], keys, others=others, nearest=nearest, seed=seed) for name, keys in subjects.items()
    }
    told = {
        name: {"subjects": table.subjects, "distractors": table.distractors, "noise": table.noise, "seed": seed}
        for name, table in mixed.items()
    }
    return MixedTables(Tables([mixed[name].table if name in mixed else table for name, table in world.items()]), told)
