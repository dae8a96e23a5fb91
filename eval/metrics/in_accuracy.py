"""in_accuracy: 1 if the tokens of a gold answer occur in the answer as one uninterrupted sequence, else 0; this is the accuracy
of the query-variation study and of papers on adaptive retrieval. Both texts are decomposed (NFD) and lower-cased, ASCII
punctuation is replaced by spaces, and the articles a, an, the are removed. A gold answer in a script without spaces is searched
for as a substring, because its tokens would be whole clauses. A gold answer that is empty after this normalisation ("the") is
ignored."""

import re
import string
import unicodedata

from core.text.scripts import UNSPACED_CHARACTER
from eval.metric import Metric, ScoringCase, Unscored, Values

_MARKS = str.maketrans(dict.fromkeys(string.punctuation, " "))
_ARTICLE = re.compile(r"\b(a|an|the)\b")


def score(case: ScoringCase) -> Values:
    """Return 1 if the answer contains any of the gold answers, else 0; unscored if no gold answer has a token."""
    golds = [gold for gold in map(_normalise_text, case.answers) if gold]
    if not golds:
        return {"": Unscored("no gold answer with a token")}
    answer = _normalise_text(case.prediction)
    tokens = f" {' '.join(_split_tokens(answer))} "
    return {"": float(any(_contains_gold(gold, answer, tokens) for gold in golds))}


def _contains_gold(gold: str, answer: str, tokens: str) -> bool:
    return gold in answer if UNSPACED_CHARACTER.search(gold) else f" {' '.join(_split_tokens(gold))} " in tokens


def _normalise_text(text: str) -> str:
    low = unicodedata.normalize("NFD", text).lower().translate(_MARKS)
    return " ".join(_ARTICLE.sub(" ", low).split())


def _split_tokens(text: str) -> list[str]:
    """Split the text into runs of letters, digits and marks, and single other characters."""
    tokens: list[str] = []
    is_open = False
    for sign in text:
        is_word = unicodedata.category(sign)[0] in "LNM"
        if is_word and is_open:
            tokens[-1] += sign
        elif not sign.isspace():
            tokens.append(sign)
        is_open = is_word
    return tokens


METRIC = Metric(
    score=score,
    reference="the query-variation study's code, with tokens [\\p{L}\\p{N}\\p{M}]+ or one other sign: tests check examples",
)
