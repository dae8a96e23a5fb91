"""Finds gold answers that a rewording of a question gives away: the rewording contains a whole answer, in this or another
spelling, that the question does not contain."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from core.text.figures import MONTH, figures, list_missing_figures
from core.text.language import find_row
from core.text.numerals import ORDINALS, english_numbers
from core.text.scripts import UNSPACED_CHARACTER
from core.text.words import fold_digits, simplify_chinese

MAX_REORDERED_WORDS = 12
"""An answer with at most this many words is also found if its words are in another order."""
READ_TEXTS = 8
"""Number of texts that are kept as read, because several answers are looked for in one text."""
_ARTICLES = frozenset(("a", "an", "the"))
_COMMON_WORDS = find_row("en").stop_words | {"yes", "true", "false"}
"""Common words; an answer that consists only of common words gives nothing away."""
_WORD = re.compile(r"[^\W_]+")
_MONTH = re.compile(rf"\b(?:{MONTH})(?!\w)", re.IGNORECASE)
_SHORT_DATE = re.compile(r"\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b")


def find_leaked_answer(question: str, text: str, answers: Sequence[str]) -> str | None:
    """Return the first answer that the text contains as a whole and that the question does not contain, or None if there is
    none.

    Case, accents, Unicode form, Chinese script, punctuation, articles and the order of up to MAX_REORDERED_WORDS words are
    ignored. Numbers and dates are compared by value ("22 June 2029" is in "on 22/06/2029", "22 minutes" in "twenty-two
    minutes"). Only whole words match, except in scripts without spaces."""
    before, after = _read_letters(question), _read_letters(text)
    for answer in answers:
        gold = _Letters(answer)
        if gold.words[:1] and gold.words[0] in _ARTICLES:
            gold = _Letters(" ".join(gold.words[1:]))
        if after.contains(gold) and not before.contains(gold):
            return answer
        if _contains_figures(text, answer) and not _contains_figures(question, answer):
            return answer
    return None


def fold_words(text: str) -> list[str]:
    """Return the words of the text without case, accents and punctuation, in simplified Chinese and with digits as 0 to 9."""
    if text.isascii():
        return _WORD.findall(text.casefold())
    plain = unicodedata.normalize("NFKD", simplify_chinese(fold_digits(text))).casefold()
    return _WORD.findall("".join(letter for letter in plain if unicodedata.category(letter) != "Mn"))


def is_common_word(word: str) -> bool:
    """Return whether a folded word is an English function word, "yes", "true" or "false", which give nothing away."""
    return word in _COMMON_WORDS


class _Letters:
    """The letters and digits of a text as one string, with the positions of word boundaries."""

    def __init__(self, text: str) -> None:
        self.words = fold_words(text)
        self.row = "".join(self.words)
        self.ends = {0, *accumulate(map(len, self.words))}

    def contains(self, gold: "_Letters") -> bool:
        if all(word in _COMMON_WORDS for word in gold.words):
            return False
        is_unspaced = bool(UNSPACED_CHARACTER.search(gold.row))
        at = self.row.find(gold.row)
        while at >= 0:
            if is_unspaced or (at in self.ends and at + len(gold.row) in self.ends):
                return True
            at = self.row.find(gold.row, at + 1)
        return self._contains_reordered(gold)

    def _contains_reordered(self, gold: "_Letters") -> bool:
        """Check whether the words of the gold answer, without common words, are side by side in the text in any order."""
        wanted = sorted(word for word in gold.words if word not in _COMMON_WORDS)
        words = [word for word in self.words if word not in _COMMON_WORDS]
        return 1 < len(wanted) <= MAX_REORDERED_WORDS and any(
            sorted(words[at : at + len(wanted)]) == wanted for at in range(len(words) - len(wanted) + 1)
        )


_read_letters = lru_cache(maxsize=READ_TEXTS)(_Letters)


@lru_cache(maxsize=READ_TEXTS)
def _spell_figures_alone(text: str) -> str:
    """Return the text with its figures spelled in one way and without ordinals in words."""
    return _remove_number_words(_spell_figures(text), only_ordinals=True)


def _contains_figures(text: str, answer: str) -> bool:
    """Check whether the answer contains a number or date and the text contains all its numbers, dates and other words."""
    answer = _spell_figures(answer)
    wanted = figures(answer)
    if not (wanted.numbers or wanted.dates):
        return False
    text = _spell_figures_alone(text)
    if list_missing_figures(answer, text):
        return False
    other_words = {word for word in _Letters(_remove_figures(answer)).words if word not in _COMMON_WORDS}
    return other_words <= set(_read_letters(text).words)


def _spell_figures(text: str) -> str:
    """Return the text in simplified Chinese, with names of months capitalised, and with an ambiguous date such as 06/05/2029
    written in both readings (2029-05-06 and 2029-06-05)."""
    text = _MONTH.sub(lambda month: month[0].capitalize(), simplify_chinese(fold_digits(text)))
    return _SHORT_DATE.sub(r" \3-\2-\1 , \3-\1-\2 ", text)


def _remove_figures(text: str) -> str:
    """Return the text without months, number words and words with digits."""
    return " ".join(word for word in _WORD.findall(_MONTH.sub(" ", _remove_number_words(text))) if word.isalpha())


def _remove_number_words(text: str, only_ordinals: bool = False) -> str:
    for _, start, end in reversed(list(english_numbers(text))):
        if not only_ordinals or re.split("[ -]", text[start:end].casefold())[-1] in ORDINALS:
            text = f"{text[:start]} {text[end:]}"
    return text
