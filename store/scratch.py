"""Scratch in and out: what a person has typed on an item and not submitted, the last state of it alone. It goes in the
transaction of the decision that makes it needless."""

from dataclasses import dataclass
from typing import Any

from core.nouns import Span
from store.columns import from_json, now, pair_key, storable, to_json
from store.database import Cursor, Database

_ALL = "person, item, revision, words, seconds, made_at"


@dataclass(frozen=True, slots=True)
class Scratch:
    """One person's unsubmitted words on one item."""

    person: str
    item: str
    revision: int
    """The revision that was on the screen."""
    question: str
    answer: str
    evidence: tuple[Span, ...] = ()
    seconds: float | None = None
    """Active seconds so far, over all visits."""
    at: str = ""
    """UTC, ISO format."""


def put(database: Database, scratch: Scratch) -> Scratch | None:
    """Keep it in the place of what was there; returns it with its time, None when there is no such item."""
    at = scratch.at or now()
    places = [[span.document, span.start, span.end] for span in scratch.evidence]
    words = to_json({"question": scratch.question, "answer": scratch.answer, "evidence": places})
    row = [pair_key(scratch.person, scratch.item), scratch.item, scratch.person, scratch.revision, words, scratch.seconds, at]

    def write(cursor: Cursor) -> bool:
        if not cursor.execute("SELECT 1 FROM state WHERE item = ?", [scratch.item]).fetchall():
            return False
        cursor.execute(
            """
            INSERT INTO scratch (key, item, person, revision, words, seconds, made_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (key) DO UPDATE SET
                revision = excluded.revision, words = excluded.words, seconds = excluded.seconds, made_at = excluded.made_at
            """,
            [storable(value) if isinstance(value, str) else value for value in row],
        )
        return True

    return get(database, scratch.person, scratch.item) if database.write(write) else None


def get(database: Database, person: str, item: str) -> Scratch | None:
    """What that person left on that item; None when nothing."""
    rows = database.rows(f"SELECT {_ALL} FROM scratch WHERE key = ?", [pair_key(person, item)])
    return _scratch(rows[0]) if rows else None


def of_person(database: Database, person: str, limit: int = 20) -> list[Scratch]:
    """What that person left anywhere, newest first."""
    sql = f"SELECT {_ALL} FROM scratch WHERE person = ? ORDER BY made_at DESC, item LIMIT ?"
    return [_scratch(row) for row in database.rows(sql, [person, limit])]


def drop(cursor: Cursor, person: str, item: str) -> None:
    """Forget it, within a transaction of the caller's."""
    cursor.execute("DELETE FROM scratch WHERE key = ?", [pair_key(person, item)])


def _scratch(row: tuple[Any, ...]) -> Scratch:
    person, item, revision, words, seconds, at = row
    found = from_json(words)
    spans = tuple(Span(*triple) for triple in found["evidence"])
    return Scratch(person, item, revision, found["question"], found["answer"], spans, seconds, at)
