"""Store and load reviews, which are people's decisions on items and variants. Stored reviews are never changed or deleted. One
transaction stores a review, the reviewer's edit and the resulting state. An undo is a review too; it cancels earlier reviews,
which then are no longer in effect."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from core.errors import BenchError
from core.installation import COMMAND
from core.nouns import Item, Review, Status, Variant
from core.person_name import is_same_person
from store.engine.columns import Fetch, current_time, fetch_from, fetch_in_batches, replace_surrogates
from store.engine.database import Cursor, Database
from store.items import items
from store.queue import leases
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_OF_PHASES, PHASES, select_effective
from store.queue.queue import PHASED_TASKS
from store.queue.state_row import StateRow, fetch_state_row
from store.reviews import opinions, rewrites, unsent_edits
from store.reviews.review_rows import COLUMNS, fetch_reviews, insert_new, review_from_row
from store.reviews.unsent_edits import WHY_KIND, UnsentEdit
from store.variants import variants

STATUS = opinions.STATUS
"""Dict from a decision to the status that the item gets through it."""


def explain_waiting_in_phases(item: str) -> str:
    """Return the error message for an ordinary decision on an item that must be reviewed in two phases."""
    return (
        f"{item} is a web question and waits on the page Annotate > Two phases, where two people review its labels and "
        "then its answers: decide there."
    )


def explain_decided_in_phases(item: str) -> str:
    """Return the error message for an ordinary decision on an item that was decided in two phases."""
    return (
        f"{item} is a web question and was decided in Two phases, where two people reviewed each part: undo that decision "
        "on the page Find; both phases then start again."
    )


def explain_not_last(item: str) -> str:
    """Return the error message for an attempt to undo a decision on an item or variant that is not the person's last
    decision."""
    return (
        f"Your last decision is not on {item}, and only the last one can be undone: look at your last decision "
        "before you undo it."
    )


def filter_decided_in_phases(fetch: Fetch, ids: Iterable[str]) -> set[str]:
    """Return the ids of those given items whose decision was made in a review with two phases and is in effect."""
    sql = f"""
        WITH review AS (
            SELECT * FROM main.review WHERE item IN (SELECT unnest(?::VARCHAR[]))
        ), {EFFECTIVE_REVIEWS}
        SELECT DISTINCT item FROM effective WHERE {IS_OF_PHASES}
        """
    return {row[0] for row in fetch_in_batches(fetch, sql, ids)}


class StoredDecision(NamedTuple):
    """Result of storing a decision, with the next item that is reserved for the person."""

    review: Review
    """The stored review. The review names the revision that the person decided on or, after an edit, the new one."""
    subject: Item | Variant
    """The item or variant after the decision."""
    is_repeat: bool
    """Whether this decision was stored before, under the same key, so that nothing was stored now."""
    next_item: str | None = None
    """Id of the item that is reserved for the person from now on, or None if no item was requested."""


class ReviewConflict(BenchError):
    """Raised if the item has changed since the person saw it. Nothing was stored; the error contains both texts."""

    def __init__(
        self, message: str, *, review: Review, yours: Item | None, theirs: Item, by: str, decided_by: str = ""
    ) -> None:
        super().__init__(message)
        self.review = review
        self.yours = yours
        """The person's edit, which was not stored, or None without an edit."""
        self.theirs = theirs
        """The item as it is stored now, after somebody changed it."""
        self.by = by
        """Name of the author of the item's current revision."""
        self.decided_by = decided_by
        """Name of another person who made the last decision on the item; "" if nobody else did."""


class HeldByOther(BenchError):
    """Raised if another person has reserved the item (has a lease on it), so that nothing was stored."""

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
    claim: Callable[[Cursor], str | None] | None = None,
) -> StoredDecision:
    """Store a decision on `review.revision` of an item or variant, the new revision if the person edited it, and the resulting
    state, and end the person's lease. If several people must review the item, the decision counts as one opinion, unless it is
    a decision between opinions (role "adjudicated"). If a review with the same id is already stored, nothing changes, and the
    stored decision is returned.

    `seen`: the item's status when the person saw the item, None = any. `pressed`: the text on the screen, whose unsent edit is
    deleted; unsent edits in other browser tabs stay. `read`: the item, if the caller has already loaded it. Raises
    ReviewConflict if another person decided first. Raises HeldByOther if `heeds_leases` is true and another person has reserved
    the item. Raises BenchError if the item does not exist. `claim` reserves the person's next item in the same transaction and
    returns its id; it is not called if the decision was already stored."""
    request = _check_edit(_Request(review, edited, seen, heeds_leases, pressed, read))

    def write(cursor: Cursor) -> StoredDecision | BenchError:
        outcome = _decide(cursor, request)
        if claim is None or isinstance(outcome, BenchError) or outcome.is_repeat:
            return outcome
        return outcome._replace(next_item=claim(cursor))

    return database.write_or_raise(write)


def decide_within(cursor: Cursor, review: Review, edited: Item | None = None) -> StoredDecision:
    """Store a decision like `decide`, within the caller's transaction. Raises BenchError if the decision cannot be stored,
    which undoes the whole transaction."""
    outcome = _decide(cursor, _check_edit(_Request(review, edited)))
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def _check_edit(request: "_Request") -> "_Request":
    """Return the request with the time of its review. Raises BenchError if the edit and the review concern different items or
    revisions."""
    edited, review = request.edited, request.review
    if edited is not None and (edited.id, edited.revision) != (review.item, review.revision):
        raise BenchError(
            f"The edit changes revision {edited.revision} of {edited.id}, but the decision is on revision {review.revision} of "
            f"{review.item}: decide on the edited revision."
        )
    return request._replace(review=replace(review, at=review.at or current_time()))


class _Request(NamedTuple):
    """The arguments of a call of `decide`, as one tuple."""

    review: Review
    edited: Item | None = None
    seen: Status | None = None
    heeds_leases: bool = False
    pressed: UnsentEdit | None = None
    read: Item | None = None


def _decide(cursor: Cursor, request: _Request) -> StoredDecision | BenchError:
    """Store a requested decision. If the decision cannot be stored, write nothing and return the error. Raising the error would
    stop other writes in the same transaction."""
    fetch, id_ = fetch_from(cursor), request.review.item
    row = fetch_state_row(cursor, id_)
    if row is not None:
        item = _load_item(fetch, request, row)
        return _find_repeat(fetch, request, item) or _decide_item(cursor, request, item, row)
    for variant in variants.fetch_variants(fetch, [id_]):
        return _find_repeat(fetch, request, variant) or _decide_variant(cursor, request, variant)
    return BenchError(f"No item or variant {id_} in this workspace: `{COMMAND} items` lists the items.")


def _find_repeat(fetch: Fetch, request: _Request, subject: Item | Variant) -> StoredDecision | BenchError | None:
    """Return the decision that is already stored under the request's key, or None if the key is new. Return an error if that
    decision is on another item or by another person."""
    key = request.review.id
    stored = fetch_review(fetch, key) if fetch("SELECT 1 FROM review WHERE id = ?", [key]) else None  # faster than the row
    if stored is None:
        return None
    if (stored.item, stored.person) != (subject.id, replace_surrogates(request.review.person)):
        return BenchError("This decision has the same key as another decision: load the page again.")
    return StoredDecision(stored, subject, True)


def _load_item(fetch: Fetch, request: _Request, row: StateRow) -> Item:
    """Return the item in its current revision. If the caller loaded the item before the transaction and its revision is still
    current, use that item, because revisions never change."""
    if request.read is not None and request.read.revision == row.revision:
        return replace(request.read, status=row.status)
    return items.fetch_revisions(fetch, [(request.review.item, row.revision, row.status)])[0]


def _decide_variant(cursor: Cursor, request: _Request, subject: Variant) -> StoredDecision | BenchError:
    if request.edited is not None:
        return BenchError(
            f"{subject.id} is a variant, so its text cannot be edited: write a rewrite, which becomes a new variant."
        )
    status = STATUS[request.review.decision]
    refusal = rewrites.refuse_second_rewrite(fetch_from(cursor), subject) if status == "accepted" else None
    if refusal is not None:
        return refusal
    cursor.execute("UPDATE variant SET status = ? WHERE id = ?", [status, subject.id])
    insert_new(cursor, request.review)
    return StoredDecision(request.review, replace(subject, status=status), False)


def _decide_item(cursor: Cursor, request: _Request, subject: Item, row: StateRow) -> StoredDecision | BenchError:
    fetch, review = fetch_from(cursor), request.review
    refusal = _find_conflict(fetch, request, subject) or _find_refusal(cursor, request, subject, row)
    if refusal is not None:
        return refusal
    if request.pressed is not None:
        unsent_edits.forget_sent(cursor, request.pressed)
    if review.role == "adjudicated":
        tab = request.pressed.tab if request.pressed else ""
        reason = UnsentEdit(review.person, subject.id, review.revision, review.comment, "", on=WHY_KIND, tab=tab)
        unsent_edits.forget_sent(cursor, reason)
    elif row.is_for_several and PHASES not in review.details:
        leases.end_claims(cursor, review.person, subject.id)
        stored = opinions.add_opinion(cursor, review, subject, request.edited)
        return StoredDecision(stored, items.fetch_items(fetch, [subject.id])[0], False)
    person = replace_surrogates(review.person)
    on_it = leases.load_leases_on(cursor, subject.id)
    leases.end_leases(cursor, [lease for lease in on_it if lease.is_given or lease.person == person])
    status = STATUS[review.decision]
    if request.edited is not None:
        base = subject.revision if review.role == "adjudicated" else None
        new = items.append(cursor, request.edited, review.person, review.at, base, status, row)
        if new is None:
            raise RuntimeError(f"the state of {subject.id} changed within one transaction")
        review, subject = replace(review, revision=new.revision), new
    elif row.status != status:
        cursor.execute("UPDATE state SET status = ? WHERE item = ?", [status, subject.id])
    if row.given:
        opinions.forget_opinions(cursor, subject.id)
    insert_new(cursor, review)
    return StoredDecision(review, replace(subject, status=status), False)


def _find_conflict(fetch: Fetch, request: _Request, item: Item) -> ReviewConflict | None:
    """Return the conflict between the item as stored and the item as the person saw it, or None if they are the same."""
    review, seen = request.review, request.seen
    if item.revision != review.revision:
        changed = f"is at revision {item.revision} now, but the decision was on revision {review.revision}"
    elif seen is not None and item.status != seen:
        changed = f"is {item.status} by now and was {seen} on the screen"
    else:
        return None
    [(maker,)] = fetch("SELECT made_by FROM revision WHERE key = ?", [f"{item.id}@{item.revision}"])
    message = f"{review.item} {changed}: nothing was stored, look at it and decide again."
    decider = find_other_decider(fetch, item.id, review.person) if item.status != "drafted" else ""
    return ReviewConflict(message, review=review, yours=request.edited, theirs=item, by=maker, decided_by=decider)


def find_other_decider(fetch: Fetch, item: str, person: str) -> str:
    """Return the name of another person who made the last decision on the item or variant; "" if nobody decided, or if this
    person made that decision."""
    effective = select_effective(fetch_reviews(fetch, item))
    return effective[-1].person if effective and not is_same_person(effective[-1].person, person) else ""


def _find_refusal(cursor: Cursor, request: _Request, item: Item, row: StateRow) -> BenchError | None:
    """Return an error that says why this person may not decide now, or None if the person may decide."""
    fetch, review = fetch_from(cursor), request.review
    if row.is_in_phases and PHASES not in review.details:
        return BenchError(explain_waiting_in_phases(item.id))
    if row.task in PHASED_TASKS and PHASES not in review.details and filter_decided_in_phases(fetch, [item.id]):
        return BenchError(explain_decided_in_phases(item.id))
    other = leases.find_blocking_lease(cursor, item.id, review.person, review.at) if request.heeds_leases else None
    if other is not None:
        return HeldByOther(f"{other.person} holds this item now: nothing was stored, and what you typed is kept.", other)
    if review.role == "adjudicated" and not row.is_disputed:
        return BenchError(f"{item.id} has no opinions to decide between: nothing was stored, go on with the next item.")
    if review.role == "" and row.is_disputed:
        state = "yours too" if leases.has_opinion(cursor, item.id, review.person) else "and they differ"
        return BenchError(f"All {row.given} opinions on {item.id} are in, {state}: the item waits for a decision between them.")
    of = review.details.get("of")
    if of is not None and set(of) != {opinion.review.id for opinion in opinions.load_opinions_on(fetch, item.id)}:
        return BenchError(
            f"An opinion on {item.id} was changed in the meantime: nothing was stored; look at the opinions again."
        )
    return None


def get(database: Database, key: str) -> Review | None:
    """Return the review with the given id, or None if there is none."""
    return fetch_review(database.rows, key)


def load_effective(database: Database, ids: Iterable[str], up_to: int | None = None) -> list[Review]:
    """Return the decisions and opinions on the given items and variants that are in effect, in the order in which they were
    made. With `up_to`, return those that were in effect just after the review with that number."""
    return select_effective(load_reviews(database, ids, up_to))


def load_reviews(database: Database, ids: Iterable[str], up_to: int | None = None) -> list[Review]:
    """Return all reviews of the given items and variants, including undos, in the order in which they were made. With `up_to`,
    return only reviews up to this number."""
    where = "(?::INTEGER IS NULL OR number <= ?) AND item IN (SELECT unnest(?::VARCHAR[]))"
    sql = f"SELECT {COLUMNS} FROM review WHERE {where} ORDER BY number"
    return [review_from_row(row) for row in fetch_in_batches(database.rows, sql, ids, up_to, up_to)]


def list_reviews(database: Database) -> list[Review]:
    """Return all reviews, including undos, in the order in which they were made."""
    return [review_from_row(row) for row in database.rows(f"SELECT {COLUMNS} FROM review ORDER BY number")]


def fetch_review(fetch: Fetch, key: str) -> Review | None:
    """Return the review with the given id like `get`, using the query function of a transaction."""
    rows = fetch(f"SELECT {COLUMNS} FROM review WHERE id = ?", [key])
    return review_from_row(rows[0]) if rows else None
