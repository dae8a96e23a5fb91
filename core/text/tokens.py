"""Estimates the number of tokens of a text from its characters, without a vocabulary."""

import re
from typing import Any

from core.text.scripts import HAN

_LATIN_WORD = re.compile("[A-Za-z]+")
_DIGIT = re.compile(r"\d")
_HAN = re.compile(f"[{HAN}]")
_HAN_RANGES = [(ord(first), ord(last)) for first, last in re.findall("(.)-(.)", HAN)]

_WEIGHTS = {"en": (0.80, 0.064, 0.285, 1.0, 1.1), "zh": (1.54, 0.0, 0.56, 1.0, 1.0)}
"""Dict from language to estimated tokens per Latin word, Latin letter, digit, Han character, and other character except white
space."""


def count_tokens(text: str, language: str) -> int:
    """Return the estimated number of tokens in a text, at least 1 for a text that is not blank.

    The estimate is fitted to WordPiece (30,522 pieces). For English, on 1,443 held-out Wikipedia paragraphs (4.3 characters per
    token), the estimate is .9 % too low in total; its mean error is 6 % per paragraph, 16 % at the 95th percentile, and 4 % and
    10 % on passages of about 256 tokens. For Chinese, on 300 held-out news articles, the error is .1 % in total and .4 % per
    article, because WordPiece has one token per Han character; newer vocabularies join characters, so the Chinese estimate is
    an upper bound for them."""
    per_word, per_letter, per_digit, per_han, per_other = _WEIGHTS.get(language, _WEIGHTS["en"])
    latin = _LATIN_WORD.findall(text)
    letters = len("".join(latin))
    digits = len(_DIGIT.findall(text))
    han = 0 if text.isascii() else len(_HAN.findall(text))
    other = len("".join(text.split())) - letters - digits - han
    estimate = per_word * len(latin) + per_letter * letters + per_digit * digits + per_han * han + per_other * other
    return max(round(estimate), 0 if not text or text.isspace() else 1)


def tokens_before(text: str, language: str) -> Any:
    """Return the estimated number of tokens before each code point of the text, as a float64 array of shape (len(text) +
    1,)."""
    import numpy as np

    per_word, per_letter, per_digit, per_han, per_other = _WEIGHTS.get(language, _WEIGHTS["en"])
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    lower = codes | 32
    latin = (lower >= 97) & (lower <= 122)
    weights = np.full(len(codes), per_other)
    weights[latin] = per_letter
    weights[1:][latin[1:] & ~latin[:-1]] += per_word
    if len(codes) and latin[0]:
        weights[0] += per_word
    weights[(codes >= 48) & (codes <= 57)] = per_digit
    if not text.isascii():
        for first, last in _HAN_RANGES:
            weights[(codes >= first) & (codes <= last)] = per_han
    for space in {character for character in set(text) if character.isspace()}:
        weights[codes == ord(space)] = 0.0
    return np.concatenate([[0.0], np.cumsum(weights)])
