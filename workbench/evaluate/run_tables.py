"""The tables that a run's questions are asked over: those that its release froze, each question over the snapshots that its own
answer was reckoned from; where the release froze none, those in use."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from core.tables.nouns import named_tables
from core.tables.world import Tables
from store.releases import Members

Read = Callable[[Iterable[str] | None], Tables]
"""Snapshots by hash, or (None) the tables in use."""


class RunTables:
    """Worlds of one run. A world is read once."""

    def __init__(self, content: Members, read: Read, is_asked: bool = True) -> None:
        """`is_asked` = whether the run's system asks tables at all; without, there are none."""
        self._frozen: dict[str, str] = {}
        for one in content.tables:
            self._frozen.setdefault(one.name, one.hash)
        here = {one.hash for one in content.tables}
        self._of = {item.id: named for item in content.items
                    if (named := {name: hash for name, hash in named_tables(item.steps).items() if hash in here})}  # fmt: skip
        self._is_asked = is_asked
        self._world = cache(lambda hashes: read(hashes or None))

    def of(self, item: str) -> Tables:
        """The world of that item's questions; the same object for all items of the same snapshots."""
        if not self._is_asked:
            return Tables()
        named = {**self._frozen, **self._of.get(item, {})}
        world: Tables = self._world(tuple(named[name] for name in sorted(named)))
        return world

    def hashes(self, asked: Iterable[str]) -> dict[str, Any]:
        """Table -> hash of its snapshot, or hashes where the asked items differ."""
        found: dict[str, set[str]] = {}
        for world in {id(world): world for world in map(self.of, asked)}.values():
            for name, hash in world.hashes.items():
                found.setdefault(name, set()).add(hash)
        return {name: sorted(hashes) if len(hashes) > 1 else next(iter(hashes)) for name, hashes in sorted(found.items())}
