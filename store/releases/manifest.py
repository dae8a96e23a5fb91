"""Build the canonical manifest of a release, which lists the hashes of its contents, but neither time, place nor name. The hash
of the manifest identifies the release."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from core.ids import content_hash
from core.label_questions import LabelQuestion, question_record
from core.nouns import Document, Item, Variant
from core.records import variant_record
from core.tables.nouns import Snapshot

SCHEMA = 1
"""Version of the format of release manifests."""


def build_manifest(
    items: Iterable[tuple[Item, Mapping[str, Any]]],
    variants: Sequence[Variant],
    documents: Sequence[Document],
    splits: Mapping[str, str],
    shares: Mapping[str, float],
    seed: int,
    unlicensed: str | None = None,
    left_out: Collection[str] = (),
    gold_included: bool = False,
    families: Sequence[Sequence[str]] = (),
    near_copies: Collection[str] = (),
    tables: Sequence[Snapshot] = (),
    questions: Sequence[LabelQuestion] = (),
    nugget_sets: Sequence[Mapping[str, str]] = (),
    absence_twins: Mapping[str, Any] = MappingProxyType({}),
    counterfactual: Mapping[str, Any] = MappingProxyType({}),
    language_pairs: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the manifest of a release, given its items as (item, the item's record) pairs. Optional parts of the manifest that
    are empty are left out. The pairs are read one at a time, so they need not all be in memory.

    `splits`: dict from item id to split name; empty = one split, "test". `families`: groups of at least two items that must be
    in the same split. `left_out`: documents that are in the release for audit, but not in the retrieval corpus. `near_copies`:
    documents in `left_out` that are near copies of a source. `gold_included`: whether the source documents are in the retrieval
    corpus. `tables`: tables that a run uses; if several snapshots have the same name, the first is for items that specify no
    snapshot. `questions`: label questions to which items have answers. `nugget_sets`: {"item", "gold", "hash"} of
    the nugget sets of items. `absence_twins`: how twins were drawn and the hash of each (store/releases/absence_twins.py).
    `counterfactual`: which release this one was made from by replacing gold answers, how they were drawn, and the ids of the
    items and documents that no other release has (workbench/release/counterfactual.py). `language_pairs`: pairs of items that
    ask the same in two languages (store/items/language_pairs.py)."""
    return {
        "schema": SCHEMA,
        "items": sorted(
            (
                {"id": item.id, "revision": item.revision, "hash": content_hash(record), "split": splits.get(item.id, "test")}
                for item, record in items
            ),
            key=itemgetter("id"),
        ),
        "variants": [{"id": v.id, "hash": content_hash(variant_record(v))} for v in sorted(variants, key=lambda v: v.id)],
        "documents": [{"id": d.id, "licence": d.licence} for d in sorted(documents, key=lambda d: d.id)],
        "splits": {"shares": dict(shares), "seed": seed, **({"families": [list(f) for f in families]} if families else {})},
        "unlicensed": unlicensed,
        **({"left_out": sorted(left_out)} if left_out else {}),
        **({"near_copies": sorted(near_copies)} if near_copies else {}),
        **({"gold_included": True} if gold_included else {}),
        **({"label_questions": [_encode_question(question) for question in questions]} if questions else {}),
        **({"nugget_sets": [dict(row) for row in nugget_sets]} if nugget_sets else {}),
        **({"absence_twins": dict(absence_twins)} if absence_twins else {}),
        **({"counterfactual": dict(counterfactual)} if counterfactual else {}),
        **({"language_pairs": dict(language_pairs)} if language_pairs else {}),
        **({"tables": [table._asdict() for table in tables]} if tables else {}),
    }


def change_items(manifest: Mapping[str, Any], changes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the manifest with some items in a new state, or without them. A change has the id of the `item`, and its state
    `after` ({"revision", "hash"}, or None for an item that is left out)."""
    after = {change["item"]: change["after"] for change in changes}
    gone = {id_ for id_, state in after.items() if state is None}
    rows = [{**row, **(after.get(row["id"]) or {})} for row in manifest["items"] if row["id"] not in gone]
    families = [[id_ for id_ in family if id_ not in gone] for family in manifest["splits"].get("families", ())]
    splits = dict(manifest["splits"]) | ({"families": [f for f in families if len(f) > 1]} if families else {})
    return {**manifest, "items": rows, "splits": splits}


def change_gold_sets(
    manifest: Mapping[str, Any], new_sets: Sequence[Mapping[str, str]], changed: Collection[str]
) -> dict[str, Any]:
    """Return the manifest without the nugget sets, absence twins and language pairs of changed items, and with the nugget sets
    `new_sets`. A pair of a changed item goes, because its twin was not changed along with it."""
    rows = [row for row in manifest.get("nugget_sets", ()) if row["item"] not in changed]
    rows = sorted([*rows, *new_sets], key=lambda row: (row["item"], row["gold"]))
    own = ("nugget_sets", "absence_twins", "language_pairs")
    rest = {name: value for name, value in manifest.items() if name not in own}
    if rows:
        rest["nugget_sets"] = rows
    if twins := manifest.get("absence_twins"):
        rest["absence_twins"] = {**twins, "twins": [row for row in twins["twins"] if row["item"] not in changed]}
    pairs = manifest.get("language_pairs", {"pairs": ()})["pairs"]
    if kept := [row for row in pairs if not {row["item"], row["twin"]} & set(changed)]:
        rest["language_pairs"] = {"pairs": kept}
    return rest


def release_hash(canonical: Mapping[str, Any]) -> str:
    """Return the hash of the canonical manifest, which identifies the release."""
    return content_hash(dict(canonical))


def make_canary(hash_of_release: str) -> str:
    """Return the canary string, which every exported folder contains in its dataset card, citation and HTML page. If a training
    set contains the canary string, it contains the release."""
    return f"benchwright-canary-{content_hash(['canary', hash_of_release]).removeprefix('b2:')}"


def _encode_question(question: LabelQuestion) -> dict[str, Any]:
    """Return the manifest's record of a label question. The record does not say whether the question is retired."""
    return {name: value for name, value in question_record(question).items() if name != "retired"}
