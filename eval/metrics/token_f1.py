"""token_f1: harmonic mean of token precision and recall, multiset overlap of normalised tokens (HawkBench's F1, SQuAD's
order of normalisation). No common token gives 0, also when both sides are empty. Chinese is cut into words by jieba."""

from core.text import token_f1
from eval.metric import Case, Metric, Values


def score(case: Case) -> Values:
    """Best over the gold answers."""
    return {"": max((token_f1(case.prediction, gold, case.language) for gold in case.answers), default=None)}


METRIC = Metric(version="1", low=0.0, high=1.0, score=score)
