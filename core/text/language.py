"""Supported languages: one file of core/text/languages per language, named by its ISO 639-1 code, with a constant LANGUAGE."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from core.catalog import catalog
from core.errors import BenchError

UNKNOWN = "und"
"""Code of an unknown language (ISO 639-2)."""
FULL_LANGUAGES = ("en", "zh")
"""Languages with their own prompts, offline drafts, tables of noise and word patterns."""
_RIGHT_TO_LEFT = frozenset(("Arab", "Hebr", "Syrc", "Thaa", "Nkoo"))

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The properties of one language, whose code is the name of its file."""

    name: str
    """English name of the language."""
    script: str
    """ISO 15924 code of its main script: Latn, Cyrl, Arab ..."""
    cut: Literal["words", "characters", "jieba"] = "words"
    """Method of splitting words: Unicode words, single characters (scripts without spaces), or jieba's words."""
    cutter: str = ""
    """Package that splits words if it is installed, called by core/text/cutters.py; `cut` is the fallback."""
    stop_words: frozenset[str] = frozenset()
    """Words that do not identify the topic of a text, in lower case; empty = unknown."""
    articles: frozenset[str] = frozenset()
    """Words that token_f1 and exact_match ignore."""
    article_prefix: str = ""
    """Article that is written as the first letters of a word."""
    elides: bool = False
    """Whether an apostrophe separates words (l'eau = l, eau)."""
    ignored: str = ""
    """Characters that are ignored in comparisons of words, such as Arabic vowel marks; content of a character class."""
    abbreviations: frozenset[str] = frozenset()
    """Abbreviations that end no sentence, in lower case without the last full stop. English ones apply to all languages."""
    has_ordinal_stops: bool = False
    """Whether a number with a full stop is an ordinal ("3. Mai"), which does not end a sentence."""
    capitalises_nouns: bool = False
    """Whether all nouns are capitalised, so that a capital does not indicate a name."""
    bleu: str = "13a"
    """sacrebleu's tokenizer for the language."""

    @property
    def separator(self) -> str:
        """Return the separator between sentences or words: " ", or "" in scripts without spaces."""
        return " " if self.cut == "words" else ""

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        """Return the writing direction as an HTML value."""
        return "rtl" if self.script in _RIGHT_TO_LEFT else "ltr"


NOT_KNOWN = Language(name="not known", script="Zyyy")
"""Properties for texts in an unknown language: Unicode words."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text, split at white space."""
    return frozenset(text.split())


class ByLanguage(dict[str, T]):
    """A mapping from language codes to values; a language without a value uses the English value."""

    def __missing__(self, language: str) -> T:
        return self["en"]


def rows() -> Mapping[str, Language]:
    """Return language code -> language, for all supported languages."""
    return catalog("core.text.languages", "LANGUAGE", Language)


def find_row(language: str) -> Language:
    """Return the language with this code, or NOT_KNOWN for `und` and for unsupported codes."""
    return rows().get(language, NOT_KNOWN)


def language_name(language: str) -> str:
    """Return the English name of the language, as in "Write in German."; "not known" for `und`, and an unsupported code
    unchanged."""
    row = rows().get(language)
    return row.name if row else NOT_KNOWN.name if language == UNKNOWN else language


def may_match(language: str, other: str) -> bool:
    """Check whether texts of two languages may be in the same language: the codes are equal, or one of them is `und`."""
    return language == other or UNKNOWN in (language, other)


def read_language(text: str) -> str:
    """Return the code of a supported language or `und`; also accepts "en-GB" or "zh_CN". Raises BenchError that lists all codes
    for any other text."""
    code = text.strip().lower().replace("_", "-").split("-")[0]
    if code not in rows() and code != UNKNOWN:
        raise BenchError(f"Language {text!r} is not known: give one of {', '.join(rows())}, or {UNKNOWN} for none of them.")
    return code


def explain_missing(what: str, language: str) -> str:
    """Return a sentence that says what works for English and Chinese only. `what` is its subject and verb, as in "Offline
    drafts are made"."""
    row = rows().get(language)
    spoken = f"is {row.name}" if row else "is in a language that is not known"
    return f"{what} for English and Chinese only, and this text {spoken}."


def describe(language: str) -> str:
    """Return the language as a phrase: "in German", "in a language that is not known"."""
    row = rows().get(language)
    return f"in {row.name}" if row else "in a language that is not known"
