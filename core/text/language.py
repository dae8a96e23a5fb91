"""Languages as rows: one file of core/text/languages each, named by its ISO 639-1 code, with one constant LANGUAGE."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from core.catalog import catalog
from core.errors import BenchError

UNKNOWN = "und"
"""Code of a text whose language is not known (ISO 639-2)."""
FULL_LANGUAGES = ("en", "zh")
"""Languages with prompts of their own, offline drafts, tables of noise and word patterns."""
_RIGHT_TO_LEFT = frozenset(("Arab", "Hebr", "Syrc", "Thaa", "Nkoo"))

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The properties of one language; its code is the name of its file."""

    name: str
    """English name."""
    script: str
    """ISO 15924 code of its main script: Latn, Cyrl, Arab ..."""
    cut: Literal["words", "characters", "jieba"] = "words"
    """How words are cut: Unicode words, single characters (scripts without spaces), or jieba's words."""
    cutter: str = ""
    """Package that cuts words where it is installed, else `cut` holds; core/text/cutters.py knows how to call it."""
    stop_words: frozenset[str] = frozenset()
    """Words that say nothing about what a text is about, in lower case; empty = none known."""
    articles: frozenset[str] = frozenset()
    """Words that token_f1 and exact_match leave out."""
    article_prefix: str = ""
    """Article that is written as the first letters of a word."""
    elides: bool = False
    """Whether an apostrophe ends a word (l'eau = l, eau)."""
    ignored: str = ""
    """Characters that do not tell words apart, as the inside of a character class: Arabic vowel marks."""
    abbreviations: frozenset[str] = frozenset()
    """Abbreviations that end no sentence, in lower case without the last full stop; English ones hold in every language."""
    has_ordinal_stops: bool = False
    """Whether a number with a full stop is an ordinal ("3. Mai"), which ends no sentence."""
    capitalises_nouns: bool = False
    """Whether every noun has a capital, so that a capital does not tell a name."""
    bleu: str = "13a"
    """sacrebleu's tokenizer for it."""

    @property
    def separator(self) -> str:
        """The separator of two sentences or words: "" where the script has no spaces."""
        return " " if self.cut == "words" else ""

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        """Direction of writing, as HTML names it."""
        return "rtl" if self.script in _RIGHT_TO_LEFT else "ltr"


NOT_KNOWN = Language(name="not known", script="Zyyy")
"""What holds for a text in no row's language: Unicode words."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text that white space divides."""
    return frozenset(text.split())


class ByLanguage(dict[str, T]):
    """Values by language; a language without one of its own has that of English."""

    def __missing__(self, language: str) -> T:
        return self["en"]


def rows() -> Mapping[str, Language]:
    """Every row by its code."""
    return catalog("core.text.languages", "LANGUAGE", Language)


def find_row(language: str) -> Language:
    """The row of that code; NOT_KNOWN for `und` and for any other code."""
    return rows().get(language, NOT_KNOWN)


def language_name(language: str) -> str:
    """English name of the language, as in "Write in German."; "not known" for `und`, an unknown code as it stands."""
    row = rows().get(language)
    return row.name if row else NOT_KNOWN.name if language == UNKNOWN else language


def may_match(language: str, other: str) -> bool:
    """Whether texts of the two may be in one language: the same, or one of them is not known."""
    return language == other or UNKNOWN in (language, other)


def read_language(text: str) -> str:
    """The code of a row, also from "en-GB" or "zh_CN", or `und`. Raises BenchError on any other, with all codes."""
    code = text.strip().lower().replace("_", "-").split("-")[0]
    if code not in rows() and code != UNKNOWN:
        raise BenchError(f"Language {text!r} is not known: give one of {', '.join(rows())}, or {UNKNOWN} for none of them.")
    return code


def explain_missing(what: str, language: str) -> str:
    """A sentence for features that exist only in English and Chinese; `what` is its subject and verb, as in "Offline drafts are
    made"."""
    row = rows().get(language)
    spoken = f"is {row.name}" if row else "is in a language that is not known"
    return f"{what} for English and Chinese only, and this text {spoken}."


def describe(language: str) -> str:
    """The language as part of a sentence: "in German", "in a language that is not known"."""
    row = rows().get(language)
    return f"in {row.name}" if row else "in a language that is not known"
