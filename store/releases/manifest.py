"""The canonical manifest of a release, whose hash is the release's identity: its content by hashes, without time, place or
name."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.ids import content_hash
from core.label_questions import LabelQuestion, question_record
from core.nouns import Document, Item, Variant
from core.records import variant_record
from core.tables.nouns import Snapshot

SCHEMA = 1
"""Version of the manifest's format."""


def build_manifest(
    items: Sequence[tuple[Item, Mapping[str, Any]]],
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
) -> dict[str, Any]:
    """The manifest of (item, its record) pairs; parts that are empty have no key.

    `splits`: item id -> split name; empty = one split, "test". `families`: groups of items that must be in one split, without
    single items. `left_out`: documents for audit that are not in the retrieval corpus; `near_copies`: those among them that are
    no source; `gold_included`: such documents were put into the retrieval corpus. `tables`: what a run uses; of several
    snapshots of one name, the first is for items that name none. `questions`: label questions that items have answers to."""
    return {
        "schema": SCHEMA,
        "items": [
            {"id": item.id, "revision": item.revision, "hash": content_hash(record), "split": splits.get(item.id, "test")}
            for item, record in sorted(items, key=lambda pair: pair[0].id)
        ],
        "variants": [{"id": v.id, "hash": content_hash(variant_record(v))} for v in sorted(variants, key=lambda v: v.id)],
        "documents": [{"id": d.id, "licence": d.licence} for d in sorted(documents, key=lambda d: d.id)],
        "splits": {"shares": dict(shares), "seed": seed, **({"families": [list(f) for f in families]} if families else {})},
        "unlicensed": unlicensed,
        **({"left_out": sorted(left_out)} if left_out else {}),
        **({"near_copies": sorted(near_copies)} if near_copies else {}),
        **({"gold_included": True} if gold_included else {}),
        **({"label_questions": [_encode_question(question) for question in questions]} if questions else {}),
        **({"tables": [table._asdict() for table in tables]} if tables else {}),
    }


def release_hash(canonical: Mapping[str, Any]) -> str:
    """The release's identity."""
    return content_hash(dict(canonical))


def make_canary(hash_of_release: str) -> str:
    """A string in every exported folder (card, citation, page) that reveals training sets which contain it."""
    return f"benchwright-canary-{content_hash(['canary', hash_of_release]).removeprefix('b2:')}"


def _encode_question(question: LabelQuestion) -> dict[str, Any]:
    """A label question in the manifest, without whether it is retired."""
    return {name: value for name, value in question_record(question).items() if name != "retired"}
