"""Provide the entity tables for a run's questions. Each question gets the table snapshots from which its gold answer was
computed. If the release contains no tables, the question gets the workspace's current tables. The setting `distractors` reduces
the tables to the rows that the release's questions are about, and some other rows."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from builders.templates.template_context import ground
from core.as_json import Json
from core.errors import BenchError
from core.tables.distractors import MixedTables, mix_distractors
from core.tables.nouns import named_tables
from core.tables.world import Tables
from eval.settings import read_whole_number
from store.releases.releases import ReleaseMembers

ReadTables = Callable[[Iterable[str] | None], Tables]
"""Type of a function that returns the tables with the given snapshot hashes, or the workspace's current tables if the argument
is None."""
Hashes = tuple[str, ...]


class TableNoise(NamedTuple):
    """The rows that a reduced table keeps in addition to the rows that questions are about."""

    others: int
    """Number of random rows that each table keeps."""
    nearest: int
    """Number of rows that are kept for each row that a question is about, because their names are most similar."""
    seed: int


def read_noise(settings: Mapping[str, Any], environments: Iterable[str]) -> TableNoise | None:
    """Return which rows the run's tables keep in addition to those that questions are about, or None if the tables keep all
    rows. Raises BenchError if the run cannot have these settings."""
    if settings.get("distractors", "") == "":
        return None
    if "tables" not in environments:
        raise BenchError(
            "The setting 'distractors' applies to tables, which this run does not use: add environment=tables, or leave "
            "'distractors' out."
        )
    return TableNoise(*(read_whole_number(settings, name, 0) for name in ("distractors", "nearest", "distractor_seed")))


class RunTables:
    """The entity tables of each question of one run. Tables with the same snapshots are read only once."""

    def __init__(
        self, content: ReleaseMembers, read: ReadTables, needs_tables: bool = True, noise: TableNoise | None = None
    ) -> None:
        """Create the tables of a run. If `needs_tables` is false, the system uses no tables, so no question gets any."""
        self._items, self._read, self._needs_tables, self._noise = content.items, read, needs_tables, noise
        frozen = {table.hash for table in content.tables}
        self._frozen: dict[str, str] = {}
        for table in content.tables:
            self._frozen.setdefault(table.name, table.hash)
        self._of_item = {
            item.id: {name: hash_ for name, hash_ in named_tables(item.steps).items() if hash_ in frozen}
            for item in content.items
        }
        self._worlds: dict[Hashes, MixedTables] = {}
        self._hashes: dict[Hashes, dict[str, str]] = {}

    def world_of(self, item: str) -> Tables:
        """Return the tables for the item's questions. Items with the same snapshots get the same object in memory."""
        return self._load(self._list_snapshots(item)).tables if self._needs_tables else Tables()

    def hash_tables(self, items: Iterable[str]) -> dict[str, Json]:
        """Return a dict from table to the hash of its whole snapshot, or to several hashes if the given items use different
        snapshots."""
        by_table: dict[str, set[str]] = {}
        for snapshots in {self._list_snapshots(item) for item in items} if self._needs_tables else ():
            self._load(snapshots)
            for name, hash_ in self._hashes[snapshots].items():
                by_table.setdefault(name, set()).add(hash_)
        return {name: sorted(hashes) if len(hashes) > 1 else next(iter(hashes)) for name, hashes in sorted(by_table.items())}

    def distractors(self) -> list[Mapping[str, Json]]:
        """Return one record for each set of reduced tables that describes which rows were kept (see
        core.tables.distractors)."""
        return [world.told for _, world in sorted(self._worlds.items()) if world.told]

    def _list_snapshots(self, item: str) -> Hashes:
        by_table = {**self._frozen, **self._of_item.get(item, {})}
        return tuple(by_table[name] for name in sorted(by_table))

    def _load(self, snapshots: Hashes) -> MixedTables:
        if snapshots not in self._worlds:
            world = self._read(snapshots or None)
            self._hashes[snapshots] = world.hashes
            self._worlds[snapshots] = (
                MixedTables(world, {}) if self._noise is None else self._cut(world, snapshots, self._noise)
            )
        return self._worlds[snapshots]

    def _cut(self, world: Tables, snapshots: Hashes, noise: TableNoise) -> MixedTables:
        """Return the tables with only the rows that questions are about and some other rows. Raises BenchError if no question
        names the rows that it is about."""
        subjects = ground(world, (item for item in self._items if self._list_snapshots(item.id) == snapshots))
        if not subjects:
            raise BenchError(
                "No question of this release states which rows it is about, so distractors cannot be added: "
                "leave the setting out, or freeze template questions."
            )
        return mix_distractors(world, subjects, others=noise.others, nearest=noise.nearest, seed=noise.seed)
