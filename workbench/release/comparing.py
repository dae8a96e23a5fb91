"""Compare two releases: which items, variants, documents and tables were added, removed or changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.nouns import Item, Level, Release, Variant
from core.quality.counterfactual import read_origin
from store.items.language_pairs import list_frozen
from store.releases.contests import ERRATUM
from store.releases.releases import ReleaseMembers
from workbench.release.frozen.frozen_nuggets import list_changed


@dataclass(frozen=True, slots=True)
class ComparedRelease:
    """Name and hash of one of the two releases that are compared."""

    release: str
    hash: str


@dataclass(frozen=True, slots=True)
class EditedItem:
    """An item whose text differs between two releases. Each pair is (text in the first release, text in the second release)."""

    id: str
    revisions: tuple[int, int]
    question: tuple[str, str]
    answers: tuple[Sequence[str], Sequence[str]]
    evidence_changed: bool


@dataclass(frozen=True, slots=True)
class RelabelledItem:
    """An item with the same text in both releases, but with another split, level, domain or labels in the second. Each field is
    a pair: the value in the first release, and the value in the second."""

    id: str
    split: tuple[str, str]
    level: tuple[Level, Level]
    domain: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ChangedNames:
    """Documents (by id) or tables (by name) that are in only one of two releases."""

    added: Sequence[str]
    removed: Sequence[str]


@dataclass(frozen=True, slots=True)
class ChangedVariants:
    """Ids of the variants that two releases do not share, or that have another status; the text of a variant never changes."""

    added: Sequence[str]
    removed: Sequence[str]
    reviewed: Sequence[str]
    """Ids of variants that are in both releases with different statuses."""


@dataclass(frozen=True, slots=True)
class ReleaseDiff:
    """The changes from release `a` to release `b`."""

    a: ComparedRelease
    b: ComparedRelease
    added: Sequence[str]
    """Ids of the items that are only in release `b`."""
    removed: Sequence[str]
    edited: Sequence[EditedItem]
    relabelled: Sequence[RelabelledItem]
    variants: ChangedVariants
    documents: ChangedNames
    tables: ChangedNames
    nuggets: Sequence[str]
    """Ids of items that are in both releases with different nuggets (facts of the gold answer)."""
    twins: Sequence[str]
    """Ids of the items in both releases whose absence twins differ, or that have a twin in one of them only."""
    language_pairs: Sequence[str]
    """Ids of the items in both releases that have a twin in another language in one of them only, or another twin."""
    contests: Mapping[str, Sequence[str]]
    """If release `b` is an erratum of `a`, a dict from each changed item to the ids of the accepted contests; else empty."""


def compare_releases(a: tuple[Release, ReleaseMembers], b: tuple[Release, ReleaseMembers]) -> ReleaseDiff:
    """Return the changes from release `a` to release `b`, item by item. The changed copy of an item in a counterfactual release
    counts as this item, with its id."""
    (first, old), (second, new) = a, b
    before, after = ({_find_original(i): i for i in content.items} for content in (old, new))
    splits = [{row["id"]: row["split"] for row in release.manifest["items"]} for release in (first, second)]
    edited, relabelled = [], []
    for id_ in sorted(before.keys() & after.keys()):
        x, y = before[id_], after[id_]
        if (x.question, x.answers, x.evidence) != (y.question, y.answers, y.evidence):
            edited.append(
                EditedItem(
                    id_,
                    revisions=(x.revision, y.revision),
                    question=(x.question, y.question),
                    answers=(x.answers, y.answers),
                    evidence_changed=x.evidence != y.evidence,
                )
            )
        elif (x.labels, x.level, x.domain, splits[0][x.id]) != (y.labels, y.level, y.domain, splits[1][y.id]):
            relabelled.append(
                RelabelledItem(
                    id_,
                    split=(splits[0][x.id], splits[1][y.id]),
                    level=(x.level, y.level),
                    domain=(x.domain, y.domain),
                )
            )
    same = {id_ for id_ in before.keys() & after.keys() if before[id_].id == after[id_].id}
    docs = [{d.id for d in content.documents} for content in (old, new)]
    paired = [{pair[:2] for pair in list_frozen(release.manifest)} for release in (first, second)]
    entry = second.manifest.get(ERRATUM, {})
    changes = entry["changes"] if entry.get("hash") == first.hash else ()
    return ReleaseDiff(
        a=ComparedRelease(first.name, first.hash),
        b=ComparedRelease(second.name, second.hash),
        added=sorted(after.keys() - before.keys()),
        removed=sorted(before.keys() - after.keys()),
        edited=edited,
        relabelled=relabelled,
        variants=_compare_variants(old.variants, new.variants),
        documents=ChangedNames(added=sorted(docs[1] - docs[0]), removed=sorted(docs[0] - docs[1])),
        tables=ChangedNames(
            added=sorted({t.name for t in set(new.tables) - set(old.tables)}),
            removed=sorted({t.name for t in set(old.tables) - set(new.tables)}),
        ),
        nuggets=list_changed(first.manifest, second.manifest, same),
        twins=sorted({twin.item for twin in set(old.twins) ^ set(new.twins)} & same),
        language_pairs=sorted({name for pair in paired[0] ^ paired[1] for name in pair} & same),
        contests={change["item"]: [one["id"] for one in change["contests"]] for change in changes},
    )


def _find_original(item: Item) -> str:
    """Return the id of the item that this item is a changed copy of, or the item's own id."""
    origin = read_origin(item)
    return item.id if origin is None else origin.item


def _compare_variants(old: Sequence[Variant], new: Sequence[Variant]) -> ChangedVariants:
    """List the variants that are in only one of the releases, or whose status differs."""
    before, after = ({v.id: v for v in side} for side in (old, new))
    return ChangedVariants(
        added=sorted(after.keys() - before.keys()),
        removed=sorted(before.keys() - after.keys()),
        reviewed=sorted(id_ for id_ in before.keys() & after.keys() if before[id_].status != after[id_].status),
    )
