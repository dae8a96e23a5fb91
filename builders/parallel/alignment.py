"""Check whether two items in two languages ask the same: the same task and level, and gold answers that state the same numbers
and dates. Words are not compared, because a name may be spelled in another script."""

import re

from core.nouns import Item
from core.quality.language_pairs import Misfit
from core.text.figures import figures, list_missing_figures
from core.text.language import FULL_LANGUAGES, may_match

_NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f]\d+| \d{3}(?!\d))*")
"""A number in digits, with the signs that separate thousands and decimals in some language."""


def find_misfit(item: Item, twin: Item) -> Misfit | None:
    """Return why the two items cannot be a pair, or None if they can. The languages `und` and any other language
    count as the same, because the two may be."""
    if may_match(item.language, twin.language):
        return "same language"
    if item.task != twin.task:
        return "other task"
    if item.level != twin.level:
        return "other level"
    languages = item.language, twin.language
    return None if have_same_figures(item.answers, twin.answers, languages) else "other figures"


def have_same_figures(answers: tuple[str, ...], others: tuple[str, ...], languages: tuple[str, str]) -> bool:
    """Return whether an answer and one of the others state the same numbers, units and dates by value ("1,200" and "一千二百");
    two answers without figures do. `languages` are those of the answers and of the others. The units, months and number words
    of languages other than English and Chinese are not known, so only digits are compared if one of the languages is another
    ("6 October 1787" and "6. Oktober 1787"), and not at all if only one answer has digits."""
    is_known = set(languages) <= set(FULL_LANGUAGES)
    return any(
        not list_missing_figures(answer, other) and not list_missing_figures(other, answer)
        if is_known
        else _have_same_digits(answer, other)
        for answer in answers
        for other in others
    )


def _have_same_digits(answer: str, other: str) -> bool:
    """Return whether both texts have the same numbers in digits, whatever separates thousands and decimals; True if one of them
    has no digits."""
    own, theirs = (sorted("".join(filter(str.isdigit, number)) for number in _NUMBER.findall(text)) for text in (answer, other))
    return own == theirs or not own or not theirs


def states_figures(item: Item) -> bool:
    """Return whether a gold answer of the item states a number or a date, so that `find_misfit` compares a value."""
    found = [figures(answer) for answer in item.answers]
    return any(one.numbers or one.dates for one in found)
