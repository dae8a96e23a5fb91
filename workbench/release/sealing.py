"""Seals releases: in the public manifest, and in every export, commitments stand for the gold answers and all that depends on
them, until the seal is opened."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.as_json import Json
from core.errors import BenchError
from core.ids import SEAL, commit, draw_salt
from core.installation import COMMAND
from core.nouns import Item, Release
from core.quality.conversations import LABEL
from core.records import item_record
from core.retrieval.absence import twin_record
from store.engine.database import Database
from store.format import Bundle
from store.formats._withheld import withheld_documents
from store.formats.shipped.verify import wrong_openings
from store.items.language_pairs import KEY as PAIRS
from store.releases import board_entries, seals
from store.releases.absence_twins import KEY as TWINS
from store.releases.manifest import release_hash
from store.releases.releases import ReleaseMembers
from store.releases.seals import MANIFEST, Seal, SealedPart
from workbench.build.corpus.sources import cutter
from workbench.release.frozen import frozen_nuggets

SHOWN_LABELS = ("choices",)
"""Labels of a sealed item that exports show: a system needs them to answer."""
_PUBLIC_ID_BYTES = 8


def make_seal(
    database: Database, manifest: Mapping[str, Any], content: ReleaseMembers, open_splits: Sequence[str] = ()
) -> Seal:
    """Return a new seal of a release whose whole manifest is `manifest`. All splits but `open_splits` are sealed. Raises
    BenchError if a split of this name does not exist, if none would be sealed, or if the release has conversations."""
    splits = {row["split"] for row in manifest["items"]}
    if unknown := sorted(set(open_splits) - splits):
        raise BenchError(f"The release has no split {unknown[0]!r} to leave open; it has: {', '.join(sorted(splits))}.")
    sealed = sorted(splits - set(open_splits))
    if not sealed:
        raise BenchError("Every split would stay open, so nothing would be sealed: leave one split out of --open-split.")
    if any(LABEL in item.labels for item in content.items):
        raise BenchError(
            "A sealed release shows each question alone, and a follow-up of a conversation is not understood alone: freeze the "
            "release without the task conversation."
        )
    contents = _list_contents(database, manifest, content, sealed)
    parts = []
    for item, own in contents.items():
        public_id, salt = secrets.token_hex(_PUBLIC_ID_BYTES), draw_salt()
        parts.append(SealedPart(public_id, item, salt, commit(salt, {"id": public_id, **own})))
    salt = draw_salt()
    parts.append(SealedPart(MANIFEST, "", salt, commit(salt, _wrap_manifest(manifest))))
    hidden = withheld_documents(Bundle(documents=content.documents, items=content.items, manifest=manifest), frozenset(sealed))
    public = _hide(manifest, parts, sealed, hidden)
    return Seal(release_hash(public), public, sealed, parts)


def list_openings(database: Database, seal: Seal, release: Release, content: ReleaseMembers) -> list[dict[str, Json]]:
    """Return what opens the seal, sorted by public id: {"salt", "content"} for each item and for the whole manifest."""
    contents = _list_contents(database, release.manifest, content, seal.splits)
    openings: list[dict[str, Json]] = []
    for part in sorted(seal.parts):
        if not part.item:
            openings.append({"salt": part.salt, "content": _wrap_manifest(release.manifest)})
        elif part.item in contents:
            openings.append({"salt": part.salt, "content": {"id": part.public_id, **contents[part.item]}})
    return openings


def find_problems(database: Database, seal: Seal, release: Release, content: ReleaseMembers) -> list[tuple[str, str]]:
    """Return (public id, problem) for each part of a sealed release that does not match its commitment in the public
    manifest."""
    lines = (json.dumps(opening) for opening in list_openings(database, seal, release, content))
    return [(str(one["id"]), str(one["message"])) for one in wrong_openings(lines, dict(seal.manifest))]


def redact(bundle: Bundle, seal: Seal) -> Bundle:
    """Return the bundle as an export of a sealed release has it. A format cannot write what the bundle does not contain: of a
    sealed item only the question and what a system needs to answer it are left, under its public id."""
    public = seal.public_ids
    documents = {row["id"] for row in seal.manifest["documents"]}
    return Bundle(
        documents=[document for document in bundle.documents if document.id in documents],
        items=[_strip(item, public[item.id]) if item.id in public else item for item in bundle.items],
        verdicts=[one for one in bundle.verdicts if one.item not in public],
        reviews=[one for one in bundle.reviews if one.item not in public],
        comments=[one for one in bundle.comments if one.item not in public],
        history=[one for one in bundle.history if one.item not in public],
        tables=bundle.tables,
        nugget_sets=[one for one in bundle.nugget_sets if one["item"] not in public],
        absence_twins=[one for one in bundle.absence_twins if one["item"] not in public],
        manifest=seal.manifest,
        name=bundle.name,
        hash=seal.release_hash,
        salts={item: salt for item, salt in bundle.salts.items() if item not in public},
        commitments={part.public_id: part.commitment for part in seal.parts},
    )


def check_open(database: Database, release: Release, what: str) -> None:
    """Raise BenchError if the release is sealed, because `what` would show its gold answers."""
    if seals.is_closed(database, release.hash):
        raise BenchError(
            f"The release {release.name} is sealed, and {what} would show its gold answers: open the seal first with "
            f"`{COMMAND} board open {release.name}`."
        )


def describe_opening(database: Database, release_hash: str) -> board_entries.BoardEntry | None:
    """Return the entry of a board's record that says who opened the seal of the release, or None if nobody has."""
    entries = board_entries.list_entries(database, release_hash)
    return next((entry for entry in entries if entry.kind == "opened"), None)


def _list_contents(
    database: Database, manifest: Mapping[str, Any], content: ReleaseMembers, splits: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return a dict from each item of the splits to what its commitment stands for, without its public id."""
    of_item, text = {row["id"]: row["split"] for row in manifest["items"]}, cutter(content.documents)
    nuggets = {str(record["item"]): record for record in frozen_nuggets.load_records(database, manifest)}
    twins = {twin.item: twin_record(twin) for twin in content.twins}
    return {
        item.id: {
            "split": of_item[item.id],
            "item": item_record(item, text),
            "nuggets": nuggets.get(item.id),
            "absence": twins.get(item.id),
        }
        for item in content.items
        if of_item[item.id] in splits
    }


def _wrap_manifest(manifest: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": MANIFEST, "manifest": dict(manifest)}


def _hide(
    manifest: Mapping[str, Any], parts: Sequence[SealedPart], splits: Sequence[str], hidden: frozenset[str]
) -> dict[str, Any]:
    """Return the public manifest: without the documents `hidden`, and without all that names a sealed item or depends on
    it."""
    sealed = {part.item: part for part in parts}
    rows = [
        {"id": part.public_id, "split": row["split"], "commitment": part.commitment} if (part := sealed.get(row["id"])) else row
        for row in manifest["items"]
    ]
    families = [family for family in manifest["splits"].get("families", ()) if not sealed.keys() & set(family)]
    public = {
        **manifest,
        "items": sorted(rows, key=lambda row: str(row["id"])),
        "variants": list(manifest["variants"]),
        "documents": [row for row in manifest["documents"] if row["id"] not in hidden],
        "splits": {name: value for name, value in manifest["splits"].items() if name != "families"}
        | ({"families": families} if families else {}),
        "seal": {"scheme": SEAL, "splits": list(splits), "manifest": sealed[""].commitment},
    }
    for key in ("left_out", "near_copies"):
        if kept := [name for name in public.pop(key, ()) if name not in hidden]:
            public[key] = kept
    if sets := [row for row in public.pop("nugget_sets", ()) if row["item"] not in sealed]:
        public["nugget_sets"] = sets
    twins = public.pop(TWINS, {"twins": ()})
    if own := [row for row in twins["twins"] if row["item"] not in sealed]:
        drawn = {name: value for name, value in twins.items() if name != "obstacles"}
        public[TWINS] = {**drawn, "twins": own}
    pairs = public.pop(PAIRS, {"pairs": ()})["pairs"]
    if kept := [row for row in pairs if not sealed.keys() & {row["item"], row["twin"]}]:
        public[PAIRS] = {"pairs": kept}
    return public


def _strip(item: Item, public_id: str) -> Item:
    """Return the item without its gold answers and all that depends on them, under its public id."""
    return replace(
        item,
        id=public_id,
        answers=(),
        evidence=(),
        given=(),
        steps=(),
        overlap=None,
        labels={name: item.labels[name] for name in SHOWN_LABELS if name in item.labels},
        provenance=replace(item.provenance, seed=None, calls=()),
    )
