"""rouge_l: F1 of the longest common subsequence of tokens, as google's rouge_score computes it without a stemmer: with L the
length of the subsequence, P = L / tokens of the prediction, R = L / tokens of the gold, F = 2PR / (P + R). English tokens are
lower-cased runs of a-z and 0-9, Chinese ones are jieba's words, others runs of letters, marks and digits, or single characters
in scripts without spaces."""

from core.text.text import lcs_f1, rouge_tokens
from eval.metric import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    """Returns the best ROUGE-L F1 over the gold answers."""
    prediction = rouge_tokens(case.prediction, case.language)
    return {"": max((lcs_f1(prediction, rouge_tokens(gold, case.language)) for gold in case.answers), default=None)}


METRIC = Metric(
    score=score,
    reference="google's rouge_score without stemmer: equal on 1,000 random pairs in English and 100 in Chinese, by tests",
)
