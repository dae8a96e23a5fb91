"""rouge_l: F1 of the longest common subsequence of tokens, as google's rouge_score computes it without a stemmer: with L the
length of the subsequence, P = L / tokens of the prediction, R = L / tokens of the gold, F = 2PR / (P + R). English tokens are
lower-cased runs of letters and digits, Chinese ones are jieba's words."""

from core.text import lcs_length, rouge_tokens
from eval.metric import Case, Metric, Values


def score(case: Case) -> Values:
    """Best over the gold answers."""
    prediction = rouge_tokens(case.prediction, case.language)
    return {"": max((_f1(prediction, rouge_tokens(gold, case.language)) for gold in case.answers), default=None)}


def _f1(prediction: list[str], gold: list[str]) -> float:
    if not prediction or not gold:
        return 0.0
    common = lcs_length(gold, prediction)
    precision, recall = common / len(prediction), common / len(gold)
    return 2 * precision * recall / (precision + recall) if common else 0.0


METRIC = Metric(
    version="1", low=0.0, high=1.0, score=score,
    reference="google's rouge_score without stemmer: equal on 1,000 random pairs in English and 100 in Chinese, by tests",
)  # fmt: skip
