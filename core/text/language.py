"""Supported languages: each file in core/text/languages, named by an ISO 639-1 code, describes one as the constant LANGUAGE."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from core.catalog import catalog
from core.errors import BenchError

UNKNOWN = "und"
"""Code (ISO 639-2) of a language that is not known."""
FULL_LANGUAGES = ("en", "zh")
"""Languages for which there are prompts, offline drafts, tables of noise and word patterns."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Properties of one language, whose code is the name of its file."""

    name: str
    """English name of the language."""
    script: str
    """Main script of the language as an ISO 15924 code: Latn, Cyrl, Arab ..."""
    cut: Literal["words", "characters", "jieba"] = "words"
    """Method that splits text into words: Unicode words, single characters (for scripts without spaces), or jieba's words."""
    cutter: str = ""
    """Package that splits text into words, which core/text/cutters.py calls; if the package is not installed, the method `cut`
    applies."""
    stop_words: frozenset[str] = frozenset()
    """Words that say nothing about a text's topic (stop words), in lower case; empty if no list of them is known."""
    articles: frozenset[str] = frozenset()
    """Articles (a, the ...) that the metrics token_f1 and exact_match ignore."""
    article_prefix: str = ""
    """Article that is written as the first letters of a word, as in Arabic."""
    elides: bool = False
    """Whether an apostrophe separates two words (l'eau = l, eau)."""
    ignored: str = ""
    """Characters that are ignored when words are compared, such as Arabic vowel marks, for a character class."""
    abbreviations: frozenset[str] = frozenset()
    """Abbreviations whose full stop does not end a sentence, in lower case and without the full stop. English abbreviations
    apply to all languages."""
    has_ordinal_stops: bool = False
    """Whether a number with a full stop is an ordinal ("3. Mai"), so that it does not end a sentence."""
    capitalises_nouns: bool = False
    """Whether all nouns are capitalised, so that a capital letter does not show a name."""
    bleu: str = "13a"
    """Name of sacrebleu's tokenizer for the language."""

    @property
    def separator(self) -> str:
        """Separator between sentences or words: " ", or "" in scripts without spaces."""
        return " " if self.cut == "words" else ""


NOT_KNOWN = Language(name="not known", script="Zyyy")
"""Properties that apply to text in an unknown language; such text is split into Unicode words, for example."""


def word_set(text: str) -> frozenset[str]:
    """Split a string at white space and return its words as a set."""
    return frozenset(text.split())


class ByLanguage(dict[str, T]):
    """A dict from language code to value; for a language without a value, a look-up returns the value for English."""

    def __missing__(self, language: str) -> T:
        return self["en"]


def rows() -> Mapping[str, Language]:
    """Return a dict from code to language for all supported languages."""
    return catalog("core.text.languages", "LANGUAGE", Language)


def find_row(language: str) -> Language:
    """Return the language with this code, or NOT_KNOWN if the code is `und` or not supported."""
    return rows().get(language, NOT_KNOWN)


def language_name(language: str) -> str:
    """Return the English name of the language, as in "Write in German."; "not known" for `und`, and the code itself for an
    unsupported language."""
    row = rows().get(language)
    return row.name if row else NOT_KNOWN.name if language == UNKNOWN else language


def may_match(language: str, other: str) -> bool:
    """Return whether texts of two languages may be in the same language, because the codes are equal or one of them is
    `und`."""
    return language == other or UNKNOWN in (language, other)


def read_language(text: str) -> str:
    """Return the code of a supported language, or `und`; "en-GB" and "zh_CN" are accepted too. Raises BenchError for any other
    text."""
    code = text.strip().lower().replace("_", "-").split("-")[0]
    if code not in rows() and code != UNKNOWN:
        raise BenchError(f"Language {text!r} is not known: give one of {', '.join(rows())}, or {UNKNOWN} for none of them.")
    return code


def explain_missing(what: str, language: str) -> str:
    """Return a sentence which says that something is available only for English and Chinese. `what` is the subject and verb of
    the sentence, as in "Offline drafts are made"."""
    row = rows().get(language)
    spoken = f"is {row.name}" if row else "is in a language that is not known"
    return f"{what} for English and Chinese only, and this text {spoken}."


def describe(language: str) -> str:
    """Return "in German" or "in a language that is not known", for use in a sentence about a text."""
    row = rows().get(language)
    return f"in {row.name}" if row else "in a language that is not known"
