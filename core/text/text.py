"""Compares two texts: normalised answers, token F1, longest common subsequence. The module also exports the functions of the
modules for sentences, words, tokens and scripts."""

import re
import string
import unicodedata
from collections.abc import Sequence
from itertools import filterfalse

from core.text.detection import detect_language
from core.text.language import find_row
from core.text.sentences import split_sentences
from core.text.tokens import count_tokens
from core.text.words import (
    content_words,
    cut_by_package,
    cut_characters,
    fold_digits,
    fold_letters,
    jieba_words,
    overlap,
    rouge_tokens,
    words,
)

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
"""Table that maps control characters, which separate words without being white space, to a byte outside ASCII."""
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(a|an|the)\b")
_WORD = re.compile(r"\S+")
_ARTICLES = frozenset(("a", "an", "the"))


def normalise_answer(text: str) -> str:
    """Return an answer in the form in which answers are compared: in lower case, without ASCII punctuation, with the articles
    a, an and the replaced by a space, and with single spaces. The normalisation is SQuAD's rule, as in HawkBench, and applies
    these steps in this order."""
    return " ".join(_answer_words(text))


def answer_places(text: str, answer: str) -> list[tuple[int, int]]:
    """Return the (start, end) of each place in the text that equals the answer after normalisation, in order and without
    overlap.

    Returns [] for an answer that is empty after normalisation."""
    gold = normalise_answer(answer)
    if not gold:
        return []
    normal, origins = _normalise_with_origins(text)
    places, at = [], normal.find(gold)
    while at >= 0:
        end = at + len(gold)
        places.append((origins[at], origins[end - 1] + 1))
        at = normal.find(gold, end)
    return places


def f1_tokens(text: str, language: str) -> list[str]:
    """Return the tokens for token F1 and exact match: the text in lower case without punctuation and articles, split at white
    space.

    English uses SQuAD's rule, see normalise_answer. Chinese uses jieba's words of the text normalised by SQuAD's rule. Other
    languages are treated as in MKQA's evaluation (Longpre et al. 2021): without the language's articles and all Unicode
    punctuation; in scripts without spaces, the tokens are single characters, or the words found by the package for the
    language. French and Italian elisions are separate words. Digits of every script are replaced by 0 to 9, which MKQA does not
    do."""
    if language == "en":
        return _answer_words(text)
    row = find_row(language)
    if row.cut == "jieba":
        return [word for word in jieba_words(normalise_answer(text)) if any(map(str.isalnum, word))]
    plain = fold_digits(fold_letters(unicodedata.normalize("NFKC", text), row))
    if (cut := cut_by_package(plain, row)) is not None:
        return cut
    plain = _strip_punctuation(plain.replace("’", "'").replace("'", " ") if row.elides else plain)
    tokens = [token for word in plain.split() for token in cut_characters(word)]
    if row.article_prefix:
        tokens = [_strip_article(token, row.article_prefix) for token in tokens]
    return [token for token in tokens if token not in row.articles]


def token_f1(prediction: str, answer: str, language: str) -> float:
    """Return the token F1 of two texts (0 to 1): the harmonic mean of precision and recall over their tokens, counted with
    repetitions. The token F1 is 0 if the texts share no token, even if both are empty."""
    return bag_f1(f1_tokens(prediction, language), f1_tokens(answer, language))


def bag_f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """Return the token F1 (0 to 1) of two lists of tokens, counted with repetitions."""
    left: dict[str, int] = {}
    for token in gold:
        left[token] = left.get(token, 0) + 1
    shared = 0
    for token in predicted:
        n = left.get(token, 0)
        if n:
            left[token] = n - 1
            shared += 1
    return _harmonic_mean(shared, len(predicted), len(gold))


def lcs_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two token sequences, by rapidfuzz's bit-parallel algorithm."""
    from rapidfuzz.distance import LCSseq

    return LCSseq.similarity(a, b)


def lcs_f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """Return ROUGE-L of two lists of tokens (0 to 1): the length of their longest common subsequence is divided by the length
    of each list, and ROUGE-L is the harmonic mean of both quotients; 0 if the lists share no token."""
    return _harmonic_mean(lcs_length(gold, predicted) if predicted and gold else 0, len(predicted), len(gold))


def _harmonic_mean(shared: int, predicted: int, gold: int) -> float:
    if shared == 0:
        return 0.0
    precision, recall = shared / predicted, shared / gold
    return 2 * precision * recall / (precision + recall)


def _normalise_with_origins(text: str) -> tuple[str, list[int]]:
    """Return the normalised text and, for each of its characters, the position in `text` that it comes from."""
    whole = text.lower()
    pairs = enumerate(whole) if len(whole) == len(text) else ((at, low) for at, char in enumerate(text) for low in char.lower())
    left = [(at, low) for at, low in pairs if low not in string.punctuation]
    plain = _ARTICLE.sub(lambda article: " " * len(article[0]), "".join(low for _, low in left))
    words, origins = [], list[int]()
    for word in _WORD.finditer(plain):
        origins += ([origins[-1]] if origins else []) + [left[at][0] for at in range(*word.span())]
        words.append(word[0])
    return " ".join(words), origins


def _strip_punctuation(text: str) -> str:
    """Return the text without ASCII punctuation and without characters that Unicode classifies as punctuation."""
    return "".join(sign for sign in text if sign not in string.punctuation and unicodedata.category(sign)[0] != "P")


def _strip_article(token: str, prefix: str) -> str:
    """Return the word without the article `prefix` at its beginning, if at least two letters follow it."""
    return token[len(prefix) :] if token.startswith(prefix) and len(token) > len(prefix) + 1 else token


def _answer_words(text: str) -> list[str]:
    text = text.lower()
    if text.isascii():  # bytes are several times faster than strings
        left = text.encode("ascii").translate(_MARKED, _PUNCTUATION)
        if left.isascii():  # only letters, digits and white space are left, so an article is a whole word
            return list(filterfalse(_ARTICLES.__contains__, left.decode("ascii").split()))
    return _ARTICLE.sub(" ", text.translate(_WITHOUT_PUNCTUATION)).split()
