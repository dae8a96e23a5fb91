"""Select the effective reviews: those that no later undo takes back. An undo of an opinion takes back that person's opinions on
the item; any other undo takes back all decisions on it. An undo that names a single review takes back only that one, even if it
is an undo."""

from collections.abc import Sequence

from core.nouns import Review

SINGLE_REVIEW_KEY = "only"
"""Key in an undo's details: the id of the single review that the undo reverts."""
BULK = "bulk"
"""Key in a review's details: the id of its bulk action, in which no person opened the item."""
PHASES = "phases"
"""Key in a review's details: the result of two phases."""
_SINGLE = f"(decision = 'undo' AND json_extract_string(details, '$.{SINGLE_REVIEW_KEY}') IS NOT NULL)"
IS_KEPT = f"""
    (NOT {_SINGLE} AND id NOT IN (SELECT json_extract_string(details, '$.{SINGLE_REVIEW_KEY}') FROM review WHERE {_SINGLE}))"""
"""SQL condition for reviews that are neither single undos nor reverted by one."""
IS_BULK = f"(json_extract_string(details, '$.{BULK}') IS NOT NULL)"
"""SQL condition for reviews of a bulk action."""
IS_OF_PHASES = f"(json_extract(details, '$.{PHASES}') IS NOT NULL)"
"""SQL condition for reviews that result from two phases."""
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
"""SQL queries of a WITH clause; `effective` has the effective reviews of items and variants."""
WORK = f"""{EFFECTIVE_REVIEWS}, work AS (
        SELECT *
        FROM effective
        WHERE role <> 'settled' AND NOT {IS_BULK} AND item IN (SELECT item FROM state)
    )"""
"""SQL table `work`: single decisions, opinions and choices between opinions by people, without automatic decisions."""


def drop_single_undos(reviews: Sequence[Review]) -> list[Review]:
    """Return the reviews without reviews that an undo names individually, and without these undos."""
    single = {r.id: r.details[SINGLE_REVIEW_KEY] for r in reviews if r.decision == "undo" and SINGLE_REVIEW_KEY in r.details}
    return [r for r in reviews if r.id not in single and r.id not in single.values()]


def select_effective(reviews: Sequence[Review]) -> list[Review]:
    """Return the given reviews that are in effect. The reviews may belong to several items, but must be complete for each item
    and in the order in which they were made."""
    reviews = drop_single_undos(reviews)
    undone = {undo_scope(review): place for place, review in enumerate(reviews) if review.decision == "undo"}
    return [r for place, r in enumerate(reviews) if r.decision != "undo" and place > undone.get(undo_scope(r), -1)]


def undo_scope(review: Review) -> tuple[str, str | None]:
    """Return the scope of an undo: (item, person whose opinions it undoes; None = decisions). A review is undone by a later
    undo with the same scope."""
    return review.item, review.person if review.role == "opinion" else None
