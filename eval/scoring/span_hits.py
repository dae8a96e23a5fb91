"""Determines which retrieved passages hit which gold evidence. It compares spans, so that different chunkings are comparable: a
passage hits a gold span if it covers at least half of the span's characters. All retrieval metrics use these hits."""

from collections.abc import Sequence

from core.nouns import Span
from eval.metric import ScoringCase, Unscored

CUTS = (1, 3, 5, 10)
HEADLINE_K = 5
MIN_COVERED_SHARE = 0.5
"""Share of a gold span that a passage must cover."""


def is_hit(passage: Span, gold: Span, least: float = MIN_COVERED_SHARE) -> bool:
    """Return whether the passage covers at least that share of the gold span; with 0, whether they overlap at all."""
    if passage.document != gold.document:
        return False
    common = min(passage.end, gold.end) - max(passage.start, gold.start)
    return common > 0 and common >= least * (gold.end - gold.start)


def measure_recall(evidence: Sequence[Span], passages: Sequence[Span], least: float = MIN_COVERED_SHARE) -> float:
    """Return the share of gold spans that at least one passage hits."""
    return sum(any(is_hit(passage, gold, least) for passage in passages) for gold in evidence) / len(evidence)


def count_new_hits(evidence: Sequence[Span], passages: Sequence[Span]) -> list[int]:
    """Return, for each passage, best first, the number of gold spans that it hits and no earlier passage hit."""
    missed, counts = list(evidence), []
    for passage in passages:
        rest = [gold for gold in missed if not is_hit(passage, gold)]
        counts.append(len(missed) - len(rest))
        missed = rest
    return counts


def explain_unmeasured(case: ScoringCase) -> Unscored | None:
    """Return why retrieval cannot be measured on the case, or None if it can."""
    if case.retrieved is None:
        return Unscored("no retrieval")
    if case.is_left_out:
        return Unscored("not run: its source is left out")
    return None if case.evidence else Unscored("no gold evidence")


def list_cuts(case: ScoringCase) -> list[int]:
    """Return the cuts k up to the number of requested passages (`extra["top_k"]`).
    If no number was requested, includes at least the headline's cut, so that every answer counts in it."""
    deepest = max(int(case.extra.get("top_k") or max(len(case.retrieved or ()), HEADLINE_K)), 1)
    return [k for k in CUTS if k <= deepest]
