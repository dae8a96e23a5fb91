"""Read and write the reviews of a release's items that are in effect as JSON lines, with the comments on the items and the
revisions that show what people changed. The files contain people's names as the workspace spells them. Another workspace with
the same items can import all these records."""

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
from store.formats._withheld import select_withheld

WITHHELD_MESSAGE = "contains no texts, because its item was withheld: import an export that withholds nothing"
REVIEWS, COMMENTS, REVISIONS = "reviews.jsonl", "comments.jsonl", "revisions.jsonl"
Record = TypeVar("Record", Review, Comment, Revision)


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write three files of JSON lines: reviews, revisions and comments. The records of withheld items contain no texts, which
    could reveal the answer."""
    hidden = select_withheld(bundle, withheld)
    owner = {variant.id: variant.item for variant in bundle.variants}
    write_lines(folder / REVIEWS, _build_reviews(bundle, hidden, owner))
    write_lines(folder / REVISIONS, _build_revisions(bundle, hidden))
    write_lines(folder / COMMENTS, _build_comments(bundle, hidden))
    write_common_files(bundle, folder, withheld)


def _build_reviews(bundle: Bundle, hidden: frozenset[str], owner: dict[str, str]) -> Iterator[dict[str, Any]]:
    for r in sorted(bundle.reviews, key=lambda r: (r.item, r.at, r.id)):
        is_open = owner.get(r.item, r.item) not in hidden
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


def _build_revisions(bundle: Bundle, hidden: frozenset[str]) -> Iterator[dict[str, Any]]:
    for r in sorted(bundle.history, key=lambda r: (r.item, r.revision, r.at)):
        is_open = r.item not in hidden
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


def _build_comments(bundle: Bundle, hidden: frozenset[str]) -> Iterator[dict[str, Any]]:
    for c in sorted(bundle.comments, key=lambda c: (c.item, c.at, c.id)):
        yield {
            "id": c.id,
            "item": c.item,
            "person": c.person,
            "at": c.at,
            "text": None if c.item in hidden else c.text,
            "taken_back_at": c.taken_back_at or None,
        }


def read(path: Path) -> Bundle:
    """Read the reviews, revisions and comments of an exported folder, or only the reviews of a single reviews.jsonl. A line
    with wrong fields or types is rejected with a reason, and the rest is still read. A single file must have reviews; the
    export of a release may have none."""
    file = path / REVIEWS if path.is_dir() else path
    if not file.is_file():
        raise BenchError(f"{path} holds no {REVIEWS}: give a folder exported with --format reviews, or that file.")
    reviews = _read_records(file, _parse_review)
    revisions = _read_records(path / REVISIONS, _parse_revision, lambda revision: f"{revision.item}@{revision.revision}")
    comments = _read_records(path / COMMENTS, _parse_comment)
    refused = [*reviews.refused, *revisions.refused, *comments.refused]
    if not reviews.records and not comments.records and not refused and not (path / "manifest.json").is_file():
        raise BenchError(f"{file} holds no reviews: give one JSON object per line.")
    return Bundle(
        reviews=list(reviews.records.values()),
        comments=list(comments.records.values()),
        refused=refused,
        lines=reviews.lines,
        label_questions=_read_label_questions(path),
        comment_lines=comments.lines,
        history=list(revisions.records.values()),
    )


def _read_label_questions(path: Path) -> list[Any]:
    """Return the records of the label questions in the manifest of an exported folder; an empty list if there is no
    manifest."""
    try:
        manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8")) if path.is_dir() else {}
    except (OSError, ValueError, RecursionError):
        return []
    questions = manifest.get("label_questions") if isinstance(manifest, dict) else None
    return questions if isinstance(questions, list) else []


class _Lines(NamedTuple, Generic[Record]):
    """The records read from one file of JSON lines."""

    records: dict[str, Record]
    """Dict from the id of each record to the record."""
    lines: dict[str, int]
    """Dict from the id of each record to its line number in the file."""
    refused: list[Mapping[str, Any]]


def _read_records(
    file: Path, read_record: Callable[[Mapping[str, Any]], Record | None], id_of: Callable[[Any], str] = lambda r: str(r.id)
) -> _Lines[Record]:
    """Read the lines of the file, if it exists. A line for which `read_record` returns None is left out."""
    records: dict[str, Record] = {}
    lines: dict[str, int] = {}
    refused: list[Mapping[str, Any]] = []
    for number, line, why in read_lines(file) if file.is_file() else ():
        try:
            if line is None:
                raise ValueError(why)
            record = read_record(line)
            if record is None:
                continue
            id_ = id_of(record)
            if id_ in records:
                raise ValueError(f"repeats the id of line {lines[id_]}")
        except ValueError as error:
            refused.append(describe_refusal(file.name, number, str(error)))
        else:
            records[id_], lines[id_] = record, number
    return _Lines(records, lines, refused)


def _parse_review(record: Mapping[str, Any]) -> Review:
    """Parse a record as a review. If reason, comment and details are all null, they were withheld; if only one of them is null,
    it is an empty field. Raises ValueError if the record is faulty; the caller adds the position in the file to the message."""
    if all(name in record and record[name] is None for name in ("reason", "comment", "details")):
        raise ValueError(WITHHELD_MESSAGE)
    check_shape(record, ReviewShape)
    _check_names(record, "id", "item", "person")
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
        details=dict(record.get("details") or {}),
        role=record.get("role") or "",
    )


def _parse_revision(record: Mapping[str, Any]) -> Revision | None:
    """Parse a record as a revision, or return None if its texts were withheld or are incomplete. Raises ValueError if the
    record is faulty; the caller adds the position in the file to the message."""
    if record.get("question") is None or "evidence" not in record:
        return None
    check_shape(record, RevisionShape)
    _check_names(record, "item", "by")
    spans = tuple(Span(s["document"], s["start"], s["end"]) for s in record["evidence"])
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


def _parse_comment(record: Mapping[str, Any]) -> Comment:
    """Parse a record as a comment. Raises ValueError if the record is faulty; the caller adds the position in the file to the
    message."""
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
            raise ValueError(f"has leading or trailing white space in its {name}, {record[name][:40]!r}")


def _parse_time(record: Mapping[str, Any], field: str) -> str:
    """Return the time in the field `field`, written as the database stores it, with milliseconds. Raises ValueError if the
    field does not contain a time in UTC."""
    try:
        at = datetime.fromisoformat(record[field])
    except ValueError:
        at = None
    if at is None or at.utcoffset() != timedelta(0):
        raise ValueError(f"has no time `{field}` in UTC, such as 2026-01-02T03:04:05+00:00")
    return at.isoformat(timespec="milliseconds")


FORMAT = Format(label="Reviews", write=write, read=read, decides=True)
