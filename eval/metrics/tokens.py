"""tokens: number of input and output tokens of all calls for the answer, as counted by the endpoint. The metric has no value if
the system did not report the number."""

from eval.metric import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    return {"": None if case.tokens is None else float(case.tokens)}


METRIC = Metric(high=None, higher_is_better=False, score=score)
