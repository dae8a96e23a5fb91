"""The language of a text, by py3langid: naive Bayes over byte n-grams, 139 languages, a model of 5 MB within the package. It
loads in .6 s, takes 100 MB, and reads 10,000 characters in 4 ms; Lingua, which is a little better on questions of four words,
takes 900 MB."""

from typing import Any, NamedTuple

from core.load_once import load_once
from core.text.language import UNKNOWN, rows

MIN_PROBABILITY = 0.75
"""Least probability, among the languages that are rows, from which a text is taken to be in the likeliest of them."""
_MIN_OTHER_PROBABILITY = 0.5
"""Least probability, among all languages, from which a language that is not a row is named."""
_SAMPLE_CHARACTERS = 5_000
"""Characters from the beginning, and as many from the middle, that decide the language."""
_PART_OF = {"ary": "ar", "arz": "ar", "wuu": "zh", "yue": "zh"}
"""Languages that the detector tells apart and that are written as another one."""
_NO_LANGUAGE = "zxx"


class DetectedLanguage(NamedTuple):
    """The language detector's result for a text."""

    code: str
    """Code of a row, or `und` where no row is likely enough."""
    likeliest: str
    """ISO 639 code of a language that is likely, also one that is not a row; `und` when none is (figures, names, code)."""
    probability: float
    """Of the likeliest row among all rows, 0..1."""

    def explain(self, where: str) -> str:
        """One sentence why the language is `und`; "" when it is known."""
        if self.code != UNKNOWN:
            return ""
        why = f"looks like {self.likeliest!r}, not one of {', '.join(rows())}" if self.likeliest != UNKNOWN else "is not clear"
        return f"The language of {where} {why}: it is kept as {UNKNOWN}; name the language if you know it."


def detect(text: str) -> DetectedLanguage:
    """The language of the text with its probability.

    It is `und` unless the likeliest of all languages is a row and has at least MIN_PROBABILITY among the rows."""
    if len(text) > 2 * _SAMPLE_CHARACTERS:
        middle = len(text) // 2
        text = text[:_SAMPLE_CHARACTERS] + " " + text[middle : middle + _SAMPLE_CHARACTERS]
    if not any(map(str.isalpha, text)):
        return DetectedLanguage(UNKNOWN, UNKNOWN, 0.0)
    shares: dict[str, float] = {}
    for code, share in _identifier().rank(text):
        code = _PART_OF.get(code, code)
        shares[code] = shares.get(code, 0.0) + share
    best = max(shares, key=lambda code: shares[code])
    own = {code: shares.get(code, 0.0) for code in rows()}
    likeliest = max(own, key=lambda code: own[code])
    probability = own[likeliest] / (sum(own.values()) or 1.0)
    if best == likeliest and probability >= MIN_PROBABILITY:
        return DetectedLanguage(likeliest, likeliest, probability)
    is_other = best not in own and best != _NO_LANGUAGE and shares[best] >= _MIN_OTHER_PROBABILITY
    return DetectedLanguage(UNKNOWN, best if is_other else UNKNOWN, probability)


def detect_language(text: str, otherwise: str = UNKNOWN) -> str:
    """The code of the text's language; `otherwise` where the detector is not sure."""
    code = detect(text).code
    return otherwise if code == UNKNOWN else code


@load_once()
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
