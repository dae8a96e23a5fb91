"""bleu_crud: BLEU as CRUD-RAG's code computes it, from 0 to 1: the geometric mean of the four clipped n-gram precisions over
jieba's words, including white space and punctuation, without the brevity penalty. An answer that only repeats the question can
therefore score high, so compare the value with bleu and length. bleu_crud.p1 to bleu_crud.p4 are the precisions for n-grams of
1 to 4 words; if the answer has fewer than n words, that precision is 0, and so is the mean."""

from collections import Counter
from math import prod

from core.text.words import jieba_words
from eval.metric import Metric, ScoringCase, Values, score_only

ORDERS = (1, 2, 3, 4)


def score(case: ScoringCase) -> Values:
    """Return the best BLEU over the gold answers, with the precisions for that gold answer; 0.0 for an empty answer."""
    if not case.answers:
        return {"": None}
    words = jieba_words(case.prediction)
    shares = max((_measure_precisions(words, jieba_words(gold)) for gold in case.answers), key=lambda own: (_average(own), own))
    return {"": _average(shares), **{f"p{n}": share for n, share in zip(ORDERS, shares, strict=True)}}


def _measure_precisions(prediction: list[str], gold: list[str]) -> tuple[float, ...]:
    shares = []
    for n in ORDERS:
        own, theirs = (Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1)) for words in (prediction, gold))
        total = own.total()
        shares.append((own & theirs).total() / total if total else 0.0)
    return tuple(shares)


def _average(shares: tuple[float, ...]) -> float:
    return float(prod(shares) ** (1 / len(shares)))


METRIC = Metric(
    version="1 jieba 0.42.1",
    score=score,
    explain_language=score_only("en", "zh", why="its words are jieba's, which are for Chinese and English"),
    reference="CRUD-RAG's code: tests check its published values",
)
