"""Reviews in and out: append-only, one transaction each with the edit it brings and the state it leaves. An undo is a review
too: what it takes back stands no longer, and nobody counts it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from core.errors import BenchError
from core.nouns import Item, Review, Status, Variant
from store.engine.columns import Fetch, current_time, fetch_from, pair_key, replace_surrogates, split_in_batches
from store.engine.database import Cursor, Database
from store.items import items
from store.items.state_row import StateRow, fetch_state_row
from store.queue import leases
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_OF_PHASES, PHASES, select_effective
from store.queue.leases import Lease
from store.queue.queue import PHASED_TASKS
from store.reviews import opinions, unsent_edits
from store.reviews.review_rows import COLUMNS, insert_new, review_of
from store.reviews.unsent_edits import UnsentEdit
from store.variants import variants

STATUS = opinions.STATUS
"""What a decision makes of its item."""


def explain_waiting_in_phases(item: str) -> str:
    """Why nobody else decides on it."""
    return (
        f"{item} is a web question and waits on the page Annotate > Two phases, where two people review its labels and "
        "then its answers: decide there."
    )


def explain_decided_in_phases(item: str) -> str:
    """Why nobody decides on it alone afterwards."""
    return (
        f"{item} is a web question and was decided in Two phases, where two people looked at each part: take that decision "
        "back on the page Find, and both phases begin anew."
    )


def filter_decided_in_phases(fetch: Fetch, ids: Iterable[str]) -> set[str]:
    """The items of those on which the decision of two phases stands."""
    sql = f"""
        WITH review AS (
            SELECT * FROM main.review WHERE item IN (SELECT unnest(?::VARCHAR[]))
        ), {EFFECTIVE_REVIEWS}
        SELECT DISTINCT item FROM stands WHERE {IS_OF_PHASES}
        """
    return {row[0] for piece in split_in_batches(ids) for row in fetch(sql, [piece])}


class StoredDecision(NamedTuple):
    """What a decision left."""

    review: Review
    """As stored; its revision is the one decided on, a new one after an edit."""
    subject: Item | Variant
    """The item or variant as it is now."""
    is_repeat: bool
    """True when this idempotency key had been stored before: nothing was stored now."""


class ReviewConflict(BenchError):
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


class HeldByOther(BenchError):
    """Somebody else holds the item. Nothing was stored."""

    def __init__(self, message: str, lease: leases.Lease) -> None:
        super().__init__(message)
        self.lease = lease


def decide(
    database: Database,
    review: Review,
    edited: Item | None = None,
    seen: Status | None = None,
    heeds_leases: bool = False,
    pressed: UnsentEdit | None = None,
    read: Item | None = None,
) -> StoredDecision:
    """Store a decision on `review.revision` of an item or variant, with the edit of that revision when there is one, and the
    state that follows, together; the person's lease on it goes. Where several people are wanted it is an opinion, unless its
    role is "adjudicated", which decides between them. `seen` is the status that the item had on the screen, None when that is
    no matter. `pressed` is what was on the screen, and is kept as scratch no more; what the person typed elsewhere stays.
    `read` is the item as the caller read it: its words need not be read again. The same review id again returns what was
    stored. Raises ReviewConflict when somebody was faster, HeldByOther (with `heeds_leases`) when somebody else holds the
    item, BenchError when there is no such item."""
    asked = _check(_Asked(review, edited, seen, heeds_leases, pressed, read))
    outcome = database.write(lambda cursor: _decide(cursor, asked))
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def decide_within(cursor: Cursor, review: Review, edited: Item | None = None) -> StoredDecision:
    """As decide, within a transaction, which a BenchError ends."""
    outcome = _decide(cursor, _check(_Asked(review, edited)))
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def _check(asked: "_Asked") -> "_Asked":
    """The same with a time. Raises BenchError when the edit is not of what was decided on."""
    edited, review = asked.edited, asked.review
    if edited is not None and (edited.id, edited.revision) != (review.item, review.revision):
        raise BenchError(
            f"The edit is of {edited.id} revision {edited.revision}, the decision on {review.item} revision {review.revision}: "
            f"decide on what was edited."
        )
    return asked._replace(review=replace(review, at=review.at or current_time()))


class _Asked(NamedTuple):
    """What `decide` is asked for."""

    review: Review
    edited: Item | None = None
    seen: Status | None = None
    heeds_leases: bool = False
    pressed: UnsentEdit | None = None
    read: Item | None = None


def _decide(cursor: Cursor, asked: _Asked) -> StoredDecision | BenchError:
    """Errors are returned, not raised: nothing was written, and other writes of this transaction go on."""
    fetch, id_ = fetch_from(cursor), asked.review.item
    row = fetch_state_row(fetch, id_)
    if row is not None:
        item = _words(fetch, asked, row)
        return _said_before(fetch, asked, item) or _on_item(cursor, asked, item, row)
    for variant in variants.fetch_variants(fetch, [id_]):
        return _said_before(fetch, asked, variant) or _on_variant(cursor, asked, variant)
    return BenchError(f"No item or variant {id_} in this workspace: `cli.py items` lists the items.")


def _said_before(fetch: Fetch, asked: _Asked, subject: Item | Variant) -> StoredDecision | BenchError | None:
    """What the same key came to before; None when it is new."""
    stored = fetch_review(fetch, asked.review.id)
    if stored is None:
        return None
    if (stored.item, stored.person) != (subject.id, replace_surrogates(asked.review.person)):
        return BenchError("This decision has the key of another one: load the page again.")
    return StoredDecision(stored, subject, True)


def _words(fetch: Fetch, asked: _Asked, row: StateRow) -> Item:
    """The item as it is now; a revision never changes, so that one that was read before the transaction is as good."""
    if asked.read is not None and asked.read.revision == row.revision:
        return replace(asked.read, status=row.status)
    return items.fetch_revisions(fetch, [(asked.review.item, row.revision, row.status)])[0]


def _on_variant(cursor: Cursor, asked: _Asked, subject: Variant) -> StoredDecision | BenchError:
    if asked.edited is not None:
        return BenchError(f"{subject.id} is a variant: its words are not edited, a rewrite is a variant of its own.")
    status = STATUS[asked.review.decision]
    cursor.execute("UPDATE variant SET status = ? WHERE id = ?", [status, subject.id])
    insert_new(cursor, asked.review)
    return StoredDecision(asked.review, replace(subject, status=status), False)


def _on_item(cursor: Cursor, asked: _Asked, subject: Item, row: StateRow) -> StoredDecision | BenchError:
    fetch, review = fetch_from(cursor), asked.review
    on_it = leases.load_leases_on(fetch, subject.id)
    trouble = _find_conflict(fetch, asked, subject) or _in_the_way(fetch, asked, subject, row, on_it)
    if trouble is not None:
        return trouble
    if asked.pressed is not None:
        unsent_edits.forget_sent(cursor, asked.pressed)
    if review.role == "adjudicated":
        tab = asked.pressed.tab if asked.pressed else ""
        unsent_edits.forget_sent(
            cursor,
            UnsentEdit(review.person, subject.id, review.revision, review.comment, "", on=unsent_edits.WHY_KIND, tab=tab),
        )
    elif row.is_for_several and PHASES not in review.details:
        leases.end_leases(cursor, [one for one in on_it if one.person == replace_surrogates(review.person)])
        stored = opinions.add_opinion(cursor, review, subject, asked.edited)
        return StoredDecision(stored, items.fetch_items(fetch, [subject.id])[0], False)
    leases.end_leases(cursor, [one for one in on_it if one.is_given or one.person == replace_surrogates(review.person)])
    status = STATUS[review.decision]
    if asked.edited is not None:
        base = subject.revision if review.role == "adjudicated" else None
        new = items.append(cursor, asked.edited, review.person, review.at, base, status, row)
        if new is None:
            raise RuntimeError(f"the state of {subject.id} changed within one transaction")
        review, subject = replace(review, revision=new.revision), new
    elif row.status != status:
        cursor.execute("UPDATE state SET status = ? WHERE item = ?", [status, subject.id])
    if row.given:
        opinions.forget_opinions(cursor, subject.id)
    insert_new(cursor, review)
    return StoredDecision(review, replace(subject, status=status), False)


def _find_conflict(fetch: Fetch, asked: _Asked, item: Item) -> ReviewConflict | None:
    """Why it is not any more what was on the screen."""
    review, seen = asked.review, asked.seen
    if item.revision != review.revision:
        changed = f"has revision {item.revision} by now and the decision was on {review.revision}"
    elif seen is not None and item.status != seen:
        changed = f"is {item.status} by now and was {seen} on the screen"
    else:
        return None
    [(maker,)] = fetch("SELECT made_by FROM revision WHERE key = ?", [f"{item.id}@{item.revision}"])
    message = f"{review.item} {changed}: nothing was stored, look at it and decide again."
    return ReviewConflict(message, review=review, yours=asked.edited, theirs=item, by=maker)


def _in_the_way(fetch: Fetch, asked: _Asked, item: Item, row: StateRow, on_it: Sequence[Lease]) -> BenchError | None:
    """Who or what keeps this person from deciding."""
    review = asked.review
    if row.is_in_phases and PHASES not in review.details:
        return BenchError(explain_waiting_in_phases(item.id))
    if row.task in PHASED_TASKS and PHASES not in review.details and filter_decided_in_phases(fetch, [item.id]):
        return BenchError(explain_decided_in_phases(item.id))
    other = leases.find_blocking_lease(fetch, item.id, review.person, review.at, on_it) if asked.heeds_leases else None
    if other is not None:
        return HeldByOther(f"{other.person} holds this item now: nothing was stored, and what you typed is kept.", other)
    if review.role == "adjudicated" and not row.is_disputed:
        return BenchError(f"{item.id} has no opinions to decide between: nothing was stored, go on with the next.")
    if review.role == "" and row.is_disputed:
        is_own = fetch("SELECT 1 FROM opinion WHERE key = ?", [pair_key(review.person, item.id)])
        how = "yours too" if is_own else "and they differ"
        return BenchError(f"All {row.given} opinions on {item.id} are in, {how}: it waits to be decided between them.")
    of = review.details.get("of")
    if of is not None and set(of) != {one.review.id for one in opinions.load_opinions_on(fetch, item.id)}:
        return BenchError(f"An opinion on {item.id} was changed meanwhile: nothing was stored, look at them again.")
    return None


def get(database: Database, key: str) -> Review | None:
    """The review of that id; None when there is none."""
    return fetch_review(database.rows, key)


def load_effective(database: Database, ids: Iterable[str], up_to: int | None = None) -> list[Review]:
    """The decisions and opinions on those items and variants that stand, in the order they were made: neither undos nor what
    they undid. With `up_to` as it was when the review of that number was the last."""
    return select_effective(load_reviews(database, ids, up_to))


def load_reviews(database: Database, ids: Iterable[str], up_to: int | None = None) -> list[Review]:
    """All that was ever decided on those items and variants, undos included, in the order it was made; up to that number."""
    sql = f"""
        SELECT {COLUMNS}
        FROM review
        WHERE item IN (SELECT unnest(?::VARCHAR[])) AND (?::INTEGER IS NULL OR number <= ?)
        ORDER BY number
        """
    return [review_of(row) for piece in split_in_batches(ids) for row in database.rows(sql, [piece, up_to, up_to])]


def fetch_review(fetch: Fetch, key: str) -> Review | None:
    """As get, also within a transaction."""
    rows = fetch(f"SELECT {COLUMNS} FROM review WHERE id = ?", [key])
    return review_of(rows[0]) if rows else None
