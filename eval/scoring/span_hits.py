"""Determine which retrieved passages hit which gold evidence: a passage hits a gold span if it covers at least half of its
characters. Because spans are compared, different chunkings are comparable. All retrieval metrics use these hits."""

from collections.abc import Sequence

from core.nouns import Span
from eval.metric import ScoringCase, Unscored

CUTS = (1, 3, 5, 10)
HEADLINE_K = 5
MIN_COVERED_SHARE = 0.5
"""Least share (0..1) of a gold span that a passage must cover to hit it."""


def is_hit(passage: Span, gold: Span, least: float = MIN_COVERED_SHARE) -> bool:
    """Check whether the passage covers at least the share `least` of the gold span; with 0, whether they overlap at all."""
    if passage.document != gold.document:
        return False
    common = min(passage.end, gold.end) - max(passage.start, gold.start)
    return common > 0 and common >= least * (gold.end - gold.start)


def measure_recall(evidence: Sequence[Span], passages: Sequence[Span], least: float = MIN_COVERED_SHARE) -> float:
    """Return the share (0..1) of the gold spans that at least one passage hits."""
    return sum(any(is_hit(passage, gold, least) for passage in passages) for gold in evidence) / len(evidence)


def count_new_hits(evidence: Sequence[Span], passages: Sequence[Span]) -> list[int]:
    """Return, for each passage, best first, the number of gold spans that it is the first to hit."""
    missed, counts = list(evidence), []
    for passage in passages:
        rest = [gold for gold in missed if not is_hit(passage, gold)]
        counts.append(len(missed) - len(rest))
        missed = rest
    return counts


def explain_unmeasured(case: ScoringCase) -> Unscored | None:
    """Return why the retrieval of the case cannot be measured, or None if it can be measured."""
    if case.retrieved is None:
        return Unscored("no retrieval")
    if case.is_left_out:
        return Unscored("not run: the item's source is excluded from retrieval")
    return None if case.evidence else Unscored("no gold evidence")


def list_cuts(case: ScoringCase) -> list[int]:
    """Return the cut-offs k (numbers of first passages) at which retrieval is measured, up to the number of requested passages
    (`extra["top_k"]`). If the number of requested passages is unknown, HEADLINE_K is always included, so that the headline
    value counts every answer."""
    deepest = max(int(case.extra.get("top_k") or max(len(case.retrieved or ()), HEADLINE_K)), 1)
    return [k for k in CUTS if k <= deepest]
