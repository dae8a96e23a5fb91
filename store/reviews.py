"""Reviews in and out: append-only, one transaction each with the edit it brings and the state it leaves. An undo is a review
too: the decisions before it on its item stand no longer, and nobody counts them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Item, Review, Status, Variant
from store import items, leases, scratch, variants
from store.columns import Fetch, fetching, from_json, in_pieces, insert_rows, now, to_json
from store.database import Cursor, Database

_COLUMNS = {
    "id": "VARCHAR", "number": "INTEGER", "item": "VARCHAR", "revision": "INTEGER", "person": "VARCHAR", "decision": "VARCHAR",
    "reason": "VARCHAR", "comment": "VARCHAR", "seconds": "DOUBLE", "made_at": "VARCHAR",
    "details": "VARCHAR",
}  # fmt: skip
_ALL = "id, item, revision, person, decision, reason, comment, seconds, made_at, details"
STATUS: dict[str, Status] = {"accept": "accepted", "discard": "discarded"}
"""What a decision makes of its item."""


class Decided(NamedTuple):
    """What a decision left."""

    review: Review
    """As stored; its revision is the one decided on, a new one after an edit."""
    subject: Item | Variant
    """The item or variant as it is now."""
    is_repeat: bool
    """True when this idempotency key had been stored before: nothing was stored now."""


class Conflict(BenchError):
    """The item is not any more what it was on the screen. Nothing was stored; both texts are here."""

    def __init__(self, message: str, *, review: Review, yours: Item | None, theirs: Item, by: str) -> None:
        super().__init__(message)
        self.review = review
        self.yours = yours
        """The edit that was not stored; None when there was none."""
        self.theirs = theirs
        """The item as it is now."""
        self.by = by
        """Who made its revision."""


class Held(BenchError):
    """Somebody else holds the item. Nothing was stored."""

    def __init__(self, message: str, lease: leases.Lease) -> None:
        super().__init__(message)
        self.lease = lease


def decide(
    database: Database, review: Review, edited: Item | None = None, seen: Status | None = None, heeds_leases: bool = False
) -> Decided:  # fmt: skip
    """Store a decision on `review.revision` of an item or variant, with the edit of that revision when there is one, and the
    state that follows, together; the person's scratch and lease on it go. `seen` is the status that the item had on the screen,
    None when that is no matter. The same review id again returns what was stored. Raises Conflict when somebody was faster,
    Held (with `heeds_leases`) when somebody else holds the item, BenchError when there is no such item."""
    if edited is not None and (edited.id, edited.revision) != (review.item, review.revision):
        raise BenchError(
            f"The edit is of {edited.id} revision {edited.revision}, the decision on {review.item} revision {review.revision}: "
            f"decide on what was edited."
        )
    at = review.at or now()
    outcome = database.write(lambda cursor: _decide(cursor, replace(review, at=at), edited, seen, heeds_leases))
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def _decide(
    cursor: Cursor, review: Review, edited: Item | None, seen: Status | None, heeds_leases: bool
) -> Decided | BenchError:  # fmt: skip
    """Errors are returned, not raised: nothing was written, and other writes of this transaction go on."""
    fetch = fetching(cursor)
    found: Sequence[Item | Variant] = items.current(fetch, [review.item]) or variants.current(fetch, [review.item])
    if not found:
        return BenchError(f"No item or variant {review.item} in this workspace: `cli.py items` lists the items.")
    subject = found[0]
    stored = of_id(fetch, review.id)
    if stored is not None:
        if stored.item != review.item:
            return BenchError(f"The decision {review.id} is on {stored.item} already: give each decision a key of its own.")
        return Decided(stored, subject, True)
    status = STATUS[review.decision]
    if isinstance(subject, Variant):
        if edited is not None:
            return BenchError(f"{review.item} is a variant: its words are not edited, a rewrite is a variant of its own.")
        cursor.execute("UPDATE variant SET status = ? WHERE id = ?", [status, review.item])
        return Decided(append(cursor, review), replace(subject, status=status), False)
    changed = ""
    if subject.revision != review.revision:
        changed = f"has revision {subject.revision} by now and the decision was on {review.revision}"
    elif seen is not None and subject.status != seen:
        changed = f"is {subject.status} by now and was {seen} on the screen"
    if changed:
        [(maker,)] = fetch("SELECT made_by FROM revision WHERE key = ?", [f"{subject.id}@{subject.revision}"])
        message = f"{review.item} {changed}: nothing was stored, look at it and decide again."
        return Conflict(message, review=review, yours=edited, theirs=subject, by=maker)
    other = leases.in_the_way(fetch, review.item, review.person, review.at) if heeds_leases else None
    if other is not None:
        return Held(f"{other.person} holds this item now: nothing was stored, and what you typed is kept.", other)
    if edited is not None:
        new = items.append(cursor, edited, review.person, review.at)
        if new is None:
            raise RuntimeError(f"the state of {review.item} changed within one transaction")
        review, subject = replace(review, revision=new.revision), new
    cursor.execute("UPDATE state SET status = ? WHERE item = ?", [status, review.item])
    scratch.drop(cursor, review.person, review.item)
    leases.drop(cursor, review.person, review.item)
    return Decided(append(cursor, review), replace(subject, status=status), False)


def insert(cursor: Cursor, reviews: Sequence[Review]) -> None:
    """Store reviews in this order; those whose id is known are left out. The state that follows is the caller's to write."""
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM review").fetchall()[0]
    insert_rows(cursor, "review", _COLUMNS, (
        (r.id, number, r.item, r.revision, r.person, r.decision, r.reason, r.comment, r.seconds, r.at,
         to_json(dict(r.details)) if r.details else None)
        for number, r in enumerate(reviews, last + 1)
    ))  # fmt: skip


def get(database: Database, key: str) -> Review | None:
    """The review of that id; None when there is none."""
    return of_id(database.rows, key)


def of_items(database: Database, ids: Iterable[str]) -> list[Review]:
    """The decisions on those items and variants that stand, in the order they were made: neither undos nor what they undid."""
    found = every(database, ids)
    undone = {review.item: place for place, review in enumerate(found) if review.decision == "undo"}
    return [review for place, review in enumerate(found) if place > undone.get(review.item, -1)]


def every(database: Database, ids: Iterable[str]) -> list[Review]:
    """All that was ever decided on those items and variants, undos included, in the order it was made."""
    sql = f"SELECT {_ALL} FROM review WHERE item IN (SELECT unnest(?::VARCHAR[])) ORDER BY number"
    return [review_of(row) for piece in in_pieces(ids) for row in database.rows(sql, [piece])]


def of_id(fetch: Fetch, key: str) -> Review | None:
    """As get, also within a transaction."""
    rows = fetch(f"SELECT {_ALL} FROM review WHERE id = ?", [key])
    return review_of(rows[0]) if rows else None


def review_of(row: tuple[Any, ...]) -> Review:
    """The review of a row of all its columns but the number."""
    return Review(*(*row[:9], from_json(row[9]) or {}))


def append(cursor: Cursor, review: Review) -> Review:
    """Store one; returns it."""
    insert(cursor, [review])
    return review
