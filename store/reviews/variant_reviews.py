"""Decisions on variants in and out: reviews like any other, one transaction each with the edit it brings and the status it
leaves. An edit is a variant of its own that names the one it was made of; that one is discarded by the same press, and stands
again when the press is undone."""

from dataclasses import replace
from typing import NamedTuple

from core.errors import BenchError
from core.nouns import Review, Variant
from store.engine.columns import Fetch, fetch_from, replace_surrogates
from store.engine.database import Cursor, Database
from store.reviews import unsent_edits
from store.reviews.review_rows import COLUMNS, insert_new, review_of
from store.reviews.reviews import STATUS, fetch_review
from store.reviews.unsent_edits import UnsentEdit
from store.variants import variant_queue, variants

EDIT_KEY = "edited"
"""What the review of the variant that an edit was made of tells in its details: the id of the edit."""


class VariantDecision(NamedTuple):
    """What a press left."""

    variant: Variant
    """What was decided on: the edit where there is one."""
    is_repeat: bool


class VariantConflict(BenchError):
    """Somebody else decided meanwhile, or has it on the screen. Nothing was stored."""


def decide_variant(
    database: Database, review: Review, seen: str, edit: Variant | None = None, pressed: UnsentEdit | None = None
) -> VariantDecision:
    """Store a decision on the variant `review.item`, which was `seen` on the screen; with `edit` it is that which is accepted.
    `pressed` is what was on the screen, and is kept as scratch no more. The same review id again returns what was stored.
    Raises VariantConflict when somebody was faster, BenchError when there is no such variant."""
    outcome = database.write(lambda cursor: _settle(cursor, review, seen, edit, pressed))
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def _settle(
    cursor: Cursor, review: Review, seen: str, edit: Variant | None, pressed: UnsentEdit | None
) -> VariantDecision | BenchError:
    """Errors are returned, not raised: nothing was written, and other writes of this transaction go on."""
    fetch = fetch_from(cursor)
    stored = fetch_review(fetch, review.id)
    if stored is not None:
        if stored.person != replace_surrogates(review.person) or stored.decision != review.decision:
            return BenchError("This decision has the key of another one: load the page again.")
        return VariantDecision(variants.fetch_variants(fetch, [stored.item])[0], True)
    found = variants.fetch_variants(fetch, [review.item])
    if not found:
        return BenchError(f"No variant {review.item} in this workspace: load the page again.")
    [before] = found
    other = variant_queue.find_holder(fetch, before.id, review.person, review.at)
    if other is not None:
        return VariantConflict(f"{other.person} has this variant on the screen: nothing was stored, go on with the next.")
    if before.status != seen:
        return VariantConflict(f"It is {before.status} by now, and was {seen} on the screen: nothing was stored, look again.")
    if pressed is not None:
        unsent_edits.forget_sent(cursor, pressed)
    variant_queue.release_hold(cursor, before.id)
    if edit is None:
        _mark(cursor, review, before)
        return VariantDecision(replace(before, status=STATUS[review.decision]), False)
    if not variants.fetch_variants(fetch, [edit.id]):
        variants.insert(cursor, [replace(edit, status="discarded")])  # what it is again once the press is undone
    old = replace(
        review,
        id=f"{review.id}:edited",
        decision="discard",
        reason="edited",
        seconds=None,
        comment="",
        details={EDIT_KEY: edit.id},
    )
    _mark(cursor, old, before)
    _mark(cursor, replace(review, item=edit.id), edit)
    return VariantDecision(replace(edit, status="accepted"), False)


def undo(database: Database, person: str, key: str, variant: str, at: str) -> str:
    """Take back that person's last decision on variants, which must be the one on that variant; returns the id of the variant
    that waits again: of an edit the one it was made of. The same key again does nothing more. Raises BenchError when there is
    nothing to take back, or somebody decided since."""
    outcome = database.write(lambda cursor: _undo(cursor, person, key, variant, at))
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def _undo(cursor: Cursor, person: str, key: str, variant: str, at: str) -> str | BenchError:
    fetch = fetch_from(cursor)
    stored = fetch_review(fetch, key)
    if stored is not None:
        if (stored.person, stored.decision) != (replace_surrogates(person), "undo"):
            return BenchError("This undo has the key of another decision: load the page again.")
        return _source(fetch, stored.item)
    mine = load_last_decision(fetch, person)
    if mine is None:
        return BenchError(f"{person} has no decision on a variant that could be undone.")
    if variant not in (mine.item, _source(fetch, mine.item)):
        return BenchError("Your last decision is another one by now, made elsewhere: look at it before you undo it.")
    both = dict.fromkeys([mine.item, _source(fetch, mine.item)])
    for one in both:
        if (latest := _load_latest_review(fetch, one)) is not None and latest.person != mine.person:
            return BenchError(f"{latest.person} decided on it after you: it cannot be undone any more.")
    for place, one in enumerate(both):
        id_ = key if place == 0 else f"{key}:edited"
        insert_new(cursor, Review(id_, one, mine.revision, person, "undo", at=at))
        cursor.execute("UPDATE variant SET status = born_status WHERE id = ?", [one])
    return list(both)[-1]


def load_last_decision(fetch: Fetch, person: str) -> Review | None:
    """That person's last decision on a variant that stands, of an edit the one that accepted it."""
    rows = fetch(
        f"""
        SELECT {", ".join(f"r.{name.strip()}" for name in COLUMNS.split(","))}
        FROM review r JOIN variant v ON v.id = r.item
        WHERE r.person = ? AND r.decision <> 'undo' AND json_extract_string(r.details, '$.{EDIT_KEY}') IS NULL
            AND r.number > (SELECT coalesce(max(u.number), 0) FROM review u WHERE u.item = r.item AND u.decision = 'undo')
        ORDER BY r.number DESC
        LIMIT 1
        """,
        [replace_surrogates(person)],
    )
    return review_of(rows[0]) if rows else None


def load_reviews_of(fetch: Fetch, variant: str) -> list[Review]:
    """Every review of it, oldest first, undos among them."""
    return [review_of(row) for row in fetch(f"SELECT {COLUMNS} FROM review WHERE item = ? ORDER BY number", [variant])]


def _load_latest_review(fetch: Fetch, variant: str) -> Review | None:
    found = load_reviews_of(fetch, variant)
    return found[-1] if found else None


def _source(fetch: Fetch, variant: str) -> str:
    """What an edit was made of; the variant itself where it is none."""
    found = variants.fetch_variants(fetch, [variant])
    edited = found[0].checks.get(EDIT_KEY) if found else None
    return str(edited["of"]) if isinstance(edited, dict) else variant


def _mark(cursor: Cursor, review: Review, variant: Variant) -> None:
    cursor.execute("UPDATE variant SET status = ? WHERE id = ?", [STATUS[review.decision], variant.id])
    insert_new(cursor, review)
