"""Which reviews stand: those that no undo came after. An undo of an opinion takes back that person's opinions on the item, any
other undo all decisions on it that are no opinions; one that names a single review takes back that one alone, which may be an
undo itself."""

from collections.abc import Sequence

from core.nouns import Review

SINGLE_REVIEW_KEY = "only"
"""What an undo's details name the single review under that it takes back."""
BULK = "bulk"
"""What a review's details name the bulk action under that it is of: nobody had the item on the desk for it."""
_SINGLE = f"(decision = 'undo' AND json_extract_string(details, '$.{SINGLE_REVIEW_KEY}') IS NOT NULL)"
IS_KEPT = f"""
    (NOT {_SINGLE} AND id NOT IN (SELECT json_extract_string(details, '$.{SINGLE_REVIEW_KEY}') FROM review WHERE {_SINGLE}))"""
"""Of a review row: no undo names it singly, and it is no such undo."""
IS_BULK = f"(json_extract_string(details, '$.{BULK}') IS NOT NULL)"
"""Of a review row: it is of a bulk action."""
PHASES = "phases"
"""What a review's details name that two phases came to."""
IS_OF_PHASES = f"(json_extract(details, '$.{PHASES}') IS NOT NULL)"
"""Of a review row: several people came to it in two phases."""
EFFECTIVE_REVIEWS = f"""
    kept AS (
        SELECT *
        FROM review
        WHERE {IS_KEPT}
    ), undone AS (
        SELECT item, role = 'opinion' AS is_opinion, CASE WHEN role = 'opinion' THEN person END AS person, max(number) AS number
        FROM kept
        WHERE decision = 'undo'
        GROUP BY ALL
    ), stands AS (
        SELECT r.item, r.revision, r.number, r.person, r.decision, r.reason, r.seconds, r.made_at, r.role, r.id, r.details
        FROM kept r
        LEFT JOIN undone u
            ON u.item = r.item AND u.is_opinion = (r.role = 'opinion') AND (u.person IS NULL OR u.person = r.person)
        WHERE r.decision <> 'undo' AND r.number > coalesce(u.number, 0)
    )"""
"""Queries of a WITH: `stands` are the reviews that stand, of items and variants alike."""


def drop_single_undos(made: Sequence[Review]) -> list[Review]:
    """Those that no undo names singly, and none of these undos."""
    single = {r.id: r.details[SINGLE_REVIEW_KEY] for r in made if r.decision == "undo" and SINGLE_REVIEW_KEY in r.details}
    return [r for r in made if r.id not in single and r.id not in single.values()]


def select_effective(made: Sequence[Review]) -> list[Review]:
    """Those of one or many items' reviews that stand; all of an item must be there, in the order they were made."""
    made = drop_single_undos(made)
    undone = {undo_scope(review): place for place, review in enumerate(made) if review.decision == "undo"}
    return [r for place, r in enumerate(made) if r.decision != "undo" and place > undone.get(undo_scope(r), -1)]


def undo_scope(review: Review) -> tuple[str, str | None]:
    """What an undo of that review takes back, and what takes that review back: (item, whose opinions; None = decisions)."""
    return review.item, review.person if review.role == "opinion" else None
