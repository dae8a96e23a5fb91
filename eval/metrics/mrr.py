"""mrr: reciprocal rank of the first passage that hits gold evidence (eval/scoring/span_hits.py), 1 / its place; 0 where none of
those that came does. Over a data set its mean is the mean reciprocal rank."""

from eval.metric import Metric, ScoringCase, Values
from eval.scoring.span_hits import explain_unmeasured, is_hit


def score(case: ScoringCase) -> Values:
    if (why := explain_unmeasured(case)) is not None:
        return {"": why}
    for place, passage in enumerate(case.retrieved or (), 1):
        if any(is_hit(passage, gold) for gold in case.evidence):
            return {"": 1 / place}
    return {"": 0.0}


METRIC = Metric(
    version="1",
    low=0.0,
    high=1.0,
    score=score,
    reference="pytrec_eval: within 1e-12 on 200 random rankings, by tests",
)
