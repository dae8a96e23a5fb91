"""Select the effective reviews: those that no later undo cancels. An undo of an opinion cancels that person's opinions on the
item; an undo of a decision cancels all decisions on the item. An undo that refers to a single review cancels only that review,
which may itself be an undo."""

from collections.abc import Sequence

from core.nouns import Review

SINGLE_REVIEW_KEY = "only"
"""Key in an undo's details with the id of the single review that the undo cancels."""
BULK = "bulk"
"""Key in a review's details with the id of its bulk action, in which no person opened the item."""
PHASES = "phases"
"""Key in a review's details that marks it as the result of a review in two phases."""
_SINGLE = f"(decision = 'undo' AND json_extract_string(details, '$.{SINGLE_REVIEW_KEY}') IS NOT NULL)"
IS_KEPT = f"""
    (NOT {_SINGLE} AND id NOT IN (SELECT json_extract_string(details, '$.{SINGLE_REVIEW_KEY}') FROM review WHERE {_SINGLE}))"""
"""SQL condition for reviews that are neither undos of a single review nor cancelled by one."""
IS_BULK = f"(json_extract_string(details, '$.{BULK}') IS NOT NULL)"
"""SQL condition for reviews that were made by a bulk action."""
IS_OF_PHASES = f"(json_extract(details, '$.{PHASES}') IS NOT NULL)"
"""SQL condition for reviews that result from a review in two phases."""
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
    ), effective AS (
        SELECT r.item, r.revision, r.number, r.person, r.decision, r.reason, r.seconds, r.made_at, r.role, r.id, r.details
        FROM kept r
        LEFT JOIN undone u
            ON u.item = r.item AND u.is_opinion = (r.role = 'opinion') AND (u.person IS NULL OR u.person = r.person)
        WHERE r.decision <> 'undo' AND r.number > coalesce(u.number, 0)
    )"""
"""SQL queries of a WITH clause; their table `effective` has the effective reviews of items and variants."""
WORK = f"""{EFFECTIVE_REVIEWS}, work AS (
        SELECT *
        FROM effective
        WHERE role <> 'settled' AND NOT {IS_BULK} AND item IN (SELECT item FROM state)
    )"""
"""SQL table `work`: the effective reviews of items that people made one by one, without automatic and bulk decisions."""


def drop_single_undos(reviews: Sequence[Review]) -> list[Review]:
    """Return the given reviews without the undos that refer to a single review, and without the reviews that these undos
    cancel."""
    single = {r.id: r.details[SINGLE_REVIEW_KEY] for r in reviews if r.decision == "undo" and SINGLE_REVIEW_KEY in r.details}
    return [r for r in reviews if r.id not in single and r.id not in single.values()]


def select_effective(reviews: Sequence[Review]) -> list[Review]:
    """Return those of the given reviews that are in effect. The list may concern several items, but must have all reviews of
    each item, in the order in which they were made."""
    reviews = drop_single_undos(reviews)
    undone = {undo_scope(review): place for place, review in enumerate(reviews) if review.decision == "undo"}
    return [r for place, r in enumerate(reviews) if r.decision != "undo" and place > undone.get(undo_scope(r), -1)]


def undo_scope(review: Review) -> tuple[str, str | None]:
    """Return what an undo cancels: (item, person) for the person's opinions on the item, or (item, None) for all decisions. A
    review is cancelled by a later undo with the same scope."""
    return review.item, review.person if review.role == "opinion" else None
