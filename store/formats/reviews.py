"""The reviews behind a release, as JSON lines: who decided what on which revision, the revisions themselves, so that how much
people changed can be counted, and the comments under the items. What was undone is left out. Names stand as they are in the
workspace. Read into one that holds the same items, reviews, revisions and comments are its own too."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, get_args

from core.errors import BenchError
from core.nouns import Comment, Review, Role, Span
from store.format import Bundle, Format, Revision
from store.formats._folder import finish, write_lines
from store.formats._lines import LONGEST_ANSWER, read_lines, refusal
from store.formats._withheld import split_of

NAME = re.compile(r"\S(?:.{0,198}\S)?", re.DOTALL)
"""An id or a person."""
COMMENTS, REVISIONS = "comments.jsonl", "revisions.jsonl"
Known = TypeVar("Known", Review, Comment, Revision)


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """reviews.jsonl, revisions.jsonl and comments.jsonl. Of a withheld item no words are told: they may hold the answer."""
    splits = split_of(bundle)
    closed = frozenset(item.id for item in bundle.items if splits.get(item.id, "test") in withheld)
    owner = {variant.id: variant.item for variant in bundle.variants}
    write_lines(folder / "reviews.jsonl", _reviews(bundle, closed, owner))
    write_lines(folder / REVISIONS, _revisions(bundle, closed))
    write_lines(folder / COMMENTS, _comments(bundle, closed))
    finish(bundle, folder, withheld)


def _reviews(bundle: Bundle, closed: frozenset[str], owner: dict[str, str]) -> Iterator[dict[str, Any]]:
    for r in sorted(bundle.reviews, key=lambda r: (r.item, r.at, r.id)):
        is_open = owner.get(r.item, r.item) not in closed
        yield {
            "id": r.id, "item": r.item, "revision": r.revision, "person": r.person, "decision": r.decision,
            "reason": r.reason if is_open else None, "comment": r.comment if is_open else None, "seconds": r.seconds,
            "at": r.at, "details": dict(r.details) if is_open else None, "role": r.role,
        }  # fmt: skip


def _revisions(bundle: Bundle, closed: frozenset[str]) -> Iterator[dict[str, Any]]:
    for r in sorted(bundle.history, key=lambda r: (r.item, r.revision, r.at)):
        is_open = r.item not in closed
        yield {
            "item": r.item, "revision": r.revision, "base": r.base, "by": r.by, "at": r.at,
            "question": r.question if is_open else None, "answers": list(r.answers) if is_open else None,
            "evidence": [{"document": s.document, "start": s.start, "end": s.end} for s in r.evidence] if is_open else None,
            "labels": dict(r.labels) if is_open else None, "overlap": r.overlap if is_open else None,
        }  # fmt: skip


def _comments(bundle: Bundle, closed: frozenset[str]) -> Iterator[dict[str, Any]]:
    for c in sorted(bundle.comments, key=lambda c: (c.item, c.at, c.id)):
        yield {
            "id": c.id, "item": c.item, "person": c.person, "at": c.at, "text": None if c.item in closed else c.text,
            "taken_back_at": c.taken_back_at or None,
        }  # fmt: skip


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
    return Bundle(reviews=list(made.found.values()), comments=list(said.found.values()), refused=refused, lines=made.lines,
                  comment_lines=said.lines, history=list(put.found.values()) if put else ())  # fmt: skip


class _Lines(NamedTuple, Generic[Known]):
    """What the lines of a file hold."""

    found: dict[str, Known]
    """By id."""
    lines: dict[str, int]
    """The line of each."""
    refused: list[Mapping[str, Any]]


def _lines(
    file: Path, read_one: Callable[[Mapping[str, Any]], Known | None], id_of: Callable[[Any], str] = lambda one: str(one.id)
) -> _Lines[Known]:  # fmt: skip
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
            refused.append(refusal(file.name, number, str(error)))
        else:
            found[id_], lines[id_] = one, number
    return _Lines(found, lines, refused)


def _review(record: Mapping[str, Any]) -> Review:
    """Raises ValueError with the end of a sentence."""
    for name in ("id", "item", "person"):
        if not isinstance(record.get(name), str) or not NAME.fullmatch(record[name]):
            raise ValueError(f"has no usable {name}")
    if record.get("decision") not in ("accept", "discard"):
        raise ValueError("has a decision that is neither accept nor discard")
    revision, seconds, details = record.get("revision"), record.get("seconds"), record.get("details")
    if not isinstance(revision, int) or isinstance(revision, bool) or not 1 <= revision < 2**31:
        raise ValueError("has no revision of 1 or more")
    if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, int | float)
                                or not math.isfinite(seconds) or seconds < 0):  # fmt: skip
        raise ValueError("has seconds that are no number of 0 or more")
    role = record.get("role", "")
    if role not in get_args(Role):
        raise ValueError("has a role that is none")
    reason, comment = record.get("reason"), record.get("comment")
    if reason is None or comment is None or details is None:
        raise ValueError("tells no words, for its item was withheld: import an export that withholds nothing")
    if not all(isinstance(text, str) and len(text) <= LONGEST_ANSWER for text in (reason, comment)):
        raise ValueError("has a reason or a comment that is none")
    if not isinstance(details, dict) or type(details.get("guideline", 0)) is not int or not _are_names(details.get("of", [])):
        raise ValueError("has details that are none")
    return Review(record["id"], record["item"], revision, record["person"], record["decision"], reason, comment,
                  None if seconds is None else float(seconds), _at(record.get("at")), details, role)  # fmt: skip


def _revision(record: Mapping[str, Any]) -> Revision | None:
    """None for one whose words were withheld, or that does not tell all of them. Raises ValueError with the end of a
    sentence."""
    if record.get("question") is None or "evidence" not in record:
        return None
    for name in ("item", "by"):
        if not isinstance(record.get(name), str) or not NAME.fullmatch(record[name]):
            raise ValueError(f"has no usable {name}")
    numbers = [record.get("revision"), record.get("base", None) or 1]
    if not all(type(one) is int and 1 <= one < 2**31 for one in numbers):
        raise ValueError("has no revision of 1 or more")
    question, answers, labels, overlap = (record.get(name) for name in ("question", "answers", "labels", "overlap"))
    texts = [question, *answers] if isinstance(answers, list) else [None]
    if not all(isinstance(text, str) and len(text) <= LONGEST_ANSWER for text in texts):
        raise ValueError("has a question or an answer that is none")
    if not isinstance(labels, dict) or (overlap is not None and not (type(overlap) in (int, float) and 0 <= overlap <= 1)):
        raise ValueError("has labels or an overlap that are none")
    return Revision(record["item"], record["revision"], str(question), tuple(map(str, texts[1:])), record["by"],
                    _at(record.get("at")), record.get("base"), _spans(record["evidence"]), labels, overlap)  # fmt: skip


def _spans(found: object) -> tuple[Span, ...]:
    if not isinstance(found, list) or not all(
        isinstance(one, dict) and isinstance(one.get("document"), str) and type(one.get("start")) is int
        and type(one.get("end")) is int and 0 <= one["start"] < one["end"] < 2**31 for one in found
    ):  # fmt: skip
        raise ValueError("has evidence that is none")
    return tuple(Span(one["document"], one["start"], one["end"]) for one in found)


def _are_names(found: object) -> bool:
    return isinstance(found, list) and all(isinstance(one, str) and NAME.fullmatch(one) for one in found)


def _comment(record: Mapping[str, Any]) -> Comment:
    """Raises ValueError with the end of a sentence."""
    for name in ("id", "item", "person"):
        if not isinstance(record.get(name), str) or not NAME.fullmatch(record[name]):
            raise ValueError(f"has no usable {name}")
    text, back = record.get("text"), record.get("taken_back_at")
    if text is None:
        raise ValueError("tells no words, for its item was withheld: import an export that withholds nothing")
    if not isinstance(text, str) or not text.strip() or len(text) > LONGEST_ANSWER:
        raise ValueError("has a text that is none")
    taken_back_at = "" if back is None else _at(back)
    return Comment(record["id"], record["item"], record["person"], text, _at(record.get("at")), taken_back_at)


def _at(value: object) -> str:
    """The time in the form that all of ours have, when it is one in UTC."""
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        at = None
    if at is None or at.utcoffset() != timedelta(0):
        raise ValueError("has no time `at` in UTC, as 2026-01-02T03:04:05+00:00")
    return at.isoformat(timespec="milliseconds")


FORMAT = Format(label="Reviews", write=write, read=read)
