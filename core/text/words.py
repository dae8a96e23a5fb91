"""Splits a text into words for search, overlap and ROUGE, by the rules of its language. The package jieba splits Chinese; its
dictionary is read once per process."""

import os
import re
import unicodedata
from typing import Any

from core.cached_file import cache_folder, load_or_make
from core.load_once import load_once
from core.text.cutters import open_cutter
from core.text.language import Language, find_row
from core.text.scripts import MARKS, UNSPACED, UNSPACED_CHARACTER

_WORD = re.compile(
    rf"[{UNSPACED}][{MARKS}]*|\d+(?:[.,]\d+)+|(?:[^\W{UNSPACED}]|[{MARKS}])+(?:['’](?:[^\W\d_{UNSPACED}]|[{MARKS}])+)*"
)
"""Pattern of one word: a character of a script without spaces, a number with its points and commas, or a run of letters, marks
and digits with apostrophes inside."""
_ASCII_WORD = re.compile(r"\d+(?:[.,]\d+)+|\w+(?:'[a-z]+)*")
_ROUGE_TOKEN = re.compile("[a-z0-9]+")
_RUN = re.compile(rf"[{UNSPACED}][{MARKS}]*|(?:[^\W_{UNSPACED}]|[{MARKS}])+")
"""Pattern of one ROUGE token: a character of a script without spaces, or a run of letters, marks and digits."""
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
"""Pattern of a decimal digit other than 0 to 9, such as an Arabic or Devanagari digit."""
_PIECE_PATTERN = re.compile(rf"[{UNSPACED}][{MARKS}]*|[^{UNSPACED}]+")


def words(text: str, language: str) -> list[str]:
    """Return the words of the text in order, in lower case and Unicode form NFKC, without punctuation, split by the rules of
    the language.

    Numbers stay whole ("3,500"). The English possessive 's is removed; French and Italian elisions are separate words."""
    row = find_row(language)
    text = fold_letters(text if text.isascii() else unicodedata.normalize("NFKC", text), row)
    if row.cut == "jieba":
        return _cut_chinese(text)
    if (cut := cut_by_package(text, row)) is not None:
        return cut
    has_apostrophes = "'" in text or "’" in text
    if row.elides and has_apostrophes:
        return _WORD.findall(text.replace("'", " ").replace("’", " "))
    matches: list[str] = (_ASCII_WORD if text.isascii() else _WORD).findall(text)
    if has_apostrophes:
        matches = [word.replace("’", "'") for word in matches]
        return [word.removesuffix("'s") for word in matches] if language == "en" else matches
    return matches


def content_words(text: str, language: str) -> list[str]:
    """Return the words of the text without stop words, which are the frequent words of its language that say nothing about the
    topic."""
    stop = find_row(language).stop_words
    return [word for word in words(text, language) if word not in stop]


def rouge_tokens(text: str, language: str) -> list[str]:
    """Return the tokens for ROUGE. For English, the tokens are those of Google's rouge_score without stemming (runs of a-z and
    0-9 in lower case). For Chinese, the tokens are jieba's words in lower case, without punctuation. For other languages, the
    tokens are runs of letters, marks and digits in lower case, with the digits of every script as 0 to 9; in scripts without
    spaces, the tokens are single characters, or the words found by the package for the language."""
    if language == "en":
        return _ROUGE_TOKEN.findall(text.lower())
    row = find_row(language)
    if row.cut == "jieba":
        return _cut_chinese(text.lower())
    text = fold_digits(fold_letters(unicodedata.normalize("NFKC", text), row))
    cut = cut_by_package(text, row)
    return _RUN.findall(text) if cut is None else cut


def fold_letters(text: str, row: Language) -> str:
    """Return the text in lower case, without the characters that are ignored when words of the language are compared."""
    return re.sub(f"[{row.ignored}]", "", text.lower()) if row.ignored else text.lower()


def fold_digits(text: str) -> str:
    """Return the text with the decimal digits of every script as 0 to 9, so that a year in Arabic digits equals the same year
    in European digits."""
    return text if text.isascii() else _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)


def simplify_chinese(text: str) -> str:
    """Return the text with traditional Chinese characters as simplified ones, so that both spellings of a word are equal."""
    return text if text.isascii() else str(_open_simplifier().convert(text))


@load_once()
def _open_simplifier() -> Any:
    from opencc import OpenCC

    return OpenCC("t2s")


def cut_by_package(text: str, row: Language) -> list[str] | None:
    """Split the text with the package for its language and return the words that contain a letter or digit, or None if there is
    no package for the language or the package is not installed."""
    cut = open_cutter(row.cutter)
    return None if cut is None else [word for word in cut(text) if any(map(str.isalnum, word))]


def cut_characters(token: str) -> list[str]:
    """Split a word with letters of several scripts: each character of a script without spaces becomes a separate piece,
    together with its combining marks."""
    return _PIECE_PATTERN.findall(token) if UNSPACED_CHARACTER.search(token) else [token]


def overlap(question: str, evidence: str, language: str) -> float | None:
    """Return the share (0 to 1) of the question's distinct content words that occur in the evidence, or None if question or
    evidence has no content words."""
    question_words = set(content_words(question, language))
    evidence_words = set(words(evidence, language))
    return len(question_words & evidence_words) / len(question_words) if question_words and evidence_words else None


def jieba_words(text: str) -> list[str]:
    """Split a Chinese text with jieba, without changing it, into words, white space and punctuation; joined, they are the
    text."""
    return list(jieba_tokenizer().lcut(text))


def _cut_chinese(text: str) -> list[str]:
    """Return the words of a Chinese text, as jieba cuts them, that contain a letter or digit."""
    return [word for word in jieba_tokenizer().lcut(text) if word.isalnum() or any(map(str.isalnum, word))]


@load_once()
def jieba_tokenizer() -> Any:
    """Return jieba's tokenizer, with its dictionary in the user's own cache folder.

    By default, jieba writes its cache to the shared temporary folder, trusts files of other users there, and prints to
    stderr."""
    import jieba

    tokenizer = jieba.Tokenizer()
    dictionary = tokenizer.get_dict_file()
    stat = os.fstat(dictionary.fileno())
    file = cache_folder() / f"jieba-{jieba.__version__}-{stat.st_size}-{stat.st_mtime_ns}.marshal"
    with dictionary:
        tokenizer.FREQ, tokenizer.total = load_or_make(file, lambda: tokenizer.gen_pfdict(dictionary))
    tokenizer.initialized = True
    return tokenizer
