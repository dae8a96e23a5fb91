"""retrieval_precision: share of the first k passages, from 0 to 1, that hit some gold evidence (eval/scoring/span_hits.py), or
of all passages if fewer than k were retrieved. Names: retrieval_precision@1, @3, @5, @10, up to the number of requested
passages. If few passages contain gold evidence, even the best possible value is low: compare systems only at the same k."""

from eval.metric import Metric, ScoringCase, Unscored, Values
from eval.scoring.span_hits import HEADLINE_K, explain_unmeasured, is_hit, list_cuts


def score(case: ScoringCase) -> Values:
    if (why := explain_unmeasured(case)) is not None:
        return {f"@{HEADLINE_K}": why}
    hits = [any(is_hit(passage, gold) for gold in case.evidence) for passage in case.retrieved or ()]
    return {f"@{k}": sum(hits[:k]) / len(hits[:k]) if hits else Unscored("no passage came") for k in list_cuts(case)}


METRIC = Metric(
    headline=f"@{HEADLINE_K}", score=score, reference="pytrec_eval: tests check equality within 1e-12 on 200 random rankings"
)
