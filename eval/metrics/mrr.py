"""mrr: reciprocal rank of the first passage that hits gold evidence (eval/scoring/span_hits.py), 1 / its place; 0 where none of
those that came does. Over a data set its mean is the mean reciprocal rank."""

from eval.metric import Metric, ScoringCase, Values
from eval.scoring.span_hits import explain_unmeasured, is_hit


def score(case: ScoringCase) -> Values:
    if (why := explain_unmeasured(case)) is not None:
        return {"": why}
    hits = (any(is_hit(passage, gold) for gold in case.evidence) for passage in case.retrieved or ())
    return {"": next((1 / rank for rank, is_so in enumerate(hits, 1) if is_so), 0.0)}


METRIC = Metric(score=score, reference="pytrec_eval: within 1e-12 on 200 random rankings, by tests")
