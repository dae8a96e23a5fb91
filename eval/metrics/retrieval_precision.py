"""retrieval_precision: the share of the first k passages that hit some gold evidence (eval/scoring/span_hits.py), of all where
fewer than k came. Names: retrieval_precision@1, @3, @5, @10, as far as passages were asked for. With gold in few places its
best value is low by nature: compare systems at the same k alone."""

from eval.metric import Metric, ScoringCase, Unscored, Values
from eval.scoring.span_hits import HEADLINE, explain_unmeasured, is_hit, list_cuts


def score(case: ScoringCase) -> Values:
    if (why := explain_unmeasured(case)) is not None:
        return {f"@{HEADLINE}": why}
    hits = [any(is_hit(passage, gold) for gold in case.evidence) for passage in case.retrieved or ()]
    return {f"@{k}": sum(hits[:k]) / len(hits[:k]) if hits else Unscored("no passage came") for k in list_cuts(case)}


METRIC = Metric(headline=f"@{HEADLINE}", score=score, reference="pytrec_eval: within 1e-12 on 200 random rankings, by tests")
