"""calls: calls that the system made for the answer, those found in the ledger included. None when nobody told."""

from eval.metric import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    return {"": None if case.calls is None else float(case.calls)}


METRIC = Metric(high=None, higher_is_better=False, score=score)
