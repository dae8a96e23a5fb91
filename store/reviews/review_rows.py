"""Convert reviews to rows of the table `review` and back, and insert them."""

from collections.abc import Sequence
from sys import intern
from typing import Any

from core.nouns import Review
from store.engine.columns import Fetch, from_json, insert_row, insert_rows
from store.engine.database import Cursor

COLUMNS = "id, item, revision, person, decision, reason, comment, seconds, made_at, details, role"
"""Names of a review's columns, in the order in which `review_from_row` takes them."""


def insert(cursor: Cursor, reviews: Sequence[Review]) -> None:
    """Store reviews in the given order; reviews that are already stored do not change. The caller must update the state
    rows."""
    insert_rows(cursor, "review", COLUMNS, map(_encode_review, reviews), is_numbered=True)


def insert_new(cursor: Cursor, review: Review) -> None:
    """Store one review like `insert`, without checking whether it is stored already; its id must be new."""
    insert_row(cursor, "review", COLUMNS, _encode_review(review), is_numbered=True)


def fetch_reviews(fetch: Fetch, item: str) -> list[Review]:
    """Return all reviews of one item or variant, including undos, in the order in which they were made."""
    return [review_from_row(row) for row in fetch(f"SELECT {COLUMNS} FROM review WHERE item = ? ORDER BY number", [item])]


def _encode_review(r: Review) -> tuple[Any, ...]:
    details = r.details or None
    return (r.id, r.item, r.revision, r.person, r.decision, r.reason, r.comment, r.seconds, r.at, details, r.role)


def review_from_row(row: Sequence[Any]) -> Review:
    """Build a review from a database row with the columns COLUMNS. Equal texts in many reviews are kept only once in memory."""
    id_, item, revision, person, decision, reason, comment, seconds, at, details, role = row
    shared: list[Any] = [intern(text) for text in (item, person, decision, at, role)]
    item, person, decision, at, role = shared
    return Review(id_, item, revision, person, decision, reason, comment, seconds, at, from_json(details) or {}, role)
