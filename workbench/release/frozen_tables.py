"""The tables that a release freezes: the snapshots that its items were made from, and the tables in use that relations join to
them. They go out with it and come in with it."""

from collections.abc import Iterable, Sequence

from core.errors import BenchError
from core.nouns import Item
from core.tables.nouns import Snapshot, collect_linked_tables, named_tables
from core.tables.world import EntityTable
from store.corpus import tables
from store.engine.database import Database


def list_frozen_tables(database: Database, found: Iterable[Item]) -> tuple[Snapshot, ...]:
    """By name; of a name with several snapshots the one in use first, else the newest. What is not in the workspace is left
    out, see `check_here`."""
    named = tables.load_known(database, _list_snapshots(found))
    if not named:
        return ()
    in_use = {one.name: one for one in tables.list_tables(database)}
    specs = [one.spec for one in (*named.values(), *in_use.values())]
    names = {one.name for one in named.values()}
    joined = [in_use[name] for name in collect_linked_tables(names, specs) - names if name in in_use]
    ordered = sorted((*named.values(), *joined), key=lambda one: (one.name, not one.is_current, -one.number))
    return tuple(Snapshot(one.name, one.hash, one.rows) for one in ordered)


def check_here(database: Database, found: Sequence[Item], release: str) -> None:
    """Raises BenchError when a table that an item was made from is not in the workspace."""
    here = tables.load_known(database, _list_snapshots(found))
    lost = {name for item in found for name, hash in named_tables(item.steps).items() if hash not in here}
    n = sum(any(hash not in here for hash in named_tables(item.steps).values()) for item in found)
    if lost:
        raise BenchError(
            f"{n} {'item was' if n == 1 else 'items were'} made from a snapshot of {', '.join(sorted(lost))} that is not in "
            f"this workspace, so {release!r} cannot freeze it: import the release that they came with, or discard them."
        )


def load_tables(database: Database, frozen: Iterable[Snapshot]) -> list[EntityTable]:
    """With their rows."""
    return [tables.load(database, one.hash) for one in frozen]


def import_tables(database: Database, came: Sequence[EntityTable], origin: str) -> int:
    """Keep the tables of a release from elsewhere; they are put in use where none of their names is in use with other content.
    Returns how many are new here."""
    in_use = {one.name: one.hash for one in tables.list_tables(database)}
    hashes = {table.hash for table in came}
    is_free = all(in_use.get(table.spec.name, table.hash) in hashes for table in came)
    return sum(tables.keep(database, table, origin, is_free) for table in came)


def find_problems(database: Database, frozen: Iterable[Snapshot], found: Iterable[Item]) -> list[tuple[str, str]]:
    """(table, what is wrong with it) of the tables that a release froze."""
    wrong = [(one.name, "was changed: its content hash differs.") for one in frozen if not tables.is_whole(database, one.hash)]
    there = {one.hash for one in frozen}
    unfrozen = {name for item in found for name, hash in named_tables(item.steps).items() if there and hash not in there}
    return wrong + [
        (name, "was asked for an item's answer in a snapshot that the manifest does not name.") for name in sorted(unfrozen)
    ]


def _list_snapshots(found: Iterable[Item]) -> list[str]:
    return [hash for item in found for hash in named_tables(item.steps).values()]
