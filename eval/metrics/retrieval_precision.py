"""retrieval_precision: the share of the first k passages that hit some gold evidence (eval/scoring/span_hits.py), of all where
fewer than k came. Names: retrieval_precision@1, @3, @5, @10, as far as passages were asked for. With gold in few places its
best value is low by nature: compare systems at the same k alone."""

from eval.metric import Case, Metric, Unscored, Values
from eval.scoring.span_hits import HEADLINE, cuts, hits, leave_unscored, why_not


def score(case: Case) -> Values:
    if (why := why_not(case)) is not None:
        return leave_unscored(why)
    good = [any(hits(passage, gold) for gold in case.evidence) for passage in case.retrieved or ()]
    return {f"@{k}": sum(good[:k]) / len(good[:k]) if good else Unscored("no passage came") for k in cuts(case)}


METRIC = Metric(
    version="1",
    low=0.0,
    high=1.0,
    headline=f"@{HEADLINE}",
    score=score,
    reference="pytrec_eval: within 1e-12 on 200 random rankings, by tests",
)
