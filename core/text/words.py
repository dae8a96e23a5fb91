"""Words of English and Chinese text, for search, overlap and ROUGE. jieba cuts Chinese; its dictionary is read once per
process."""

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
    """Lower-case words in order, in Unicode form NFKC, without punctuation. English: numbers stay whole ("3,500") and the
    possessive 's is removed. Chinese: jieba's words."""
    text = (text if text.isascii() else unicodedata.normalize("NFKC", text)).lower()
    if language == "zh":
        return _cut_chinese(text)
    matches: list[str] = (_ASCII_WORD if text.isascii() else _WORD).findall(text)
    if "'" in text or "’" in text:
        return [word.replace("’", "'").removesuffix("'s") for word in matches]
    return matches


def content_words(text: str, language: str) -> list[str]:
    """The words without stop words."""
    stop = STOP_WORDS.get(language, STOP_WORDS["en"])
    return [word for word in words(text, language) if word not in stop]


def rouge_tokens(text: str, language: str) -> list[str]:
    """Tokens for ROUGE. English: exactly those of google's rouge_score without stemming (runs of a-z and 0-9 in lower case).
    Chinese: jieba's words in lower case, without punctuation."""
    return _cut_chinese(text.lower()) if language == "zh" else _ROUGE_TOKEN.findall(text.lower())


def overlap(question: str, evidence: str, language: str) -> float | None:
    """Share of the question's distinct content words that the evidence has, 0..1; None when either has none."""
    question_words = set(content_words(question, language))
    evidence_words = set(words(evidence, language))
    return len(question_words & evidence_words) / len(question_words) if question_words and evidence_words else None


def jieba_words(text: str) -> list[str]:
    """jieba's words of the unchanged text, including white space and punctuation; joined they are the text."""
    return list(jieba_tokenizer().lcut(text))


def _cut_chinese(text: str) -> list[str]:
    """jieba's words with a letter or digit."""
    return [word for word in jieba_tokenizer().lcut(text) if word.isalnum() or any(map(str.isalnum, word))]


@load_once()
def jieba_tokenizer() -> Any:
    """jieba's tokenizer with its dictionary cached in the user's own cache folder.

    jieba's own start writes its cache into the shared temporary folder, would trust a file that somebody else left there, and
    prints to stderr."""
    import jieba

    tokenizer = jieba.Tokenizer()
    dictionary = tokenizer.get_dict_file()
    stat = os.fstat(dictionary.fileno())
    file = cache_folder() / f"jieba-{jieba.__version__}-{stat.st_size}-{stat.st_mtime_ns}.marshal"
    with dictionary:
        tokenizer.FREQ, tokenizer.total = load_or_make(file, lambda: tokenizer.gen_pfdict(dictionary))
    tokenizer.initialized = True
    return tokenizer
