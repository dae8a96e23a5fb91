"""Find the nugget sets (facts of gold answers) that belong to a release: the newest set for each item's gold answer that a
person or an LLM wrote. The nugget sets are exported and imported with the release, and its runs are scored with them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from core.as_json import Json
from core.nouns import Item
from store.engine.database import Database
from store.items import items
from store.runs import nugget_sets
from store.runs.gold_sets import gold_key
from store.runs.nugget_sets import TABLE, NuggetSet


class FrozenSets(NamedTuple):
    """The nugget sets that are frozen with some items."""

    records: list[dict[str, str]]
    """The records in the manifest, each {"item", "gold", "hash"}, sorted by item."""
    offline: int
    """Number of items whose nuggets are not frozen, because only the offline agent (no LLM) wrote them."""


def find_frozen_sets(database: Database, members: Iterable[Item]) -> FrozenSets:
    """Return the nugget sets that are to be frozen with the items. Sets by the offline agent are not frozen."""
    golds = {item.id: gold_key(item.answers[0], item.language) for item in members if item.answers}
    there = TABLE.load_counting_sets(database, list(golds), for_offline=False)
    every = TABLE.load_counting_sets(database, list(golds), for_offline=True)
    found = [there[key] for key in sorted(golds.items()) if key in there]
    records = [{"item": one.item, "gold": one.gold, "hash": one.hash} for one in found]
    return FrozenSets(records, sum(key in every and key not in there for key in golds.items()))


def load_records(database: Database, manifest: Mapping[str, Any]) -> list[dict[str, Json]]:
    """Return the records of the nugget sets of a release, for an export."""
    found = nugget_sets.load_frozen(database, manifest.get("nugget_sets", ()))
    return [nugget_sets.encode_set(one) for _, one in sorted(found.items())]


def load_set(database: Database, manifest: Mapping[str, Any], item: str) -> NuggetSet | None:
    """Return the item's nugget set in the release with this manifest, or None if it has none."""
    rows = [row for row in manifest.get("nugget_sets", ()) if row["item"] == item]
    return next(iter(nugget_sets.load_frozen(database, rows).values()), None)


def find_problems(database: Database, manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (item, problem) for each nugget set of the release that is not in the workspace."""
    rows = manifest.get("nugget_sets", ())
    found = nugget_sets.load_frozen(database, rows)
    return [(row["item"], "has other nuggets here.") for row in rows if (row["item"], row["gold"]) not in found]


def list_changed(a: Mapping[str, Any], b: Mapping[str, Any], items: Iterable[str]) -> list[str]:
    """Return the sorted ids of those items whose nuggets differ between two releases, which are given by their manifests."""
    before, after = ({row["item"]: row["hash"] for row in manifest.get("nugget_sets", ())} for manifest in (a, b))
    return sorted(item for item in items if before.get(item) != after.get(item))


def import_records(database: Database, records: Sequence[Mapping[str, Any]]) -> int:
    """Store the nugget sets that came with a release, for items in the workspace; return how many are new."""
    if not records:
        return 0
    here = {item.id for item in items.load_items(database, [str(record["item"]) for record in records])}
    return store_records(database, [record for record in records if record["item"] in here])


def store_records(database: Database, records: Sequence[Mapping[str, Any]]) -> int:
    """Store the nugget sets that came with a release; return how many are new."""
    sets = [nugget_sets.decode_set(record) for record in records]
    return database.write(lambda cursor: nugget_sets.import_sets(cursor, sets))
