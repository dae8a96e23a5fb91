"""Rows that stand beside the subjects of questions so that finding the subject takes some doing: others of its kind at random,
and those whose names are the nearest."""

import random
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from core.ids import content_hash
from core.tables.nouns import snapshot_hash
from core.tables.world import EntityTable, Tables


class MixedTables(NamedTuple):
    """A world in which subjects stand among distractors."""

    tables: Tables
    told: dict[str, dict[str, Any]]
    """By table: subjects, distractors, noise (distractors for one subject; None without subjects) and the seed; to be stored
    with what was asked of it."""


class DistractorTable(NamedTuple):
    """A table of subjects and distractors."""

    table: EntityTable
    subjects: int
    """Rows of subjects, all versions of them in time included."""
    distractors: int

    @property
    def noise(self) -> float | None:
        """Distractors for one subject: 30 = a signal to noise of 1:30. None without subjects."""
        return self.distractors / self.subjects if self.subjects else None


def add_distractors(table: EntityTable, subjects: Iterable[Any], *, others: int, nearest: int, seed: int) -> DistractorTable:
    """The rows with those keys, `others` rows of the table at random, and for each subject the `nearest` other names; in the
    table's order. The same seed gives the same rows."""
    wanted = set(subjects)
    key, label = table.spec.key, table.spec.label
    inside = {place for place in range(len(table)) if table.cell(place, key) in wanted}
    noise: set[int] = set()
    if nearest and label:
        names = {str(name) for place in sorted(inside) if (name := table.cell(place, label)) is not None}
        for name in sorted(names):
            near = [place for match in table.names.find_nearest(name, nearest) for place in match.places if place not in inside]
            noise.update(near[:nearest])
        noise.update(
            place for name in names for place in table.names.find_exact(name) if place not in inside
        )  # namesakes are nearest
    left = [place for place in range(len(table)) if place not in inside and place not in noise]
    noise.update(random.Random(seed).sample(left, min(others, len(left))))
    rows = [table.rows[place] for place in sorted(inside | noise)]
    told = content_hash([table.hash, others, nearest, seed, sorted(map(str, wanted))])
    return DistractorTable(EntityTable(table.spec, rows, snapshot_hash(table.spec, told)), len(inside), len(noise))


def mix_distractors(
    world: Tables, subjects: Mapping[str, Iterable[Any]], *, others: int, nearest: int, seed: int
) -> MixedTables:
    """The world with the named tables cut down to the rows with those keys and their distractors: `others` rows at random, and
    for each subject the `nearest` other names."""
    cut = {
        name: add_distractors(world[name], keys, others=others, nearest=nearest, seed=seed) for name, keys in subjects.items()
    }
    told = {
        name: {"subjects": found.subjects, "distractors": found.distractors, "noise": found.noise, "seed": seed}
        for name, found in cut.items()
    }
    return MixedTables(Tables([cut[name].table if name in cut else table for name, table in world.items()]), told)
