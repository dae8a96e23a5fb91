"""exact_match: 1 if the answer equals a gold answer after SQuAD's normalisation, else 0. The normalisation converts to lower
case, removes ASCII punctuation and articles, and reduces white space to single spaces (Rajpurkar et al. 2016). In Chinese, it
also removes all punctuation and white space; in other languages, the tokens of token_f1 are compared."""

import unicodedata

from core.text.text import f1_tokens, normalise_answer
from eval.metric import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    """Return 1 if the answer equals a gold answer after normalisation, else 0. Texts that are empty after normalisation ("a",
    "...") are compared unchanged."""
    return {"": max((float(_is_same(case.prediction, gold, case.language)) for gold in case.answers), default=None)}


def _is_same(prediction: str, gold: str, language: str) -> bool:
    a, b = _normalise_text(prediction, language), _normalise_text(gold, language)
    return a == b if a or b else prediction.strip().lower() == gold.strip().lower()


def _normalise_text(text: str, language: str) -> str:
    if language not in ("en", "zh"):
        return " ".join(f1_tokens(text, language))
    plain = normalise_answer(text)
    if language == "en":
        return plain
    return "".join(c for c in plain if not c.isspace() and not unicodedata.category(c).startswith("P"))


METRIC = Metric(score=score, reference="the SQuAD script: tests check its normalisation")
