"""Finds names in Latin script in a text: capitalised words, and words with capitals or digits inside. A word that is
capitalised only at the start of a sentence is not a name."""

import re
from unicodedata import normalize

from core.text.figures import MONTHS
from core.text.language import NOT_KNOWN, find_row
from core.text.numerals import english_number

WORD = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9]*(?:[’'.&-][A-Za-zÀ-ɏ0-9]+)*")
_CONTEXT_CHARACTERS = 60
"""Number of characters before and after a word in which the start of its sentence is searched."""
SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s+|[.!?]?[\"”“]\s*|\n\s*|[•*-]\s+)$")
PLAIN_WORDS = """
a an the it its he she his her they their them we our you your i this that these those there here who whom whose
which what when where why how yes no not none nobody nothing all both each every some any many few several most
more other another one and or but nor so yet for because since while although though if unless until before after
during in on at by to from of with without within under over between among against through across into onto about
as than like per via upon along is are was were be been being has have had do does did can could may might must
shall should will would mr mrs ms dr prof sir st saint first second third also only just even still then thus hence
therefore however moreover instead monday tuesday wednesday thursday friday saturday sunday spring summer autumn
winter am pm bc ad ce bce
"""
NO_NAME = frozenset(PLAIN_WORDS.split()) | {month.lower() for month in MONTHS}
"""Words that are never names, even if capitalised."""
MAX_PHRASE_WORDS = 8
"""Maximum number of words in an answer that counts as a phrase. A longer answer, or an answer with a full stop, counts as a
sentence, whose first word is capitalised even if it is not a name."""


def names(text: str, language: str) -> list[str]:
    """Return the distinct names in a text as single words, in the order of their first occurrence. In languages of other
    scripts, every Latin word of at least two letters is a name. In languages that capitalise all nouns (German), only words
    with capitals inside are names."""
    text, row = normalize("NFKC", text), find_row(language)
    is_latin = row.script in ("Latn", NOT_KNOWN.script)
    words: dict[str, None] = {}
    is_phrase = len(text.split()) <= MAX_PHRASE_WORDS and not text.rstrip().endswith((".", "!", "?"))
    for match in WORD.finditer(text):
        word = match.group()
        is_acronym = len(word) > 1 and word.isupper()
        if (word.lower() in NO_NAME and not is_acronym) or english_number(word) is not None:
            continue
        if not is_latin:
            is_name = len(word) >= 2
        elif row.capitalises_nouns:
            is_name = any(sign.isupper() for sign in word[1:])
        else:
            is_name = _is_name(word, text, match.start(), match.end(), is_phrase)
        if is_name:
            words[word] = None
    return list(words)


def missing_names(claimed: str, evidence: str, language: str) -> list[str]:
    """Return the names in the text `claimed` that the text `evidence` does not contain; plural and possessive forms count as
    the same name."""
    known = {form for match in WORD.finditer(normalize("NFKC", evidence)) for form in _list_forms(match.group())}
    return [name for name in names(claimed, language) if not _list_forms(name) & known]


def _is_name(word: str, text: str, start: int, end: int, is_phrase: bool) -> bool:
    if any(sign.isupper() for sign in word[1:]):
        return True
    if not word[0].isupper():
        return False
    if is_phrase or not SENTENCE_START.search(text[max(0, start - _CONTEXT_CHARACTERS) : start]):
        return True
    follows = WORD.match(text[end : end + _CONTEXT_CHARACTERS].lstrip(" "))
    return bool(follows and follows.group()[0].isupper() and follows.group().lower() not in NO_NAME)


def _list_forms(word: str) -> set[str]:
    """Return the forms of a word that are used in comparisons: in lower case, without 's, without a plural s, and its parts
    between hyphens."""
    lower = re.sub(r"[’']s?$", "", word.casefold().replace("’", "'")).replace(".", "")
    parts = [part for part in lower.split("-") if len(part) > 1] if "-" in lower else []
    return {form for base in (lower, *parts) for form in (base, base.removesuffix("s"), base.removesuffix("'s"))}
