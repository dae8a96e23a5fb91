"""bleu: sentence BLEU of sacrebleu (Post 2018), divided by 100: n-grams up to 4, effective order, exponential smoothing,
all gold answers as references. sacrebleu's tokenizer is the one of the language's row: 13a, intl (Arabic, Hindi), zh, or char
(Japanese). bleu.p1 to .p4 are its clipped n-gram
precisions before smoothing; an order that the prediction is too short for has none."""

from functools import cache
from typing import TYPE_CHECKING

from core.text.language import find_row, rows
from eval.metric import Metric, ScoringCase, Unscored, Values

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU


def score(case: ScoringCase) -> Values:
    """Returns BLEU and its precisions; 0.0 for an empty prediction, None without a gold answer."""
    if not case.answers:
        return {"": None}
    bleu = _load_bleu(case.language).sentence_score(case.prediction, list(case.answers))
    shares = {
        f"p{n}": hits / total if total else Unscored(f"fewer than {n} tokens")
        for n, (hits, total) in enumerate(zip(bleu.counts, bleu.totals, strict=True), 1)
    }
    return {"": min(bleu.score / 100, 1.0), **shares}


@cache
def _load_bleu(language: str) -> "BLEU":
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(effective_order=True, tokenize=find_row(language).bleu)


METRIC = Metric(
    version="2 sacrebleu 2.6.0 exp effective_order 13a|zh",
    score=score,
    explain_language=lambda language: "" if language in rows() else "its tokenizer depends on the language, which is not known",
    reference="sacrebleu's sentence score: within 1e-12 on random pairs in both languages, by tests",
)
