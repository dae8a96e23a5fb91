"""rouge_l_crud: ROUGE-L as CRUD-RAG's code computes it, from 0 to 1: F1 of the longest common subsequence of jieba's words,
including white space and punctuation, case-sensitive. With L the length of the subsequence, P = L / words of the answer, R = L
/ words of the gold answer, F = 2PR / (P + R)."""

from core.text.text import lcs_f1
from core.text.words import jieba_words
from eval.metric import Metric, ScoringCase, Values, score_only


def score(case: ScoringCase) -> Values:
    """Return the best ROUGE-L F1 of the answer over the gold answers."""
    words = jieba_words(case.prediction)
    return {"": max((lcs_f1(words, jieba_words(gold)) for gold in case.answers), default=None)}


METRIC = Metric(
    version="1 jieba 0.42.1",
    score=score,
    explain_language=score_only("en", "zh", why="its words are jieba's, which are for Chinese and English"),
    reference="Google's rouge_score over jieba's words: tests check equality on 100 random pairs each in English and Chinese",
)
