"""Find the tables that belong to a release: the snapshots from which its items were made, and the current tables to which
relations lead from them. The tables of a release are exported and imported with it."""

from collections.abc import Iterable, Sequence

from core.errors import BenchError
from core.nouns import Item
from core.tables.nouns import Snapshot, collect_linked_tables, named_tables
from core.tables.world import EntityTable
from store.corpus import tables
from store.engine.database import Database


def list_frozen_tables(database: Database, members: Iterable[Item]) -> tuple[Snapshot, ...]:
    """Return the tables to be frozen with the items, sorted by name; of several snapshots of a table, the current one comes
    first. Tables that are not in the workspace are left out; `check_here` reports them."""
    named = tables.load_known(database, _list_snapshots(members))
    if not named:
        return ()
    in_use = {table.name: table for table in tables.list_tables(database)}
    specs = [table.spec for table in (*named.values(), *in_use.values())]
    names = {table.name for table in named.values()}
    joined = [in_use[name] for name in collect_linked_tables(names, specs) - names if name in in_use]
    ordered = sorted((*named.values(), *joined), key=lambda table: (table.name, not table.is_current, -table.number))
    return tuple(Snapshot(table.name, table.hash, table.rows) for table in ordered)


def check_here(database: Database, members: Sequence[Item], release: str) -> None:
    """Raise BenchError if an item was made from a table that is not in the workspace."""
    here = tables.load_known(database, _list_snapshots(members))
    lost = {name for item in members for name, hash in named_tables(item.steps).items() if hash not in here}
    n = sum(any(hash not in here for hash in named_tables(item.steps).values()) for item in members)
    if lost:
        raise BenchError(
            f"{n} {'item was' if n == 1 else 'items were'} made from a snapshot of {', '.join(sorted(lost))} that is not in "
            f"this workspace, so {release!r} cannot freeze it: import the release that had the items, or discard them."
        )


def load_tables(database: Database, frozen: Iterable[Snapshot]) -> list[EntityTable]:
    """Return the tables that were frozen with a release, with their rows."""
    return [tables.load(database, snapshot.hash) for snapshot in frozen]


def import_tables(database: Database, came: Sequence[EntityTable], origin: str) -> int:
    """Store the tables that came with a release from another workspace. All these tables become current, unless the workspace
    has a current table with one of their names and other content. Return the number of new tables."""
    in_use = {listed.name: listed.hash for listed in tables.list_tables(database)}
    hashes = {table.hash for table in came}
    is_free = all(in_use.get(table.spec.name, table.hash) in hashes for table in came)
    return sum(tables.keep(database, table, origin, is_free) for table in came)


def find_problems(database: Database, frozen: Iterable[Snapshot], members: Iterable[Item]) -> list[tuple[str, str]]:
    """Return (table name, problem) for each frozen table that was changed or is missing."""
    wrong = [
        (snapshot.name, "was changed: its content hash differs.")
        for snapshot in frozen
        if not tables.is_whole(database, snapshot.hash)
    ]
    there = {snapshot.hash for snapshot in frozen}
    unfrozen = {name for item in members for name, hash in named_tables(item.steps).items() if there and hash not in there}
    return wrong + [
        (name, "was asked for an item's answer in a snapshot that the manifest does not name.") for name in sorted(unfrozen)
    ]


def _list_snapshots(members: Iterable[Item]) -> list[str]:
    return [hash for item in members for hash in named_tables(item.steps).values()]
