"""The canonical manifest of a release, whose hash is the release's identity: what is in it, by content hash, and nothing about
when, where or under which name it was made."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.ids import content_hash
from core.label_questions import LabelQuestion, question_record
from core.nouns import Document, Item, Variant
from core.records import variant_record
from core.tables.nouns import Snapshot

SCHEMA = 1
"""Version of the manifest's own form."""


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
    """The manifest of (item, its record) pairs. `splits` maps item id -> split name; empty = one split, "test". `families` are
    the items of which no two may be in different splits, those that stand alone left out. `left_out` are documents that stand
    in the release for audit and not in its retrieval corpus, `near_copies` those among them that are no source themselves;
    `gold_included` says that there would be some, and that they were put into it. `tables` are what a run on it asks; of a name
    that has several snapshots, the first is for items that name none. `questions` are the label questions that items have
    answers to. No key is there where there is nothing to say."""
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
        **({"label_questions": [_question(one) for one in questions]} if questions else {}),
        **({"tables": [table._asdict() for table in tables]} if tables else {}),
    }


def release_hash(canonical: Mapping[str, Any]) -> str:
    """The release's identity."""
    return content_hash(dict(canonical))


def make_canary(hash_of_release: str) -> str:
    """A string in every exported folder (card, citation, page), by which a training set that swallowed them is known."""
    return f"benchwright-canary-{content_hash(['canary', hash_of_release]).removeprefix('b2:')}"


def _question(question: LabelQuestion) -> dict[str, Any]:
    """What a release tells of a label question: whether it is asked today is none of it."""
    return {name: value for name, value in question_record(question).items() if name != "retired"}
