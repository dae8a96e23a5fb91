"""Words of English and Chinese text: for search, for overlap, for ROUGE. Chinese is cut by jieba, whose dictionary is read
once per process."""

import os
import re
import unicodedata
from typing import Any

from core.cached_file import cache_folder, load_or_make
from core.load_once import load_once
from core.text.scripts import HAN
from core.text.stop_words import STOP_WORDS

_WORD = re.compile(rf"[{HAN}]|\d+(?:[.,]\d+)+|[^\W{HAN}]+(?:['’][^\W\d_{HAN}]+)*")
"""A Han character, a number with its points and commas, or a run of letters and digits with inner apostrophes."""
_ASCII_WORD = re.compile(r"\d+(?:[.,]\d+)+|\w+(?:'[a-z]+)*")
_ROUGE_TOKEN = re.compile("[a-z0-9]+")


def words(text: str, language: str) -> list[str]:
    """Lower-cased words in order, compatibility forms folded (NFKC), punctuation left out. English: numbers stay whole
    ("3,500"), a possessive 's goes. Chinese: jieba's words."""
    text = _fold_text(text)
    if language == "zh":
        return [word for word in jieba_tokenizer().lcut(text) if _says_something(word)]
    found = (_ASCII_WORD if text.isascii() else _WORD).findall(text)
    if "'" in text or "’" in text:
        found = [word.replace("’", "'").removesuffix("'s") for word in found]
    return found


def content_words(text: str, language: str) -> list[str]:
    """The words without stop words."""
    stop = STOP_WORDS.get(language, STOP_WORDS["en"])
    return [word for word in words(text, language) if word not in stop]


def rouge_tokens(text: str, language: str) -> list[str]:
    """What ROUGE counts. English: exactly the tokens of google's rouge_score without stemming (lower-cased runs of a-z and
    0-9). Chinese: jieba's words in lower case, punctuation left out."""
    text = text.lower()
    if language == "zh":
        return [word for word in jieba_tokenizer().lcut(text) if _says_something(word)]
    return _ROUGE_TOKEN.findall(text)


def overlap(question: str, evidence: str, language: str) -> float | None:
    """Share of the question's distinct content words found in the evidence, 0..1; None when either holds none."""
    asked = set(content_words(question, language))
    known = set(words(evidence, language))
    return len(asked & known) / len(asked) if asked and known else None


def jieba_words(text: str) -> list[str]:
    """jieba's words of the text as it is, white space and punctuation among them; joined they are the text."""
    found: list[str] = jieba_tokenizer().lcut(text)
    return found


def _fold_text(text: str) -> str:
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).lower()


def _says_something(word: str) -> bool:
    return word.isalnum() or any(character.isalnum() for character in word)


@load_once()
def jieba_tokenizer() -> Any:
    """A tokenizer of our own, filled by hand: jieba's own start writes a cache into the shared temporary folder, would trust
    one that somebody else left there, and prints to stderr. What it reads out of its dictionary is kept among the user's own
    caches."""
    import jieba

    tokenizer = jieba.Tokenizer()
    dictionary = tokenizer.get_dict_file()
    known = os.fstat(dictionary.fileno())
    file = cache_folder() / f"jieba-{jieba.__version__}-{known.st_size}-{known.st_mtime_ns}.marshal"
    with dictionary:
        tokenizer.FREQ, tokenizer.total = load_or_make(file, lambda: tokenizer.gen_pfdict(dictionary))
    tokenizer.initialized = True
    return tokenizer
