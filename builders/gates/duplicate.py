"""Refuse a draft whose question and answer equal those of another item. Flag a draft that is a near duplicate of another item,
or whose question another item answers differently."""

from builders.gate import Finding, Gate, GateContext
from builders.near_duplicate_index import NEAR_JACCARD, normalise_words
from core.nouns import Item, Span
from core.text.figures import figures

MIN_EQUAL_JACCARD = 0.9
"""Least Jaccard similarity (0..1) at which two questions count as equal."""
MIN_EQUAL_ANSWER_RATIO = 90
"""Least rapidfuzz ratio (0..100) at which two answers count as equal."""


def check(item: Item, context: GateContext) -> Finding:
    equal = context.near_duplicates.find_same(item)
    if equal is not None:
        return Finding("refuse", f"Item {equal} asks the same and has the same answer.", {"kind": "exact", "other": equal})
    for near in context.near_duplicates.find_near(item, NEAR_JACCARD):
        details = {"other": near.item, "question": near.question, "answer": near.answer, "jaccard": round(near.jaccard, 4)}
        if answers_alike(item, near.answer):
            if _overlap(item.evidence, near.evidence):
                return Finding(
                    "flag", f"Item {near.item} asks nearly the same about the same text.", {"kind": "near"} | details
                )
        elif (
            near.jaccard >= MIN_EQUAL_JACCARD and figures(item.question).numbers.keys() == figures(near.question).numbers.keys()
        ):
            why = f"Item {near.item} asks the same and answers {near.answer!r}: it is ambiguous, or one answer is wrong."
            return Finding("flag", why, {"kind": "ambiguous"} | details)
    return Finding("pass")


def answers_alike(item: Item, other: str) -> bool:
    """Check whether one of the item's answers equals the answer `other` or differs from it in only one or two letters."""
    from rapidfuzz.fuzz import ratio

    return any(ratio(normalise_words(answer), normalise_words(other)) >= MIN_EQUAL_ANSWER_RATIO for answer in item.answers)


def _overlap(some: tuple[Span, ...], others: tuple[Span, ...]) -> bool:
    return any(a.overlaps(b) for a in some for b in others)


GATE = Gate(version="1", check=check)
