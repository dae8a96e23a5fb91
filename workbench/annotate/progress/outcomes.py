"""What became of a person's opinions: how many came to the same as the decision, and what was decided otherwise, and why."""

from collections.abc import Sequence
from typing import NamedTuple

from core.nouns import Item
from store.reviews.opinions import Opinion, are_equal
from store.reviews.outcomes import OpinionOutcome


class WordedOpinion(NamedTuple):
    """An opinion, or a decision between opinions, in words."""

    decision: str
    """accepted or discarded."""
    reason: str
    question: str
    answer: str
    """The first one; "" without any."""


class OverruledOpinion(NamedTuple):
    """An opinion that the item was not decided by."""

    item: str
    mine: WordedOpinion
    became: WordedOpinion
    is_evidence_other: bool
    why: str
    """What whoever decided wrote on it; "" when nothing."""
    at: str
    """UTC, ISO format."""


class Outcomes(NamedTuple):
    """Of one person's opinions."""

    agreed: int
    """Those that came to the same as what was decided."""
    changed: Sequence[OverruledOpinion]
    """The last decision first."""


def sort_out(found: Sequence[OpinionOutcome]) -> Outcomes:
    """Sorted into those that came to the same, and the others."""
    changed = [
        OverruledOpinion(
            one.mine.review.item,
            _said(one.mine),
            _said(one.became),
            set(one.mine.item.evidence) != set(one.became.item.evidence),
            one.became.review.comment,
            one.became.review.at,
        )
        for one in found
        if not are_equal(one.mine, one.became)
    ]
    return Outcomes(len(found) - len(changed), changed)


def _said(one: Opinion) -> WordedOpinion:
    item: Item = one.item
    verb = "accepted" if one.review.decision == "accept" else "discarded"
    return WordedOpinion(verb, one.review.reason, item.question, item.answers[0] if item.answers else "")
