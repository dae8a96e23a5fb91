"""What two texts have in common: answers normalised and compared word by word (token F1), longest common subsequence. The
names of its neighbours (sentences, words, tokens, scripts) can be had from here too."""

import re
import string
from collections.abc import Sequence
from itertools import filterfalse

from core.text.scripts import detect_language
from core.text.sentences import split_sentences
from core.text.tokens import count_tokens
from core.text.words import content_words, jieba_words, overlap, rouge_tokens, words

__all__ = [
    "answer_places",
    "content_words",
    "count_tokens",
    "detect_language",
    "f1_tokens",
    "lcs_f1",
    "lcs_length",
    "normalise_answer",
    "overlap",
    "rouge_tokens",
    "split_sentences",
    "token_f1",
    "words",
]

_PUNCTUATION = string.punctuation.encode("ascii")
_MARKED = bytes(0xFF if not chr(i).isprintable() and not chr(i).isspace() else i for i in range(256))
"""Control characters, at which a word ends without white space, become a byte that is not ASCII."""
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(a|an|the)\b")
_WORD = re.compile(r"\S+")
_ARTICLES = frozenset(("a", "an", "the"))


def normalise_answer(text: str) -> str:
    """Lower-case, ASCII punctuation deleted, the articles a, an, the replaced by a space, white space collapsed; in this order
    (SQuAD's rule, as HawkBench uses it)."""
    return " ".join(_answer_words(text))


def answer_places(text: str, answer: str) -> list[tuple[int, int]]:
    """Where the answer stands in the text once both are normalised: (start, end) in the text as it is, in order, none over
    another. Nowhere for an answer of which normalisation leaves nothing."""
    wanted = normalise_answer(answer)
    if not wanted:
        return []
    normal, places = _with_places(text)
    found, at = [], normal.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        found.append((places[at], places[end - 1] + 1))
        at = normal.find(wanted, end)
    return found


def f1_tokens(text: str, language: str) -> list[str]:
    """The tokens that token F1 counts: those of the normalised answer at white space; for Chinese jieba's words of the
    normalised answer, punctuation left out."""
    if language != "zh":
        return _answer_words(text)
    return [word for word in jieba_words(normalise_answer(text)) if any(character.isalnum() for character in word)]


def token_f1(prediction: str, answer: str, language: str) -> float:
    """Harmonic mean of precision and recall over the two bags of tokens, 0..1; 0 when nothing is shared, also when both are
    empty."""
    return bag_f1(f1_tokens(prediction, language), f1_tokens(answer, language))


def bag_f1(predicted: Sequence[str], wanted: Sequence[str]) -> float:
    """Token F1 of ready tokens."""
    left: dict[str, int] = {}
    for token in wanted:
        left[token] = left.get(token, 0) + 1
    shared = 0
    for token in predicted:
        n = left.get(token, 0)
        if n:
            left[token] = n - 1
            shared += 1
    if shared == 0:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(wanted)
    return 2 * precision * recall / (precision + recall)


def lcs_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence of two token sequences, by rapidfuzz's bit-parallel algorithm."""
    from rapidfuzz.distance import LCSseq

    return LCSseq.similarity(a, b)


def lcs_f1(predicted: Sequence[str], wanted: Sequence[str]) -> float:
    """ROUGE-L of ready tokens: harmonic mean of the longest common subsequence's shares of both; 0 when it is empty."""
    common = lcs_length(wanted, predicted) if predicted and wanted else 0
    if common == 0:
        return 0.0
    precision, recall = common / len(predicted), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


def _with_places(text: str) -> tuple[str, list[int]]:
    """The normalised text, and of each of its characters where it is from."""
    whole = text.lower()
    lowered = enumerate(whole) if len(whole) == len(text) else ((at, low) for at, one in enumerate(text) for low in one.lower())
    left = [(at, low) for at, low in lowered if low not in string.punctuation]
    plain = _ARTICLE.sub(lambda article: " " * len(article[0]), "".join(low for _, low in left))
    words, places = [], list[int]()
    for word in _WORD.finditer(plain):
        places += ([places[-1]] if places else []) + [left[at][0] for at in range(*word.span())]
        words.append(word[0])
    return " ".join(words), places


def _answer_words(text: str) -> list[str]:
    text = text.lower()
    if text.isascii():  # as bytes, several times as fast
        left = text.encode("ascii").translate(_MARKED, _PUNCTUATION)
        if left.isascii():  # only letters, digits and white space: an article is a whole word
            return list(filterfalse(_ARTICLES.__contains__, left.decode("ascii").split()))
    return _ARTICLE.sub(" ", text.translate(_WITHOUT_PUNCTUATION)).split()
