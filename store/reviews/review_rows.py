"""Reviews as rows: how they stand in the table, and go in."""

from collections.abc import Sequence
from typing import Any

from core.nouns import Review
from store.engine.columns import from_json, insert_rows, replace_surrogates, to_json
from store.engine.database import Cursor

_COLUMNS = {
    "id": "VARCHAR",
    "item": "VARCHAR",
    "revision": "INTEGER",
    "person": "VARCHAR",
    "decision": "VARCHAR",
    "reason": "VARCHAR",
    "comment": "VARCHAR",
    "seconds": "DOUBLE",
    "made_at": "VARCHAR",
    "details": "VARCHAR",
    "role": "VARCHAR",
}
COLUMNS = "id, item, revision, person, decision, reason, comment, seconds, made_at, details, role"
"""Of a review, in the order of `review_of`."""


def insert(cursor: Cursor, reviews: Sequence[Review]) -> None:
    """Store reviews in this order; those whose id is known are left out. The state that follows is the caller's to write."""
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM review").fetchall()[0]
    rows = ((*_row(review), number) for number, review in enumerate(reviews, last + 1))
    insert_rows(cursor, "review", {**_COLUMNS, "number": "INTEGER"}, rows)


def insert_new(cursor: Cursor, review: Review) -> None:
    """As insert, for one whose id is known to be new."""
    cursor.execute(
        f"""
        INSERT INTO review ({", ".join(_COLUMNS)}, number)
        VALUES ({", ".join("?" * len(_COLUMNS))}, (SELECT coalesce(max(number), 0) + 1 FROM review))
        """,
        [replace_surrogates(v) if isinstance(v, str) else v for v in _row(review)],
    )


def _row(r: Review) -> tuple[Any, ...]:
    return (
        r.id,
        r.item,
        r.revision,
        r.person,
        r.decision,
        r.reason,
        r.comment,
        r.seconds,
        r.at,
        to_json(dict(r.details)) if r.details else None,
        r.role,
    )


def review_of(row: tuple[Any, ...]) -> Review:
    """The review of a row of COLUMNS."""
    return Review(*(*row[:9], from_json(row[9]) or {}, row[10]))
