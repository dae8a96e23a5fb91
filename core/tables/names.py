"""Names searched by likeness: BM25 over their words finds what is named in part, letters in threes find what is misspelt, and
rapidfuzz says how like the found ones are. Fast on 100,000 names: only candidates are compared letter by letter."""

import re
import string
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from core.nouns import Span
from core.retrieval.search import Bm25Index

MIN_SIMILARITY = 75.0
"""A name that shares no word with what is asked for is found from this likeness on, of 100."""
ALL_WORDS_SIMILARITY = 95.0
"""A name that holds every word that is asked for is at least so like."""
MAX_BM25_NAMES = 10
"""Names that BM25 brings."""
_CANDIDATES = 100
"""Names that letters in threes bring to be compared."""
_PUNCTUATION = str.maketrans("", "", string.punctuation.replace("_", ""))
_CJK = re.compile("([\u3400-\u9fff\uf900-\ufaff])")


class NameMatch(NamedTuple):
    """A name that was found, with all places where it stands."""

    places: tuple[int, ...]
    similarity: float
    """0 to 100; 100 = the same once both are normalised."""
    bm25: float
    """0 when no word is shared."""


@lru_cache(maxsize=65_536)
def normalise_name(name: str) -> str:
    """Lower-case, _ as a space, punctuation deleted, white space collapsed (CRAG's rule, for all of Unicode); a name of nothing
    but punctuation stays as it is."""
    lowered = unicodedata.normalize("NFKC", name).lower().replace("_", " ").translate(_PUNCTUATION)
    if not lowered.isascii():
        lowered = "".join(letter for letter in lowered if not unicodedata.category(letter).startswith("P"))
    return " ".join(lowered.split()) or name.strip()


def name_words(normalised: str) -> list[str]:
    """The words of a normalised name; each Chinese character is one."""
    return _CJK.sub(r" \1 ", normalised).split() if not normalised.isascii() else normalised.split()


class NameIndex:
    """The names of a table, one a place; None = that place has none."""

    def __init__(self, names: Sequence[object]) -> None:
        import numpy as np

        self._places: dict[str, list[int]] = {}
        for place, name in enumerate(names):
            if name is not None and str(name).strip():
                self._places.setdefault(normalise_name(str(name)), []).append(place)
        self._names = list(self._places)
        self._number = {name: number for number, name in enumerate(self._names)}
        spans = [Span("", number, number) for number in range(len(self._names))]
        self._bm25 = Bm25Index.from_words(spans, [name_words(name) for name in self._names], "en")
        known: dict[str, list[int]] = {}
        sizes = np.zeros(len(self._names), np.float32)
        for number, name in enumerate(self._names):
            threes = _threes(name)
            sizes[number] = len(threes)
            for three in threes:
                known.setdefault(three, []).append(number)
        self._threes: dict[str, Any] = {three: np.array(numbers, np.int32) for three, numbers in known.items()}
        self._sizes = sizes

    def __len__(self) -> int:
        """Different names."""
        return len(self._names)

    def search(self, query: str, k: int = MAX_BM25_NAMES) -> list[NameMatch]:
        """At most k names, the likest first, equally like ones by BM25, then in order; each shares a word or is near."""
        asked = normalise_name(query)
        if not self._names or not asked:
            return []
        words = set(name_words(asked))
        scores = {hit.span.start: hit.score for hit in self._bm25.search_words(name_words(asked), max(k, MAX_BM25_NAMES))}
        found = []
        for number in dict.fromkeys((*scores, *self._find_candidates(asked, max(k, _CANDIDATES)))):
            like = name_similarity(asked, self._names[number])
            if like < ALL_WORDS_SIMILARITY and number in scores and words <= set(name_words(self._names[number])):
                like = ALL_WORDS_SIMILARITY
            if like >= MIN_SIMILARITY or number in scores:
                found.append((-like, -scores.get(number, 0.0), number))
        return [NameMatch(tuple(self._places[self._names[number]]), -like, -score) for like, score, number in sorted(found)[:k]]

    def find_exact(self, query: str) -> tuple[int, ...]:
        """Places of the names that are the same once normalised."""
        return tuple(self._places.get(normalise_name(query), ()))

    def find_nearest(self, name: str, k: int) -> list[NameMatch]:
        """The k likest other names, however unlike they are."""
        asked = normalise_name(name)
        numbers = [number for number in self._find_candidates(asked, max(4 * k, _CANDIDATES)) if self._names[number] != asked]
        ranked = sorted((-name_similarity(asked, self._names[number]), number) for number in numbers)
        return [NameMatch(tuple(self._places[self._names[number]]), -like, 0.0) for like, number in ranked[:k]]

    def _find_candidates(self, asked: str, k: int) -> list[int]:
        """The k names that share the largest part of their letters in threes with it, and share any."""
        import numpy as np

        threes = _threes(asked)
        postings = [self._threes[three] for three in threes if three in self._threes]
        if not postings:
            return []
        shared = np.bincount(np.concatenate(postings), minlength=len(self._names))
        numbers = np.flatnonzero(shared)
        share = 2 * shared[numbers] / (self._sizes[numbers] + len(threes))
        if len(numbers) > k:
            best = np.argpartition(-share, k - 1)[:k]
            numbers, share = numbers[best], share[best]
        found: list[int] = numbers[np.lexsort((numbers, -share))].tolist()
        return found


def name_similarity(a: str, b: str) -> float:
    """How like two normalised names are, 0 to 100: letter by letter, or with their words sorted, which counts a little less."""
    from rapidfuzz import fuzz

    return float(max(fuzz.ratio(a, b), fuzz.token_sort_ratio(a, b) - 1))


def _threes(name: str) -> set[str]:
    """Its letters in threes, its ends marked, accents taken off."""
    if not name.isascii():
        name = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    marked = f"  {name} "
    return {marked[start : start + 3] for start in range(len(marked) - 2)}
