"""calls: number of calls that the system made for the answer, including calls answered from the ledger. None if the system did
not report it."""

from eval.metric import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    return {"": None if case.calls is None else float(case.calls)}


METRIC = Metric(high=None, higher_is_better=False, score=score)
