"""seconds: service time of the answer in seconds, without the time spent waiting for a free slot or between attempts. The
metric has no value if the system did not report the time."""

from eval.metric import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    return {"": None if case.seconds is None else float(case.seconds)}


METRIC = Metric(high=None, higher_is_better=False, score=score)
