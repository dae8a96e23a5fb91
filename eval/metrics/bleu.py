"""bleu: sentence BLEU of sacrebleu (Post 2018), divided by 100, so from 0 to 1, with n-grams up to 4, effective order,
exponential smoothing, and all gold answers as references. The language selects sacrebleu's tokenizer: zh for Chinese, char for
Japanese, intl for Arabic and Hindi, 13a for all other languages. bleu.p1 to bleu.p4 are the clipped n-gram precisions before
smoothing; an order for which the answer has too few tokens has no value."""

from functools import cache
from typing import TYPE_CHECKING

from core.text.language import find_row, rows
from eval.metric import Metric, ScoringCase, Unscored, Values

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU


def score(case: ScoringCase) -> Values:
    """Return BLEU and its n-gram precisions. They are 0.0 for an empty answer, and missing if there is no gold answer."""
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
    reference="sacrebleu's sentence score: tests check equality within 1e-12 on random pairs in both languages",
)
