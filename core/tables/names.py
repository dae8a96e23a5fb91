"""Search of names by similarity: BM25 over their words finds partial names, trigrams of letters find misspelt ones, and
rapidfuzz measures their similarity. It is fast on 100,000 names, as only candidates are compared letter by letter."""

import re
import string
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from core.nouns import Span
from core.retrieval.search import Bm25Index

MIN_SIMILARITY = 75.0
"""Similarity, 0 to 100, from which on a name is found that shares no word with the query."""
ALL_WORDS_SIMILARITY = 95.0
"""Least similarity of a name with every word of the query."""
MAX_BM25_NAMES = 10
_MAX_CANDIDATES = 100
"""Names that trigrams propose for comparison."""
_PUNCTUATION = str.maketrans("", "", string.punctuation.replace("_", ""))
_CJK = re.compile("([\u3400-\u9fff\uf900-\ufaff])")


class NameMatch(NamedTuple):
    """A name of a table with all its places."""

    places: tuple[int, ...]
    similarity: float
    """0 to 100; 100 = equal after normalisation."""
    bm25: float
    """0 without a shared word."""


@lru_cache(maxsize=65_536)
def normalise_name(name: str) -> str:
    """The name in lower case, with _ as a space, without punctuation, with single spaces (CRAG's rule, for all of Unicode); a
    name of punctuation alone is unchanged."""
    lowered = unicodedata.normalize("NFKC", name).lower().replace("_", " ").translate(_PUNCTUATION)
    if not lowered.isascii():
        lowered = "".join(letter for letter in lowered if not unicodedata.category(letter).startswith("P"))
    return " ".join(lowered.split()) or name.strip()


def name_words(normalised: str) -> list[str]:
    """The words of a normalised name; each Chinese character is a word."""
    return _CJK.sub(r" \1 ", normalised).split() if not normalised.isascii() else normalised.split()


class NameIndex:
    """Search index of the names of a table."""

    def __init__(self, names: Sequence[object]) -> None:
        """`names` = the name of each place; None = it has no name."""
        import numpy as np

        self._places: dict[str, list[int]] = {}
        for place, name in enumerate(names):
            if name is not None and str(name).strip():
                self._places.setdefault(normalise_name(str(name)), []).append(place)
        self._names = list(self._places)
        spans = [Span("", number, number) for number in range(len(self._names))]
        self._bm25 = Bm25Index.from_words(spans, [name_words(name) for name in self._names], "en")
        postings: dict[str, list[int]] = {}
        self._sizes = np.zeros(len(self._names), np.float32)
        for number, name in enumerate(self._names):
            trigrams = _split_trigrams(name)
            self._sizes[number] = len(trigrams)
            for trigram in trigrams:
                postings.setdefault(trigram, []).append(number)
        self._postings: dict[str, Any] = {trigram: np.array(numbers, np.int32) for trigram, numbers in postings.items()}

    def __len__(self) -> int:
        """Number of different names."""
        return len(self._names)

    def search(self, query: str, k: int = MAX_BM25_NAMES) -> list[NameMatch]:
        """At most k names that share a word with the query or are similar, ordered by similarity, BM25 and place."""
        name = normalise_name(query)
        if not self._names or not name:
            return []
        words = name_words(name)
        scores = {hit.span.start: hit.score for hit in self._bm25.search_words(words, max(k, MAX_BM25_NAMES))}
        ranked = []
        for number in dict.fromkeys((*scores, *self._find_candidates(name, max(k, _MAX_CANDIDATES)))):
            similarity = name_similarity(name, self._names[number])
            if similarity < ALL_WORDS_SIMILARITY and number in scores and set(words) <= set(name_words(self._names[number])):
                similarity = ALL_WORDS_SIMILARITY
            if similarity >= MIN_SIMILARITY or number in scores:
                ranked.append((-similarity, -scores.get(number, 0.0), number))
        return [self._match(number, -negative, -score) for negative, score, number in sorted(ranked)[:k]]

    def find_exact(self, query: str) -> tuple[int, ...]:
        """Places of the names that are equal to the query after normalisation."""
        return tuple(self._places.get(normalise_name(query), ()))

    def find_nearest(self, name: str, k: int) -> list[NameMatch]:
        """The k most similar other names, however different they are."""
        name = normalise_name(name)
        numbers = [number for number in self._find_candidates(name, max(4 * k, _MAX_CANDIDATES)) if self._names[number] != name]
        ranked = sorted((-name_similarity(name, self._names[number]), number) for number in numbers)
        return [self._match(number, -negative, 0.0) for negative, number in ranked[:k]]

    def _match(self, number: int, similarity: float, bm25: float) -> NameMatch:
        return NameMatch(tuple(self._places[self._names[number]]), similarity, bm25)

    def _find_candidates(self, name: str, k: int) -> list[int]:
        """The k names that share the largest part of their trigrams with the name, if they share any."""
        import numpy as np

        trigrams = _split_trigrams(name)
        postings = [self._postings[trigram] for trigram in trigrams if trigram in self._postings]
        if not postings:
            return []
        shared = np.bincount(np.concatenate(postings), minlength=len(self._names))
        numbers = np.flatnonzero(shared)
        share = 2 * shared[numbers] / (self._sizes[numbers] + len(trigrams))
        if len(numbers) > k:
            best = np.argpartition(-share, k - 1)[:k]
            numbers, share = numbers[best], share[best]
        return list(numbers[np.lexsort((numbers, -share))].tolist())


def name_similarity(a: str, b: str) -> float:
    """Similarity of two normalised names, 0 to 100, letter by letter, or with sorted words, which counts a little less."""
    from rapidfuzz import fuzz

    return float(max(fuzz.ratio(a, b), fuzz.token_sort_ratio(a, b) - 1))


def _split_trigrams(name: str) -> set[str]:
    """The name's trigrams, without accents and with its ends marked."""
    if not name.isascii():
        name = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    marked = f"  {name} "
    return {marked[start : start + 3] for start in range(len(marked) - 2)}
