"""ndcg: normalised discounted cumulative gain (Jarvelin and Kekalainen 2002) of the first k passages, from 0 to 1. The gain of
a passage is the number of gold spans that it hits and no earlier passage hit (eval/scoring/span_hits.py), discounted by
log2(rank + 1). The ideal ranking hits one new span at each of the first ranks; a passage that hits two spans at once can exceed
it, and the value is then 1. Names: ndcg@1, @3, @5, @10, up to the number of requested passages."""

from math import log2

from eval.metric import Metric, ScoringCase, Values
from eval.scoring.span_hits import HEADLINE_K, count_new_hits, explain_unmeasured, list_cuts


def score(case: ScoringCase) -> Values:
    if (why := explain_unmeasured(case)) is not None:
        return {f"@{HEADLINE_K}": why}
    gains = count_new_hits(case.evidence, case.retrieved or ())
    return {f"@{k}": min(1.0, _discount(gains[:k]) / _discount([1] * min(k, len(case.evidence)))) for k in list_cuts(case)}


def _discount(gains: list[int]) -> float:
    return sum(gain / log2(place + 1) for place, gain in enumerate(gains, 1))


METRIC = Metric(
    headline=f"@{HEADLINE_K}", score=score, reference="pytrec_eval: tests check equality within 1e-12 on 200 random rankings"
)
