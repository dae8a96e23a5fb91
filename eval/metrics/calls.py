"""calls: number of calls that the system made to its agent for the answer, including calls whose replies came from the ledger,
the store of earlier replies. The metric has no value if the system did not report the number."""

from eval.metric import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    return {"": None if case.calls is None else float(case.calls)}


METRIC = Metric(high=None, higher_is_better=False, score=score)
