"""Which reviews stand: those that no undo came after. An undo of an opinion takes back that person's opinions on the item, any
other undo all decisions on it that are no opinions."""

from collections.abc import Sequence

from core.nouns import Review

STANDS = """
    undone AS (
        SELECT item, role = 'opinion' AS is_opinion, CASE WHEN role = 'opinion' THEN person END AS person, max(number) AS number
        FROM review
        WHERE decision = 'undo'
        GROUP BY ALL
    ), stands AS (
        SELECT r.item, r.revision, r.number, r.person, r.decision, r.reason, r.seconds, r.made_at, r.role, r.id, r.details
        FROM review r
        LEFT JOIN undone u
            ON u.item = r.item AND u.is_opinion = (r.role = 'opinion') AND (u.person IS NULL OR u.person = r.person)
        WHERE r.decision <> 'undo' AND r.number > coalesce(u.number, 0)
    )"""
"""Two queries of a WITH: `stands` are the reviews that stand, of items and variants alike."""


def standing(made: Sequence[Review]) -> list[Review]:
    """Those of one or many items' reviews that stand; all of an item must be there, in the order they were made."""
    undone = {taken_back(review): place for place, review in enumerate(made) if review.decision == "undo"}
    return [r for place, r in enumerate(made) if r.decision != "undo" and place > undone.get(taken_back(r), -1)]


def taken_back(review: Review) -> tuple[str, str | None]:
    """What an undo of that review takes back, and what takes that review back: (item, whose opinions; None = decisions)."""
    return review.item, review.person if review.role == "opinion" else None
