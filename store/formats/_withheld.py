"""Select what an export leaves out for a withheld split: the gold answers of its items, and documents with these answers that
systems cannot search."""

from collections.abc import Mapping
from typing import Any

from core.nouns import Item
from store.format import Bundle
from store.releases.absence_twins import KEY as TWINS
from store.releases.contests import ERRATUM

NAMES = "withheld_documents.txt"
"""Name of the file with the ids of the release's documents that the exported folder leaves out, one per line; written only if
there are any."""


def sort_items(bundle: Bundle) -> list[Item]:
    """Return the items sorted by id, which is the order in which every format writes items."""
    return sorted(bundle.items, key=lambda item: item.id)


def map_splits(bundle: Bundle) -> dict[str, str]:
    """Return a dict from item id to the name of the item's split."""
    return {row["id"]: row["split"] for row in bundle.manifest.get("items", ())}


def select_withheld(bundle: Bundle, withheld: frozenset[str]) -> frozenset[str]:
    """Return the ids of the items in the withheld splits."""
    splits = map_splits(bundle)
    return frozenset(item.id for item in bundle.items if splits.get(item.id, "test") in withheld)


def withheld_documents(bundle: Bundle, withheld: frozenset[str]) -> frozenset[str]:
    """Return the ids of the documents to withhold; systems can search none of them. Withheld are the sources of withheld
    answers and the documents that contain such an answer verbatim. If any document is withheld, near copies of sources are
    withheld too."""
    left_out, hidden = set(bundle.manifest.get("left_out", ())), select_withheld(bundle, withheld)
    items = [item for item in bundle.items if item.id in hidden]
    sources = {item.labels.get("source") for item in items} | {span.document for item in items for span in item.evidence}
    answers = {answer for item in items for answer in item.answers if answer.strip()}
    excluded = {
        d.id for d in bundle.documents if d.id in left_out and (d.id in sources or any(answer in d.text for answer in answers))
    }
    return frozenset(excluded | set(bundle.manifest.get("near_copies", ())) if excluded else excluded)


def hide_hashes(manifest: Mapping[str, Any], withheld: frozenset[str]) -> dict[str, Any]:
    """Return the manifest without the hashes of whole items in the withheld splits, of their nuggets and of their absence
    twins. These hashes have no salt, so somebody who guesses an answer could confirm it. The hash of the release cannot be
    computed from the result. The manifest of a sealed release has no such hashes and stays as it is."""
    hidden = {row["id"] for row in manifest.get("items", ()) if row["split"] in withheld and "commitment" not in row}
    if not hidden:
        return dict(manifest)
    shown = {**manifest, "items": [_without_hash(row) if row["id"] in hidden else row for row in manifest["items"]]}
    if "nugget_sets" in manifest:
        shown["nugget_sets"] = [row for row in manifest["nugget_sets"] if row["item"] not in hidden]
    if TWINS in manifest:
        twins = [row for row in manifest[TWINS]["twins"] if row["item"] not in hidden]
        shown[TWINS] = {**manifest[TWINS], "twins": twins}
    if ERRATUM in manifest:
        changes = [_hide_change(change, hidden) for change in manifest[ERRATUM]["changes"]]
        shown[ERRATUM] = {**manifest[ERRATUM], "changes": changes}
    return shown


def _hide_change(change: Mapping[str, Any], hidden: set[str]) -> dict[str, Any]:
    """Return an erratum's record of a change without hashes of withheld items. A withdrawn item is in no split any more, so its
    hash is left out too."""
    if change["after"] is not None and change["item"] not in hidden:
        return dict(change)
    return {**change, **{side: change[side] and _without_hash(change[side]) for side in ("before", "after")}}


def _without_hash(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "hash"}
