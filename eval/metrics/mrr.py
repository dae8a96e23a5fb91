"""mrr: reciprocal rank of the first passage that hits gold evidence (eval/scoring/span_hits.py), from 0 to 1: 1 / its rank, or
0 if no retrieved passage hits. The mean over a data set is the mean reciprocal rank."""

from eval.metric import Metric, ScoringCase, Values
from eval.scoring.span_hits import explain_unmeasured, is_hit


def score(case: ScoringCase) -> Values:
    if (why := explain_unmeasured(case)) is not None:
        return {"": why}
    hits = (any(is_hit(passage, gold) for gold in case.evidence) for passage in case.retrieved or ())
    return {"": next((1 / rank for rank, is_so in enumerate(hits, 1) if is_so), 0.0)}


METRIC = Metric(score=score, reference="pytrec_eval: tests check equality within 1e-12 on 200 random rankings")
