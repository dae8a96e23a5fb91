"""tokens: tokens in and out of all calls for the answer, as the endpoint counted them. None when nobody told."""

from eval.metric import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    return {"": None if case.tokens is None else float(case.tokens)}


METRIC = Metric(high=None, higher_is_better=False, score=score)
