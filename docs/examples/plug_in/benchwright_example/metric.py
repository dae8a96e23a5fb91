"""starts_alike: 1.0 when the answer begins with a gold answer, upper and lower case alike, else 0.0."""

from benchwright import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    prediction = case.prediction.lower()
    return {"": max((float(prediction.startswith(answer.lower())) for answer in case.answers), default=None)}


METRIC = Metric(score=score)
