"""bleu: sentence BLEU of sacrebleu (Post 2018), divided by 100: n-grams up to 4, effective order, exponential smoothing,
all gold answers as references. English is cut by the tokenizer 13a, Chinese by zh."""

from functools import cache
from typing import TYPE_CHECKING

from eval.metric import Case, Metric, Values

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU


def score(case: Case) -> Values:
    """0.0 for an empty prediction; None without a gold answer."""
    if not case.answers:
        return {"": None}
    return {"": min(_bleu(case.language).sentence_score(case.prediction, list(case.answers)).score / 100, 1.0)}


@cache
def _bleu(language: str) -> "BLEU":
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(effective_order=True, tokenize="zh" if language == "zh" else "13a")


METRIC = Metric(version="1 sacrebleu 2.6.0 exp effective_order 13a|zh", low=0.0, high=1.0, score=score)
