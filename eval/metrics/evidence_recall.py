"""evidence_recall: how much of the gold evidence retrieval brought, on spans, so that any chunking can be compared. A
passage hits a gold span when it covers at least half of the span's characters; the value at k is the share of gold spans
hit by the first k passages, or by all where fewer came. evidence_recall.any@k counts a hit at any overlap. Names:
evidence_recall@1, @3, @5, @10, as far as passages were asked for."""

from core.nouns import Span
from eval.metric import Case, Metric, Unscored, Values

CUTS = (1, 3, 5, 10)
HEADLINE = 5
SHARE = 0.5
"""Least share of a gold span that a passage must cover."""


def score(case: Case) -> Values:
    """Cuts up to the number of passages asked for (`extra["top_k"]`); where nobody asked for a number, up to the headline's at
    least, so that every answer counts in it."""
    if case.retrieved is None:
        return {"@5": Unscored("no retrieval")}
    if case.is_left_out:
        return {"@5": Unscored("not run: its source is left out")}
    if not case.evidence:
        return {"@5": Unscored("no gold evidence")}
    deepest = max(int(case.extra.get("top_k") or max(len(case.retrieved), HEADLINE)), 1)
    values: dict[str, float] = {}
    for k in (k for k in CUTS if k <= deepest):
        top = case.retrieved[:k]
        values[f"@{k}"] = _share(case.evidence, top, SHARE)
        values[f"any@{k}"] = _share(case.evidence, top, 0.0)
    return values


def _share(evidence: tuple[Span, ...], passages: tuple[Span, ...], least: float) -> float:
    return sum(any(_hits(passage, gold, least) for passage in passages) for gold in evidence) / len(evidence)


def _hits(passage: Span, gold: Span, least: float) -> bool:
    if passage.document != gold.document:
        return False
    common = min(passage.end, gold.end) - max(passage.start, gold.start)
    return common > 0 and common >= least * (gold.end - gold.start)


METRIC = Metric(version="2", low=0.0, high=1.0, headline=f"@{HEADLINE}", score=score)
