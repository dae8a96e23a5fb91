"""evidence_recall: how much of the gold evidence retrieval brought. The value at k is the share of gold spans hit by the
first k passages, or by all where fewer came (eval/scoring/span_hits.py says what a hit is). evidence_recall.any@k counts a hit
at any overlap. Names: evidence_recall@1, @3, @5, @10, as far as passages were asked for."""

from eval.metric import Metric, ScoringCase, Values
from eval.scoring.span_hits import HEADLINE, explain_unmeasured, list_cuts, measure_recall


def score(case: ScoringCase) -> Values:
    if (why := explain_unmeasured(case)) is not None:
        return {f"@{HEADLINE}": why}
    passages = case.retrieved or ()
    values: dict[str, float] = {}
    for k in list_cuts(case):
        values[f"@{k}"] = measure_recall(case.evidence, passages[:k])
        values[f"any@{k}"] = measure_recall(case.evidence, passages[:k], 0.0)
    return values


METRIC = Metric(
    version="2", headline=f"@{HEADLINE}", score=score, reference="pytrec_eval: within 1e-12 on 200 random rankings, by tests"
)
