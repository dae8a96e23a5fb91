"""Store and load decisions on variants (other forms of a question). Each decision is a review; one transaction stores the
review, the edit and the new status. An edit creates a new variant that refers to the old one. The same decision discards the
old variant, and an undo brings it back."""

from dataclasses import replace
from typing import NamedTuple

from core.errors import BenchError
from core.nouns import Review, Variant
from store.engine.columns import Fetch, fetch_from, replace_surrogates
from store.engine.database import Cursor, Database
from store.reviews import rewrites, unsent_edits
from store.reviews.review_rows import COLUMNS, fetch_reviews, insert_new, review_from_row
from store.reviews.reviews import STATUS, explain_not_last, fetch_review, find_other_decider
from store.reviews.unsent_edits import UnsentEdit
from store.variants import variant_queue, variants

EDIT_KEY = "edited"
"""Key in the details of a review that discards a variant after an edit; its value is the id of the edited variant."""


class VariantDecision(NamedTuple):
    """The variant after a decision on it."""

    variant: Variant
    """The variant that the person decided on, or its edited copy."""
    is_repeat: bool


class VariantConflict(BenchError):
    """Raised if another person has decided on the variant in the meantime or has reserved it, so that nothing was stored."""

    def __init__(self, message: str, taken_by: str) -> None:
        super().__init__(message)
        self.taken_by = taken_by
        """Name of the other person who last decided on the variant or has reserved it; "" if nobody else."""


def decide_variant(
    database: Database, review: Review, seen: str, edit: Variant | None = None, pressed: UnsentEdit | None = None
) -> VariantDecision:
    """Store a decision on the variant `review.item`, whose status was `seen` when the person saw it. With `edit`, accept the
    edited variant instead. Delete the unsent edit `pressed`. If a review with the same id is already stored, nothing changes,
    and the stored decision is returned. Raises VariantConflict if another person decided first, and BenchError if the variant
    does not exist."""
    return database.write_or_raise(lambda cursor: _decide(cursor, review, seen, edit, pressed))


def _decide(
    cursor: Cursor, review: Review, seen: str, edit: Variant | None, pressed: UnsentEdit | None
) -> VariantDecision | BenchError:
    """Store a decision on a variant. If the decision cannot be stored, write nothing and return the error. Raising the error
    would stop other writes in the same transaction."""
    fetch = fetch_from(cursor)
    stored = fetch_review(fetch, review.id)
    if stored is not None:
        if stored.person != replace_surrogates(review.person) or stored.decision != review.decision:
            return BenchError("This decision has the same key as another decision: load the page again.")
        return VariantDecision(variants.fetch_variants(fetch, [stored.item])[0], True)
    before = next(iter(variants.fetch_variants(fetch, [review.item])), None)
    if before is None:
        return BenchError(f"No variant {review.item} in this workspace: load the page again.")
    other = variant_queue.find_holder(fetch, before.id, review.person, review.at)
    if other is not None:
        told = f"{other.person} has this variant on the screen: nothing was stored; go on with the next variant."
        return VariantConflict(told, other.person)
    if before.status != seen:
        return VariantConflict(
            f"The variant is {before.status} now, but was {seen} when you opened it: nothing was stored; open it again.",
            find_other_decider(fetch, before.id, review.person),
        )
    if review.decision == "accept" and (refusal := rewrites.refuse_second_rewrite(fetch, before, [before.id])):
        return refusal
    if pressed is not None:
        unsent_edits.forget_sent(cursor, pressed)
    variant_queue.release_hold(cursor, before.id)
    if edit is None:
        _store(cursor, review, before)
        return VariantDecision(replace(before, status=STATUS[review.decision]), False)
    if not variants.fetch_variants(fetch, [edit.id]):
        variants.insert(cursor, [replace(edit, status="discarded")])  # status if this decision is undone
    id_, details = f"{review.id}:edited", {EDIT_KEY: edit.id}
    of_source = replace(review, id=id_, decision="discard", reason="edited", seconds=None, comment="", details=details)
    _store(cursor, of_source, before)
    _store(cursor, replace(review, item=edit.id), edit)
    return VariantDecision(replace(edit, status="accepted"), False)


def undo(database: Database, person: str, key: str, variant: str, at: str) -> str:
    """Undo the person's last decision on a variant, which must be the given one. Return the id of the variant that then waits
    for a decision; if the decision had an edit, this is the variant before the edit. Calling `undo` again with the same `key`
    changes nothing. Raises BenchError if there is nothing to undo, or if another person has decided on the variant in the
    meantime."""
    return database.write_or_raise(lambda cursor: _undo(cursor, person, key, variant, at))


def _undo(cursor: Cursor, person: str, key: str, variant: str, at: str) -> str | BenchError:
    fetch = fetch_from(cursor)
    stored = fetch_review(fetch, key)
    if stored is not None:
        if (stored.person, stored.decision) != (replace_surrogates(person), "undo"):
            return BenchError("This undo has the same key as another decision: load the page again.")
        return _find_source(fetch, stored.item)
    last = load_last_decision(fetch, person)
    if last is None:
        return BenchError(f"{person} has no decision on a variant to undo.")
    both = dict.fromkeys([last.item, _find_source(fetch, last.item)])
    if variant not in both:
        return BenchError(explain_not_last(variant))
    for id_ in both:
        latest = fetch_reviews(fetch, id_)[-1:]
        if latest and latest[0].person != last.person:
            return BenchError(f"{latest[0].person} decided on this variant after you: your decision can no longer be undone.")
    source = variants.fetch_variants(fetch, [list(both)[-1]])[0]
    if refusal := rewrites.refuse_second_rewrite(fetch, source, both):
        return refusal
    for id_, undo_id in zip(both, (key, f"{key}:edited"), strict=False):
        insert_new(cursor, Review(undo_id, id_, last.revision, person, "undo", at=at))
        cursor.execute("UPDATE variant SET status = born_status WHERE id = ?", [id_])
    return list(both)[-1]


def load_last_decision(fetch: Fetch, person: str) -> Review | None:
    """Return the person's last decision on a variant that is in effect, or None if there is none. For a decision with an edit,
    this is the review that accepted the edited variant."""
    rows = fetch(
        f"""
        SELECT {", ".join(f"r.{name.strip()}" for name in COLUMNS.split(","))}
        FROM review r JOIN variant v ON v.id = r.item
        WHERE r.person = ? AND r.decision <> 'undo' AND json_extract_string(r.details, '$.{EDIT_KEY}') IS NULL
            AND r.number > (SELECT coalesce(max(u.number), 0) FROM review u WHERE u.item = r.item AND u.decision = 'undo')
        ORDER BY r.number DESC
        LIMIT 1
        """,
        [person],
    )
    return review_from_row(rows[0]) if rows else None


def _find_source(fetch: Fetch, variant: str) -> str:
    """Return the id of the variant that was edited to make this one, or this variant's id if it is not an edit."""
    stored = variants.fetch_variants(fetch, [variant])
    edited = stored[0].checks.get(EDIT_KEY) if stored else None
    return str(edited["of"]) if isinstance(edited, dict) else variant


def _store(cursor: Cursor, review: Review, variant: Variant) -> None:
    cursor.execute("UPDATE variant SET status = ? WHERE id = ?", [STATUS[review.decision], variant.id])
    insert_new(cursor, review)
