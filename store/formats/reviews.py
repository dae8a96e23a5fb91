"""The reviews behind a release, as JSON lines: who decided what on which revision, and the revisions themselves, so that how
much people changed can be counted. What was undone is left out. Names stand as they are in the workspace."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from store.format import Bundle, Format
from store.formats._card import split_of
from store.formats._folder import finish, write_lines


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """reviews.jsonl and revisions.jsonl. Of a withheld item no words are told: a comment may hold the answer."""
    splits = split_of(bundle)
    closed = frozenset(item.id for item in bundle.items if splits.get(item.id, "test") in withheld)
    owner = {variant.id: variant.item for variant in bundle.variants}
    write_lines(folder / "reviews.jsonl", _reviews(bundle, closed, owner))
    write_lines(folder / "revisions.jsonl", _revisions(bundle, closed))
    finish(bundle, folder, withheld)


def _reviews(bundle: Bundle, closed: frozenset[str], owner: dict[str, str]) -> Iterator[dict[str, Any]]:
    for r in sorted(bundle.reviews, key=lambda r: (r.item, r.at, r.id)):
        is_open = owner.get(r.item, r.item) not in closed
        yield {
            "id": r.id, "item": r.item, "revision": r.revision, "person": r.person, "decision": r.decision,
            "reason": r.reason if is_open else None, "comment": r.comment if is_open else None, "seconds": r.seconds,
            "at": r.at, "details": dict(r.details) if is_open else None,
        }  # fmt: skip


def _revisions(bundle: Bundle, closed: frozenset[str]) -> Iterator[dict[str, Any]]:
    for r in sorted(bundle.history, key=lambda r: (r.item, r.revision, r.at)):
        is_open = r.item not in closed
        yield {
            "item": r.item, "revision": r.revision, "by": r.by, "at": r.at, "question": r.question if is_open else None,
            "answers": list(r.answers) if is_open else None,
        }  # fmt: skip


FORMAT = Format(label="Reviews", write=write)
