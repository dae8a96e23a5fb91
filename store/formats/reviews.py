"""The reviews behind a release, as JSON lines: who decided what on which revision, the revisions themselves, so that how much
people changed can be counted, and the comments under the items. What was undone is left out. Names stand as they are in the
workspace. Read into one that holds the same items, reviews, revisions and comments are its own too."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from core.errors import BenchError
from core.nouns import Comment, Review, Span
from core.shapes import CommentShape, ReviewShape, RevisionShape, check_shape
from store.format import Bundle, Format, Revision
from store.formats._folder import write_common_files, write_lines
from store.formats._lines import describe_refusal, read_lines
from store.formats._withheld import map_splits

WITHHELD_MESSAGE = "tells no words, for its item was withheld: import an export that withholds nothing"
COMMENTS, REVISIONS = "comments.jsonl", "revisions.jsonl"
Known = TypeVar("Known", Review, Comment, Revision)


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """reviews.jsonl, revisions.jsonl and comments.jsonl. Of a withheld item no words are told: they may hold the answer."""
    splits = map_splits(bundle)
    closed = frozenset(item.id for item in bundle.items if splits.get(item.id, "test") in withheld)
    owner = {variant.id: variant.item for variant in bundle.variants}
    write_lines(folder / "reviews.jsonl", _reviews(bundle, closed, owner))
    write_lines(folder / REVISIONS, _revisions(bundle, closed))
    write_lines(folder / COMMENTS, _comments(bundle, closed))
    write_common_files(bundle, folder, withheld)


def _reviews(bundle: Bundle, closed: frozenset[str], owner: dict[str, str]) -> Iterator[dict[str, Any]]:
    for r in sorted(bundle.reviews, key=lambda r: (r.item, r.at, r.id)):
        is_open = owner.get(r.item, r.item) not in closed
        yield {
            "id": r.id,
            "item": r.item,
            "revision": r.revision,
            "person": r.person,
            "decision": r.decision,
            "reason": r.reason if is_open else None,
            "comment": r.comment if is_open else None,
            "seconds": r.seconds,
            "at": r.at,
            "details": dict(r.details) if is_open else None,
            "role": r.role,
        }


def _revisions(bundle: Bundle, closed: frozenset[str]) -> Iterator[dict[str, Any]]:
    for r in sorted(bundle.history, key=lambda r: (r.item, r.revision, r.at)):
        is_open = r.item not in closed
        yield {
            "item": r.item,
            "revision": r.revision,
            "base": r.base,
            "by": r.by,
            "at": r.at,
            "question": r.question if is_open else None,
            "answers": list(r.answers) if is_open else None,
            "evidence": [{"document": s.document, "start": s.start, "end": s.end} for s in r.evidence] if is_open else None,
            "labels": dict(r.labels) if is_open else None,
            "overlap": r.overlap if is_open else None,
        }


def _comments(bundle: Bundle, closed: frozenset[str]) -> Iterator[dict[str, Any]]:
    for c in sorted(bundle.comments, key=lambda c: (c.item, c.at, c.id)):
        yield {
            "id": c.id,
            "item": c.item,
            "person": c.person,
            "at": c.at,
            "text": None if c.item in closed else c.text,
            "taken_back_at": c.taken_back_at or None,
        }


def read(path: Path) -> Bundle:
    """The reviews and comments of an exported folder, or the reviews of its reviews.jsonl alone; a line that is neither is
    refused."""
    file = path / "reviews.jsonl" if path.is_dir() else path
    if not file.is_file():
        raise BenchError(f"{path} holds no reviews.jsonl: give a folder exported with --format reviews, or that file.")
    aside = path / COMMENTS
    made = _lines(file, _review)
    said = _lines(aside, _comment) if path.is_dir() and aside.is_file() else _Lines[Comment]({}, {}, [])
    words = path / REVISIONS
    put = _lines(words, _revision, lambda one: f"{one.item}@{one.revision}") if path.is_dir() and words.is_file() else None
    refused = [*made.refused, *(put.refused if put else ()), *said.refused]
    if not made.found and not said.found and not refused:
        raise BenchError(f"{file} holds no reviews: give one JSON object a line.")
    return Bundle(
        reviews=list(made.found.values()),
        comments=list(said.found.values()),
        refused=refused,
        lines=made.lines,
        label_questions=_label_questions(path),
        comment_lines=said.lines,
        history=list(put.found.values()) if put else (),
    )


def _label_questions(path: Path) -> list[Any]:
    """Records of the label questions of an exported folder; none where it has no manifest that tells them."""
    try:
        manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8")) if path.is_dir() else {}
    except (OSError, ValueError, RecursionError):
        return []
    found = manifest.get("label_questions") if isinstance(manifest, dict) else None
    return found if isinstance(found, list) else []


class _Lines(NamedTuple, Generic[Known]):
    """What the lines of a file hold."""

    found: dict[str, Known]
    """By id."""
    lines: dict[str, int]
    """The line of each."""
    refused: list[Mapping[str, Any]]


def _lines(
    file: Path, read_one: Callable[[Mapping[str, Any]], Known | None], id_of: Callable[[Any], str] = lambda one: str(one.id)
) -> _Lines[Known]:
    """Every line of the file, those that cannot be read refused; what is None is left out."""
    found: dict[str, Known] = {}
    lines: dict[str, int] = {}
    refused: list[Mapping[str, Any]] = []
    for number, record, why in read_lines(file):
        try:
            if record is None:
                raise ValueError(why)
            one = read_one(record)
            if one is None:
                continue
            id_ = id_of(one)
            if id_ in found:
                raise ValueError(f"repeats the id of line {lines[id_]}")
        except ValueError as error:
            refused.append(describe_refusal(file.name, number, str(error)))
        else:
            found[id_], lines[id_] = one, number
    return _Lines(found, lines, refused)


def _review(record: Mapping[str, Any]) -> Review:
    """Raises ValueError with the end of a sentence. Where all words are null, they were withheld; where one is, none was
    written."""
    if all(name in record and record[name] is None for name in ("reason", "comment", "details")):
        raise ValueError(WITHHELD_MESSAGE)
    check_shape(record, ReviewShape)
    _check_names(record, "id", "item", "person")
    details = dict(record.get("details") or {})
    return Review(
        id=record["id"],
        item=record["item"],
        revision=record["revision"],
        person=record["person"],
        decision=record["decision"],
        reason=record.get("reason") or "",
        comment=record.get("comment") or "",
        seconds=None if record.get("seconds") is None else float(record["seconds"]),
        at=_parse_time(record, "at"),
        details=details,
        role=record.get("role") or "",
    )


def _revision(record: Mapping[str, Any]) -> Revision | None:
    """None for one whose words were withheld, or that does not tell all of them. Raises ValueError with the end of a
    sentence."""
    if record.get("question") is None or "evidence" not in record:
        return None
    check_shape(record, RevisionShape)
    _check_names(record, "item", "by")
    spans = tuple(Span(one["document"], one["start"], one["end"]) for one in record["evidence"])
    if any(span.start >= span.end for span in spans):
        raise ValueError("has an evidence span that ends before it begins")
    return Revision(
        record["item"],
        record["revision"],
        record["question"],
        tuple(record["answers"]),
        record["by"],
        _parse_time(record, "at"),
        record.get("base"),
        spans,
        record["labels"],
        record.get("overlap"),
    )


def _comment(record: Mapping[str, Any]) -> Comment:
    """Raises ValueError with the end of a sentence."""
    if "text" in record and record["text"] is None:
        raise ValueError(WITHHELD_MESSAGE)
    check_shape(record, CommentShape)
    _check_names(record, "id", "item", "person")
    if not record["text"].strip():
        raise ValueError("has an empty text")
    taken_back_at = "" if record.get("taken_back_at") is None else _parse_time(record, "taken_back_at")
    return Comment(record["id"], record["item"], record["person"], record["text"], _parse_time(record, "at"), taken_back_at)


def _check_names(record: Mapping[str, Any], *names: str) -> None:
    for name in names:
        if record[name] != record[name].strip():
            raise ValueError(f"has a space around its {name}, {record[name][:40]!r}")


def _parse_time(record: Mapping[str, Any], field: str) -> str:
    """The time in the form that all of ours have, when it is one in UTC."""
    try:
        at = datetime.fromisoformat(record[field])
    except ValueError:
        at = None
    if at is None or at.utcoffset() != timedelta(0):
        raise ValueError(f"has no time `{field}` in UTC, as 2026-01-02T03:04:05+00:00")
    return at.isoformat(timespec="milliseconds")


FORMAT = Format(label="Reviews", write=write, read=read)
