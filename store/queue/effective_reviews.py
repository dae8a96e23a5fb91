"""Select the reviews that are in effect, which means that no later undo cancels them. The undo of an opinion cancels that
person's opinions on the item; the undo of a decision cancels all decisions on the item. An undo that refers to a single review
cancels only that review, which may itself be an undo."""

from collections.abc import Sequence

from core.nouns import Review

SINGLE_REVIEW_KEY = "only"
"""Key in the details of an undo that cancels a single review; its value is the id of that review."""
BULK = "bulk"
"""Key in the details of a review that a bulk action made without a person opening the item; its value is the id of the
action."""
PHASES = "phases"
"""Key in the details of a review that results from a review in two phases."""
_SINGLE = f"(decision = 'undo' AND json_extract_string(details, '$.{SINGLE_REVIEW_KEY}') IS NOT NULL)"
IS_KEPT = f"""
    (NOT {_SINGLE} AND id NOT IN (SELECT json_extract_string(details, '$.{SINGLE_REVIEW_KEY}') FROM review WHERE {_SINGLE}))"""
"""SQL condition that leaves out undos of a single review and the reviews that they cancel."""
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
"""SQL queries for a WITH clause; the table `effective` contains the reviews of items and variants that are in effect."""
WORK = f"""{EFFECTIVE_REVIEWS}, work AS (
        SELECT *
        FROM effective
        WHERE role <> 'settled' AND NOT {IS_BULK} AND item IN (SELECT item FROM state)
    )"""
"""SQL table `work`: the reviews of items that are in effect and that people made one by one; automatic and bulk decisions are
left out."""


def drop_single_undos(reviews: Sequence[Review]) -> list[Review]:
    """Return the given reviews without undos of a single review, and without the reviews that these undos cancel."""
    single = {r.id: r.details[SINGLE_REVIEW_KEY] for r in reviews if r.decision == "undo" and SINGLE_REVIEW_KEY in r.details}
    return [r for r in reviews if r.id not in single and r.id not in single.values()]


def select_effective(reviews: Sequence[Review]) -> list[Review]:
    """Return those of the given reviews that are in effect. The list may concern several items. The list must contain all
    reviews of each item in the order in which they were made."""
    reviews = drop_single_undos(reviews)
    undone = {undo_scope(review): place for place, review in enumerate(reviews) if review.decision == "undo"}
    return [r for place, r in enumerate(reviews) if r.decision != "undo" and place > undone.get(undo_scope(r), -1)]


def undo_scope(review: Review) -> tuple[str, str | None]:
    """Return the reviews that an undo cancels: (item, person) means the person's opinions on the item, (item, None) means all
    decisions on it. A later undo with the same result cancels a review."""
    return review.item, review.person if review.role == "opinion" else None
