"""Compares a person's opinions with the decisions: the number that equal the decision, and the others with their reasons."""

from collections.abc import Sequence
from dataclasses import dataclass

from store.reviews.opinions import Opinion, are_equal
from store.reviews.outcomes import OpinionOutcome


@dataclass(frozen=True, slots=True)
class WordedOpinion:
    """An opinion, or a decision between opinions, in words."""

    decision: str
    """Decision on the item: accepted or discarded."""
    reason: str
    question: str
    answer: str
    """First answer; "" without answers."""


@dataclass(frozen=True, slots=True)
class OverruledOpinion:
    """An opinion that differs from the decision."""

    item: str
    mine: WordedOpinion
    became: WordedOpinion
    is_evidence_other: bool
    why: str
    """Comment of the decision; "" without a comment."""
    at: str
    """Time of the decision: UTC, ISO format."""


@dataclass(frozen=True, slots=True)
class PersonOutcomes:
    """The outcomes of one person's opinions."""

    agreed: int
    """Number of opinions that equal the decision."""
    changed: Sequence[OverruledOpinion]
    """Opinions that differ from the decision, last decision first."""


def sort_outcomes(outcomes: Sequence[OpinionOutcome]) -> PersonOutcomes:
    """Separate the opinions that equal the decision from all other opinions."""
    changed = [
        OverruledOpinion(
            one.mine.review.item,
            _describe(one.mine),
            _describe(one.became),
            set(one.mine.item.evidence) != set(one.became.item.evidence),
            one.became.review.comment,
            one.became.review.at,
        )
        for one in outcomes
        if not are_equal(one.mine, one.became)
    ]
    return PersonOutcomes(len(outcomes) - len(changed), changed)


def _describe(opinion: Opinion) -> WordedOpinion:
    review, item = opinion.review, opinion.item
    verb = "accepted" if review.decision == "accept" else "discarded"
    return WordedOpinion(verb, review.reason, item.question, item.answers[0] if item.answers else "")
