"""Find the passages that contain a gold answer, or enough of it, for all gold answers at once.

A text counts as the set of its terms: content words without case and accents and, in scripts without spaces, pairs of adjacent
characters. A passage holds an answer of fewer than MIN_TERMS terms if it has all of them, in any order, and a longer answer
from MIN_SHARE of them. A passage that has enough of an answer has at least one of its rarest terms, so only those are in the
inverted index (prefix filtering, Chaudhuri, Ganti and Kaushik 2006): the corpus is read once, however many answers there are.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Set
from itertools import pairwise
from math import ceil
from typing import TypeVar

from core.text.scripts import UNSPACED_CHARACTER
from core.text.sentences import split_sentences
from core.wording.answer_leaks import fold_words, is_common_word

T = TypeVar("T", bound=Hashable)

MIN_TERMS = 4
"""Number of terms from which a part of an answer is enough of it."""
MIN_SHARE = 0.8
"""Share (0..1) of the terms of such an answer that a passage must have."""
LONG_ANSWER_TERMS = 16
"""Number of terms above which each sentence of an answer is searched for separately."""
MIN_LETTERS = 3
"""Least number of letters and digits of an answer that can be searched for; 2 with a digit or a character of a script without
spaces."""
_UNIT = re.compile(r"[0-9a-z]+|[^\W_]")


def list_terms(text: str) -> set[str]:
    """Return the terms of a text: its content words, and pairs of characters in scripts without spaces."""
    if text.isascii():
        return {word for word in fold_words(text) if not is_common_word(word)}
    return {term for word in fold_words(text) for term in _split_word(word) if not is_common_word(term)}


def _split_word(word: str) -> Iterator[str]:
    """Yield a word without characters of unspaced scripts as it is. Of another one, yield its runs of digits and Latin letters,
    and each pair of neighbours among these runs and its other characters ("7处" is in "7处山洪", and not in "17处")."""
    if not UNSPACED_CHARACTER.search(word):
        yield word
        return
    units = _UNIT.findall(word)
    yield from (unit for unit in units if len(units) == 1 or unit.isascii())
    yield from map("".join, pairwise(units))


def list_wanted_terms(answer: str, language: str) -> list[frozenset[str]]:
    """Return the sets of terms by which a passage holds the answer; each set is enough. The list is empty if the answer is too
    short or too general to be searched for, as "yes" is. A long answer gives a set for each of its sentences."""
    terms = frozenset(list_terms(answer))
    if len(terms) > LONG_ANSWER_TERMS:
        parts = (frozenset(list_terms(answer[start:end])) for start, end in split_sentences(answer, language))
        return [part for part in parts if len(part) >= MIN_TERMS] or [terms]
    letters = "".join(terms)
    is_dense = bool(UNSPACED_CHARACTER.search(letters)) or any(map(str.isdigit, letters))
    return [terms] if len(letters) >= MIN_LETTERS - is_dense else []


def find_answers(wanted: Sequence[frozenset[str]], passages: Iterable[Set[str]]) -> list[list[int]]:
    """Return, for each answer's terms in `wanted`, the indexes of the passages that have enough of them."""
    return find_holders(wanted, passages, lambda terms: terms if terms < MIN_TERMS else ceil(MIN_SHARE * terms))


def find_holders(
    wanted: Sequence[frozenset[T]], passages: Iterable[Set[T]], count_needed: Callable[[int], int]
) -> list[list[int]]:
    """Return, for each non-empty set in `wanted`, the indexes of the passages that share enough elements with it;
    `count_needed` says for the size of a set how many are enough. Each of the passages, which are sets too, is read once."""
    import numpy as np

    numbers: dict[T, int] = {}
    for elements in wanted:
        for element in elements:
            numbers.setdefault(element, len(numbers))
    rows = [np.array([numbers[one] for one in elements if one in numbers], np.int32) for elements in passages]
    spread = np.bincount(np.concatenate([np.zeros(0, np.int32), *rows]), minlength=len(numbers)).tolist()
    ordered = [sorted((numbers[one] for one in elements), key=lambda number: (spread[number], number)) for elements in wanted]
    least = [count_needed(len(rarest)) for rarest in ordered]
    sets = list(map(frozenset, ordered))
    index: dict[int, list[int]] = {}
    for place, rarest in enumerate(ordered):
        for number in rarest[: len(rarest) - least[place] + 1]:
            index.setdefault(number, []).append(place)
    found: list[list[int]] = [[] for _ in ordered]
    for passage, row in enumerate(rows):
        own = set(row.tolist())
        for place in {place for number in own & index.keys() for place in index[number]}:
            if len(own & sets[place]) >= least[place]:
                found[place].append(passage)
    return found
