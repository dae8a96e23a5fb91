"""rouge_l: F1 of the longest common subsequence of tokens, from 0 to 1, as computed by Google's rouge_score without a stemmer:
with L the length of the subsequence, P = L / tokens of the answer, R = L / tokens of the gold answer, F = 2PR / (P + R). Tokens
are lower-cased runs of a-z and 0-9 in English and jieba's words in Chinese; in other languages, they are runs of letters, marks
and digits, or single characters in scripts without spaces."""

from core.text.text import lcs_f1, rouge_tokens
from eval.metric import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    """Return the best ROUGE-L F1 of the answer over the gold answers."""
    prediction = rouge_tokens(case.prediction, case.language)
    return {"": max((lcs_f1(prediction, rouge_tokens(gold, case.language)) for gold in case.answers), default=None)}


METRIC = Metric(
    score=score,
    reference="Google's rouge_score without stemmer: tests check equality on 1,000 random pairs in English, 100 in Chinese",
)
