"""What became of a person's opinions: how many came to the same as the decision, and what was decided otherwise, and why."""

from collections.abc import Sequence
from typing import NamedTuple

from core.nouns import Item
from store.opinions import Opinion, equal
from store.outcomes import Outcome


class Said(NamedTuple):
    """An opinion, or a decision between opinions, in words."""

    decision: str
    """accepted or discarded."""
    reason: str
    question: str
    answer: str
    """The first one; "" without any."""


class Changed(NamedTuple):
    """An opinion that the item was not decided by."""

    item: str
    mine: Said
    became: Said
    is_evidence_other: bool
    why: str
    """What whoever decided wrote on it; "" when nothing."""
    at: str
    """UTC, ISO format."""


class Outcomes(NamedTuple):
    """Of one person's opinions."""

    agreed: int
    """Those that came to the same as what was decided."""
    changed: Sequence[Changed]
    """The last decision first."""


def sort_out(found: Sequence[Outcome]) -> Outcomes:
    """Sorted into those that came to the same, and the others."""
    changed = [
        Changed(one.mine.review.item, _said(one.mine), _said(one.became),
                set(one.mine.item.evidence) != set(one.became.item.evidence), one.became.review.comment, one.became.review.at)
        for one in found if not equal(one.mine, one.became)
    ]  # fmt: skip
    return Outcomes(len(found) - len(changed), changed)


def _said(one: Opinion) -> Said:
    item: Item = one.item
    verb = "accepted" if one.review.decision == "accept" else "discarded"
    return Said(verb, one.review.reason, item.question, item.answers[0] if item.answers else "")
