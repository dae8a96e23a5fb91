"""Compare a person's opinions on items with the final decisions: how many were the same, and which were overruled and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from store.reviews.opinions import Opinion, are_equal
from store.reviews.outcomes import OpinionOutcome


@dataclass(frozen=True, slots=True)
class WordedOpinion:
    """The decision and text of an opinion, or of a decision between opinions, as the screen shows them."""

    decision: str
    """The decision in words: "accepted" or "discarded"."""
    reason: str
    question: str
    answer: str
    """First answer of the item; "" if the item has no answer."""


@dataclass(frozen=True, slots=True)
class OverruledOpinion:
    """A person's opinion that differs from the final decision on the item."""

    item: str
    mine: WordedOpinion
    became: WordedOpinion
    is_evidence_other: bool
    why: str
    """Comment on the final decision; "" if there is none."""
    at: str
    """Time of the final decision, in UTC and ISO format."""


@dataclass(frozen=True, slots=True)
class PersonOutcomes:
    """How one person's opinions compare with the final decisions."""

    agreed: int
    """Number of the person's opinions that are equal to the final decision."""
    changed: Sequence[OverruledOpinion]
    """The person's opinions that differ from the final decision, latest decision first."""


def sort_outcomes(outcomes: Sequence[OpinionOutcome]) -> PersonOutcomes:
    """Count the opinions that are equal to the final decision, and list those that differ."""
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
