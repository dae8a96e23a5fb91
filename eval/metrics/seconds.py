"""seconds: service seconds per answer, without waiting for a free place or between attempts. None when nobody told."""

from eval.metric import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    return {"": None if case.seconds is None else float(case.seconds)}


METRIC = Metric(high=None, higher_is_better=False, score=score)
