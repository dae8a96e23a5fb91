"""The tables that a run's questions are asked over: those that its release froze, each question over the snapshots that its own
answer was reckoned from; where the release froze none, those in use. With distractors, the rows that the release's questions
stand on are left among some others alone."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from builders.templates.template_context import ground
from core.errors import BenchError
from core.tables.distractors import MixedTables, mix_distractors
from core.tables.nouns import named_tables
from core.tables.world import Tables
from eval.running.settings import read_whole_number
from store.releases.releases import ReleaseMembers

Read = Callable[[Iterable[str] | None], Tables]
"""Snapshots by hash, or (None) the tables in use."""
Hashes = tuple[str, ...]


class Noise(NamedTuple):
    """What stands beside the rows that questions are about."""

    others: int
    """Rows of a table at random."""
    nearest: int
    """For each of their rows the rows of the likest names."""
    seed: int


def noise_of(settings: Mapping[str, Any], environments: Iterable[str]) -> Noise | None:
    """What the settings ask for; None = every row stays. Raises BenchError on what cannot be."""
    if settings.get("distractors", "") == "":
        return None
    if "tables" not in environments:
        raise BenchError("The setting distractors is of tables, which this run does not ask: give environment=tables with it.")
    return Noise(
        read_whole_number(settings, "distractors", 0),
        read_whole_number(settings, "nearest", 0),
        read_whole_number(settings, "distractor_seed", 0),
    )


class RunTables:
    """Worlds of one run. A world is read once."""

    def __init__(self, content: ReleaseMembers, read: Read, is_asked: bool = True, noise: Noise | None = None) -> None:
        """`is_asked` = whether the run's system asks tables at all; without, there are none."""
        self._frozen: dict[str, str] = {}
        for one in content.tables:
            self._frozen.setdefault(one.name, one.hash)
        here = {one.hash for one in content.tables}
        self._of = {
            item.id: named
            for item in content.items
            if (named := {name: hash for name, hash in named_tables(item.steps).items() if hash in here})
        }
        self._items, self._read, self._is_asked, self._noise = content.items, read, is_asked, noise
        self._worlds: dict[Hashes, MixedTables] = {}
        self._hashes: dict[Hashes, dict[str, str]] = {}

    def of(self, item: str) -> Tables:
        """The world of that item's questions; the same object for all items of the same snapshots."""
        return self._world(self._named(item)).tables if self._is_asked else Tables()

    def hashes(self, asked: Iterable[str]) -> dict[str, Any]:
        """Table -> hash of its snapshot with all rows, or hashes where the asked items differ."""
        found: dict[str, set[str]] = {}
        for world in {self._named(item) for item in asked} if self._is_asked else ():
            self._world(world)
            for name, hash in self._hashes[world].items():
                found.setdefault(name, set()).add(hash)
        return {name: sorted(hashes) if len(hashes) > 1 else next(iter(hashes)) for name, hashes in sorted(found.items())}

    def distractors(self) -> list[dict[str, Any]]:
        """What core.tables.distractors tells of each world that was cut."""
        return [world.told for _, world in sorted(self._worlds.items()) if world.told]

    def _named(self, item: str) -> Hashes:
        named = {**self._frozen, **self._of.get(item, {})}
        return tuple(named[name] for name in sorted(named))

    def _world(self, hashes: Hashes) -> MixedTables:
        if hashes not in self._worlds:
            world = self._read(hashes or None)
            self._hashes[hashes] = world.hashes
            self._worlds[hashes] = MixedTables(world, {}) if self._noise is None else self._cut(world, hashes, self._noise)
        return self._worlds[hashes]

    def _cut(self, world: Tables, hashes: Hashes, noise: Noise) -> MixedTables:
        """Raises BenchError where no question tells which rows it is about."""
        subjects = ground(world, (item for item in self._items if self._named(item.id) == hashes))
        if not subjects:
            raise BenchError(
                "No question of this release tells which rows it is about, so none can stand among distractors: "
                "leave the setting out, or freeze template questions."
            )
        return mix_distractors(world, subjects, others=noise.others, nearest=noise.nearest, seed=noise.seed)
