"""evidence_recall: share of the gold evidence spans, from 0 to 1, that the first k retrieved passages hit, or all passages if
fewer were retrieved. A passage hits a span if it covers at least half of the span (eval/scoring/span_hits.py).
evidence_recall.any@k counts any overlap as a hit. Names: evidence_recall@1, @3, @5, @10, up to the number of requested
passages."""

from eval.metric import Metric, ScoringCase, Values
from eval.scoring.span_hits import HEADLINE_K, explain_unmeasured, list_cuts, measure_recall


def score(case: ScoringCase) -> Values:
    if (why := explain_unmeasured(case)) is not None:
        return {f"@{HEADLINE_K}": why}
    passages = case.retrieved or ()
    values: dict[str, float] = {}
    for k in list_cuts(case):
        values[f"@{k}"] = measure_recall(case.evidence, passages[:k])
        values[f"any@{k}"] = measure_recall(case.evidence, passages[:k], 0.0)
    return values


METRIC = Metric(
    version="2",
    headline=f"@{HEADLINE_K}",
    score=score,
    reference="pytrec_eval: tests check equality within 1e-12 on 200 random rankings",
)
