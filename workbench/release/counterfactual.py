"""Makes a counterfactual release from another one: the same questions, with other gold answers and a corpus that states them.
The items and documents that this changes are stored for the new release alone."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from builders.absence.twins import draw_items
from builders.counterfactual.world import CounterfactualWorld, make_world
from core.errors import BenchError
from core.nouns import Release
from core.quality.counterfactual import Obstacle
from core.records import item_record
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.releases.manifest import build_manifest, release_hash
from store.releases.releases import ReleaseMembers
from workbench.build.corpus.sources import cutter, sources_of
from workbench.release.members import save_frozen

KEY = "counterfactual"
"""Key of a manifest: {"of": {"name", "hash"}, "share", "seed", "last_year", "chosen", "replaced",
"obstacles": {why: number of items}, "left_out": number of items, "items": ids, "documents": ids}."""
MAKER = "counterfactual"
"""Name of the maker in the history of the changed items."""


@dataclass(frozen=True, slots=True)
class CounterfactualRelease:
    """The size of a counterfactual release, and the numbers of answers that were replaced and not replaced."""

    release: str
    hash: str
    of: str
    """Name of the release that it was made from."""
    items: int
    chosen: int
    """Number of items whose answers were to be replaced."""
    replaced: int
    """Number of chosen items whose answers were replaced."""
    along: int
    """Number of further items that share a replaced fact, so that their answers changed too."""
    documents: int
    changed_documents: int
    obstacles: Mapping[str, Obstacle]
    """A dict from the id of each chosen item whose answers were not replaced to the reason."""
    left_out: Sequence[str]
    """Ids of items of the original release that the new release leaves out: their evidence states a replaced date or number
    that is not their answer, so their answer may be wrong now."""
    variants_left_out: int
    """Number of variants that the new release leaves out, because their items changed."""
    twins_left_out: int
    """Number of absence twins of the original release; the new release has none, because its corpus differs."""


@dataclass(frozen=True, slots=True)
class MadeRelease:
    """A counterfactual release that is not stored yet."""

    of: Release
    content: ReleaseMembers
    world: CounterfactualWorld
    chosen: Sequence[str]
    manifest: Mapping[str, Any]
    variants_left_out: int
    twins_left_out: int

    def describe(self, name: str) -> CounterfactualRelease:
        """Return the counts of the release under its name."""
        changed = set(self.world.changed)
        return CounterfactualRelease(
            release=name,
            hash=release_hash(self.manifest),
            of=self.of.name,
            items=len(self.content.items),
            chosen=len(self.chosen),
            replaced=len(changed & set(self.chosen)),
            along=len(changed - set(self.chosen)),
            documents=len(self.content.documents),
            changed_documents=len(self.world.documents),
            obstacles=self.world.obstacles,
            left_out=self.world.left_out,
            variants_left_out=self.variants_left_out,
            twins_left_out=self.twins_left_out,
        )


def make(of: Release, content: ReleaseMembers, share: float, seed: int) -> MadeRelease:
    """Make a counterfactual release from the members of another one. Raises BenchError for a share outside of 0 to 1, and if no
    answer can be replaced."""
    chosen = draw_items(content.items, share, seed, "counterfactual items")
    last_year = date.today().year
    wordings = [(variant.item, variant.text) for variant in content.variants]
    world = make_world(content.items, chosen, content.documents, seed, last_year, wordings)
    if not world.changed:
        reasons = ", ".join(f"{n} {why}" for why, n in Counter(world.obstacles.values()).most_common())
        raise BenchError(
            f"No gold answer of release {of.name!r} can be replaced ({reasons}): choose a larger share or another release."
        )
    gone = set(world.left_out)
    kept = [world.items.get(item.id, item) for item in content.items if item.id not in gone]
    as_before = {item.id for item in kept}
    made = ReleaseMembers(
        kept,
        [variant for variant in content.variants if variant.item in as_before],
        [world.documents.get(document.id, document) for document in content.documents],
        frozenset(world.documents[name].id if name in world.documents else name for name in content.left_out),
        content.tables,
    )
    manifest = _build_manifest(of, made, world)
    manifest[KEY] = {
        "of": {"name": of.name, "hash": of.hash},
        "share": share,
        "seed": seed,
        "last_year": last_year,
        "chosen": len(chosen),
        "replaced": len(world.changed),
        "obstacles": dict(sorted(Counter(world.obstacles.values()).items())),
        "left_out": len(world.left_out),
        "items": sorted(item.id for item in world.items.values()),
        "documents": sorted(document.id for document in world.documents.values()),
    }
    without = len(content.variants) - len(made.variants)
    return MadeRelease(of, made, world, [item.id for item in chosen], manifest, without, len(content.twins))


def _build_manifest(of: Release, made: ReleaseMembers, world: CounterfactualWorld) -> dict[str, Any]:
    """Return the manifest. It takes over the splits and families of the original release, and the nugget sets of the items that
    did not change."""
    text, old = cutter(made.documents), of.manifest
    here = {item.id for item in made.items}
    new = {name: item.id for name, item in world.items.items()}
    of_items = {row["id"]: row["split"] for row in old["items"]}
    families = [[new.get(name, name) for name in family] for family in old["splits"].get("families", ())]
    families = [[name for name in family if name in here] for family in families]
    return build_manifest(
        [(item, item_record(item, text)) for item in made.items],
        made.variants,
        made.documents,
        {new.get(name, name): part for name, part in of_items.items()},
        old["splits"]["shares"],
        old["splits"]["seed"],
        old["unlicensed"],
        made.left_out,
        bool(old.get("gold_included")),
        [family for family in families if len(family) > 1],
        made.left_out - sources_of(made.items),
        made.tables,
        nugget_sets=[row for row in old.get("nugget_sets", ()) if row["item"] in here],
    )


def save(database: Database, name: str, made: MadeRelease) -> None:
    """Store the release under a name, with its own items and documents. Raises BenchError if a release with other content has
    the name."""
    documents.add_apart(database, list(made.world.documents.values()))
    items.add_apart(database, list(made.world.items.values()), MAKER)
    release = Release(name, release_hash(made.manifest), made.manifest)
    save_frozen(database, release, made.content.items, made.content.variants)


class OwnMembers(NamedTuple):
    """Ids of the items and documents that only one counterfactual release has."""

    items: frozenset[str]
    documents: frozenset[str]


def list_own(manifest: Mapping[str, Any]) -> OwnMembers:
    """Return the items and documents that only the release with this manifest has; empty if the release is not
    counterfactual."""
    own = manifest.get(KEY, {})
    return OwnMembers(frozenset(own.get("items", ())), frozenset(own.get("documents", ())))
