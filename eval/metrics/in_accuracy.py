"""in_accuracy: 1 if the tokens of a gold answer occur in the answer as one uninterrupted sequence, else 0; this is the accuracy
of the query-variation study and of papers on adaptive retrieval. Both texts are decomposed (NFD) and lower-cased, ASCII
punctuation is replaced by spaces, and the articles a, an, the are removed. A gold answer in a script without spaces is searched
for as a substring, because its tokens would be whole clauses. A gold answer that is empty after this normalisation ("the") is
ignored."""

import re
import string
import unicodedata
from typing import NamedTuple

from core.text.scripts import UNSPACED_CHARACTER
from eval.metric import Metric, ScoringCase, Unscored, Values

_MARKS = str.maketrans(dict.fromkeys(string.punctuation, " "))
_ARTICLE = re.compile(r"\b(a|an|the)\b")


class SearchableText(NamedTuple):
    """A normalised text in which answers are searched for."""

    plain: str
    """The text in lower case, without ASCII punctuation and articles, with single spaces; "" if nothing is left."""
    tokens: str
    """The tokens of `plain` with a space around each."""


def score(case: ScoringCase) -> Values:
    """Return 1 if the answer contains any of the gold answers, else 0; unscored if no gold answer has a token."""
    golds = [gold for gold in map(make_searchable, case.answers) if gold.plain]
    if not golds:
        return {"": Unscored("no gold answer with a token")}
    answer = make_searchable(case.prediction)
    return {"": float(any(contains_answer(answer, gold) for gold in golds))}


def make_searchable(text: str) -> SearchableText:
    """Return the text in the form that `contains_answer` takes."""
    plain = _normalise_text(text)
    return SearchableText(plain, f" {' '.join(_split_tokens(plain))} ")


def contains_answer(text: SearchableText, answer: SearchableText) -> bool:
    """Return whether the tokens of an answer that is not empty occur in the text as one uninterrupted sequence."""
    return answer.plain in text.plain if UNSPACED_CHARACTER.search(answer.plain) else answer.tokens in text.tokens


def _normalise_text(text: str) -> str:
    low = unicodedata.normalize("NFD", text).lower().translate(_MARKS)
    return " ".join(_ARTICLE.sub(" ", low).split())


def _split_tokens(text: str) -> list[str]:
    """Split the text into runs of letters, digits and marks, and single other characters."""
    if text.isascii() and text.replace(" ", "").isalnum():
        return text.split()
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
