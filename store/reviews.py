"""Reviews in and out: append-only, one transaction each with the edit it brings and the state it leaves. An undo is a review
too: what it takes back stands no longer, and nobody counts it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from core.errors import BenchError
from core.nouns import Item, Review, Status, Variant
from store import items, leases, opinions, scratch, variants
from store.columns import Fetch, fetching, in_pieces, now, pair_key
from store.database import Cursor, Database
from store.queue import WAITING
from store.review_rows import COLUMNS, insert_new, review_of
from store.scratch import Scratch
from store.standing import standing

STATUS = opinions.STATUS
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
    database: Database, review: Review, edited: Item | None = None, seen: Status | None = None, heeds_leases: bool = False,
    pressed: Scratch | None = None,
) -> Decided:  # fmt: skip
    """Store a decision on `review.revision` of an item or variant, with the edit of that revision when there is one, and the
    state that follows, together; the person's scratch and lease on it go. Where several people are wanted it is an opinion,
    unless its role is "adjudicated", which decides between them. `seen` is the status that the item had on the screen, None
    when that is no matter. `pressed` is what was on the screen: then what the person typed in another tab stays. The same
    review id again returns what was stored. Raises Conflict when somebody was faster, Held (with `heeds_leases`) when somebody
    else holds the item, BenchError when there is no such item."""
    if edited is not None and (edited.id, edited.revision) != (review.item, review.revision):
        raise BenchError(
            f"The edit is of {edited.id} revision {edited.revision}, the decision on {review.item} revision {review.revision}: "
            f"decide on what was edited."
        )
    at = review.at or now()
    outcome = database.write(lambda cursor: _decide(cursor, replace(review, at=at), edited, seen, heeds_leases, pressed))
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def _decide(
    cursor: Cursor, review: Review, edited: Item | None, seen: Status | None, heeds_leases: bool, pressed: Scratch | None
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
        insert_new(cursor, review)
        return Decided(review, replace(subject, status=status), False)
    [(wanted, given)] = fetch("SELECT wanted, given FROM state WHERE item = ?", [review.item])
    trouble = _changed(fetch, review, edited, subject, seen) or _in_the_way(
        fetch, review, subject, wanted, given, heeds_leases
    )  # fmt: skip
    if trouble is not None:
        return trouble
    if pressed is None:
        scratch.drop(cursor, review.person, review.item)
    else:
        scratch.end(cursor, pressed)
    if review.role == "adjudicated":
        scratch.drop(cursor, review.person, review.item, scratch.WHY)
    if subject.status == WAITING and (wanted > 1 or given > 0) and review.role != "adjudicated":
        leases.done(cursor, review.person, review.item)
        stored = opinions.give(cursor, review, subject, edited)
        return Decided(stored, items.current(fetch, [review.item])[0], False)
    leases.drop(cursor, review.person, review.item)
    if edited is not None:
        base = subject.revision if review.role == "adjudicated" else None
        new = items.append(cursor, edited, review.person, review.at, base)
        if new is None:
            raise RuntimeError(f"the state of {review.item} changed within one transaction")
        review, subject = replace(review, revision=new.revision), new
    opinions.decided(cursor, review.item, status)
    insert_new(cursor, review)
    return Decided(review, replace(subject, status=status), False)


def _changed(fetch: Fetch, review: Review, edited: Item | None, item: Item, seen: Status | None) -> Conflict | None:
    """Why it is not any more what was on the screen."""
    if item.revision != review.revision:
        changed = f"has revision {item.revision} by now and the decision was on {review.revision}"
    elif seen is not None and item.status != seen:
        changed = f"is {item.status} by now and was {seen} on the screen"
    else:
        return None
    [(maker,)] = fetch("SELECT made_by FROM revision WHERE key = ?", [f"{item.id}@{item.revision}"])
    message = f"{review.item} {changed}: nothing was stored, look at it and decide again."
    return Conflict(message, review=review, yours=edited, theirs=item, by=maker)


def _in_the_way(
    fetch: Fetch, review: Review, item: Item, wanted: int, given: int, heeds_leases: bool
) -> BenchError | None:  # fmt: skip
    """Who or what keeps this person from deciding."""
    other = leases.in_the_way(fetch, item.id, review.person, review.at) if heeds_leases else None
    if other is not None:
        return Held(f"{other.person} holds this item now: nothing was stored, and what you typed is kept.", other)
    is_in = item.status == WAITING and given >= wanted
    if review.role == "adjudicated" and not is_in:
        return BenchError(f"{item.id} has no opinions to decide between: nothing was stored, go on with the next.")
    if review.role == "" and is_in:
        if fetch("SELECT 1 FROM opinion WHERE key = ?", [pair_key(review.person, item.id)]):
            return BenchError(f"All {given} opinions on {item.id} are in, yours too: it waits to be decided between them.")
        return BenchError(f"All {given} opinions on {item.id} are in, and they differ: it waits to be decided between them.")
    of = review.details.get("of")
    if of is not None and set(of) != {one.review.id for one in opinions.on(fetch, item.id)}:
        return BenchError(f"An opinion on {item.id} was changed meanwhile: nothing was stored, look at them again.")
    return None


def get(database: Database, key: str) -> Review | None:
    """The review of that id; None when there is none."""
    return of_id(database.rows, key)


def of_items(database: Database, ids: Iterable[str], up_to: int | None = None) -> list[Review]:
    """The decisions and opinions on those items and variants that stand, in the order they were made: neither undos nor what
    they undid. With `up_to` as it was when the review of that number was the last."""
    return standing(every(database, ids, up_to))


def every(database: Database, ids: Iterable[str], up_to: int | None = None) -> list[Review]:
    """All that was ever decided on those items and variants, undos included, in the order it was made; up to that number."""
    sql = f"""
        SELECT {COLUMNS}
        FROM review
        WHERE item IN (SELECT unnest(?::VARCHAR[])) AND (?::INTEGER IS NULL OR number <= ?)
        ORDER BY number
        """
    return [review_of(row) for piece in in_pieces(ids) for row in database.rows(sql, [piece, up_to, up_to])]


def of_id(fetch: Fetch, key: str) -> Review | None:
    """As get, also within a transaction."""
    rows = fetch(f"SELECT {COLUMNS} FROM review WHERE id = ?", [key])
    return review_of(rows[0]) if rows else None
