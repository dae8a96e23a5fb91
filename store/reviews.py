"""Reviews in and out: append-only, one transaction each with the edit it brings and the state it leaves."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from core.errors import BenchError
from core.nouns import Item, Review, Status, Variant
from store import items, variants
from store.columns import fetching, in_pieces, insert_rows, now
from store.database import Cursor, Database

_COLUMNS = {
    "id": "VARCHAR", "number": "INTEGER", "item": "VARCHAR", "revision": "INTEGER", "person": "VARCHAR", "decision": "VARCHAR",
    "reason": "VARCHAR", "comment": "VARCHAR", "seconds": "DOUBLE", "made_at": "VARCHAR",
}  # fmt: skip
_ALL = "id, item, revision, person, decision, reason, comment, seconds, made_at"
_STATUS: dict[str, Status] = {"accept": "accepted", "discard": "discarded"}


class Decided(NamedTuple):
    """What a decision left."""

    review: Review
    """As stored; its revision is the one decided on, a new one after an edit."""
    subject: Item | Variant
    """The item or variant as it is now."""
    is_repeat: bool
    """True when this idempotency key had been stored before: nothing was stored now."""


class Conflict(BenchError):
    """The item has another revision than the one decided on. Nothing was stored; both texts are here."""

    def __init__(self, message: str, *, review: Review, yours: Item | None, theirs: Item) -> None:
        super().__init__(message)
        self.review = review
        self.yours = yours
        """The edit that was not stored; None when there was none."""
        self.theirs = theirs
        """The item as it is now."""


def decide(database: Database, review: Review, edited: Item | None = None) -> Decided:
    """Store a decision on `review.revision` of an item or variant, with the edit of that revision when there is one, and the
    state that follows, together. The same review id again returns what was stored. Raises Conflict when somebody was faster,
    BenchError when there is no such item."""
    if edited is not None and (edited.id, edited.revision) != (review.item, review.revision):
        raise BenchError(
            f"The edit is of {edited.id} revision {edited.revision}, the decision on {review.item} revision {review.revision}: "
            f"decide on what was edited."
        )
    at = review.at or now()
    outcome = database.write(lambda cursor: _decide(cursor, replace(review, at=at), edited))
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def _decide(cursor: Cursor, review: Review, edited: Item | None) -> Decided | BenchError:
    """Errors are returned, not raised: nothing was written, and other writes of this transaction go on."""
    fetch = fetching(cursor)
    found: Sequence[Item | Variant] = items.current(fetch, [review.item]) or variants.current(fetch, [review.item])
    if not found:
        return BenchError(f"No item or variant {review.item} in this workspace: `cli.py items` lists the items.")
    subject = found[0]
    before = fetch(f"SELECT {_ALL} FROM review WHERE id = ?", [review.id])
    if before:
        stored = Review(*before[0])
        if stored.item != review.item:
            return BenchError(f"The decision {review.id} is on {stored.item} already: give each decision a key of its own.")
        return Decided(stored, subject, True)
    status = _STATUS[review.decision]
    if isinstance(subject, Variant):
        if edited is not None:
            return BenchError(f"{review.item} is a variant: its words are not edited, a rewrite is a variant of its own.")
        cursor.execute("UPDATE variant SET status = ? WHERE id = ?", [status, review.item])
        return Decided(_append(cursor, review), replace(subject, status=status), False)
    if subject.revision != review.revision:
        return Conflict(
            f"{review.item} has revision {subject.revision} by now and the decision was on {review.revision}: "
            f"nothing was stored, look at it and decide again.",
            review=review, yours=edited, theirs=subject,
        )  # fmt: skip
    if edited is not None:
        new = items.append(cursor, edited, review.person, review.at)
        if new is None:
            raise RuntimeError(f"the state of {review.item} changed within one transaction")
        review, subject = replace(review, revision=new.revision), new
    cursor.execute("UPDATE state SET status = ? WHERE item = ?", [status, review.item])
    return Decided(_append(cursor, review), replace(subject, status=status), False)


def insert(cursor: Cursor, reviews: Sequence[Review]) -> None:
    """Store reviews that were made elsewhere (an import) as history; those whose id is known are left out. No state changes:
    the items come in with their statuses."""
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM review").fetchall()[0]
    insert_rows(cursor, "review", _COLUMNS, (
        (r.id, number, r.item, r.revision, r.person, r.decision, r.reason, r.comment, r.seconds, r.at)
        for number, r in enumerate(reviews, last + 1)
    ))  # fmt: skip


def of_items(database: Database, ids: Iterable[str]) -> list[Review]:
    """The reviews of those items and variants, in the order they were made."""
    sql = f"SELECT {_ALL} FROM review WHERE item IN (SELECT unnest(?::VARCHAR[])) ORDER BY number"
    return [Review(*row) for piece in in_pieces(ids) for row in database.rows(sql, [piece])]


def _append(cursor: Cursor, review: Review) -> Review:
    insert(cursor, [review])
    return review
