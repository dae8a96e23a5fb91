"""token_f1: harmonic mean of token precision and token recall, from 0 to 1, over the multiset overlap of normalised tokens
(HawkBench's F1, with the order of SQuAD's normalisation). The value is 0 if the texts have no common token, even if both are
empty. jieba splits Chinese into words; f1_tokens in core/text/text.py describes the tokens of other languages. The tokens of
gold answers are cached, because all systems are compared with the same gold answers."""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from core.text.text import f1_tokens
from eval.metric import Metric, ScoringCase, Values


class _Gold(NamedTuple):
    length: int
    tokens: frozenset[str]
    repeated: dict[str, int]
    """A dict from each token that occurs more than once in the gold answer to its number of occurrences."""


def score(case: ScoringCase) -> Values:
    """Return the best token F1 of the answer over the gold answers."""
    predicted = f1_tokens(case.prediction, case.language)
    values = [_compute_f1(predicted, _count_gold_tokens(answer, case.language)) for answer in case.answers]
    return {"": max(values) if values else None}


def _compute_f1(predicted: list[str], gold: _Gold) -> float:
    counts = Counter(filter(gold.tokens.__contains__, predicted))
    shared = len(counts)
    if shared == 0:
        return 0.0
    for token, number in gold.repeated.items():
        shared += min(counts.get(token, 1), number) - 1
    precision, recall = shared / len(predicted), shared / gold.length
    return 2 * precision * recall / (precision + recall)


@lru_cache(maxsize=20_000)
def _count_gold_tokens(answer: str, language: str) -> _Gold:
    tokens = f1_tokens(answer, language)
    return _Gold(len(tokens), frozenset(tokens), {token: n for token, n in Counter(tokens).items() if n > 1})


METRIC = Metric(score=score, reference="the SQuAD script: equal within 1e-12 on the benchmark and on HawkBench's worked values")
