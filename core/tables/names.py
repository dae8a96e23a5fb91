"""Searches names by similarity: BM25 over words finds partial names, trigrams of letters find misspelt names, and rapidfuzz
measures similarity. Only names found by words or trigrams are compared letter by letter with the query, so that a search in
100,000 names is fast."""

import re
import string
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from core.nouns import Span
from core.retrieval.search import Bm25Index

MIN_SIMILARITY = 75.0
"""Minimum similarity (0 to 100) to the query at which a name is found that shares no word with the query."""
ALL_WORDS_SIMILARITY = 95.0
"""Minimum similarity (0 to 100) that is assigned to a name which contains every word of the query."""
MAX_BM25_NAMES = 10
_MAX_CANDIDATES = 100
"""Maximum number of names that the trigram search passes on to be compared letter by letter."""
_PUNCTUATION = str.maketrans("", "", string.punctuation.replace("_", ""))
_CJK = re.compile("([\u3400-\u9fff\uf900-\ufaff])")


class NameMatch(NamedTuple):
    """A name that matches a query, with the positions of all rows that have it."""

    places: tuple[int, ...]
    similarity: float
    """Similarity of the name to the query, 0 to 100; 100 = equal after normalisation."""
    bm25: float
    """BM25 score of the name for the query; 0 if name and query share no word."""


@lru_cache(maxsize=65_536)
def normalise_name(name: str) -> str:
    """Return a name in lower case, without punctuation, with _ as a space and with single spaces (CRAG's rule, extended to all
    of Unicode). A name that consists of punctuation is unchanged."""
    lowered = unicodedata.normalize("NFKC", name).lower().replace("_", " ").translate(_PUNCTUATION)
    if not lowered.isascii():
        lowered = "".join(letter for letter in lowered if not unicodedata.category(letter).startswith("P"))
    return " ".join(lowered.split()) or name.strip()


def name_words(normalised: str) -> list[str]:
    """Return the words of a normalised name; each Chinese character counts as a word."""
    return _CJK.sub(r" \1 ", normalised).split() if not normalised.isascii() else normalised.split()


class NameIndex:
    """A search index over the names in a table."""

    def __init__(self, names: Sequence[object]) -> None:
        """Build the index; `names` contains the name at each row position, or None if the row has no name."""
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
        """Return the number of different names."""
        return len(self._names)

    def search(self, query: str, k: int = MAX_BM25_NAMES) -> list[NameMatch]:
        """Return at most `k` names that share a word with the query or are similar to it, sorted by similarity, BM25 score and
        row position."""
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
        """Return the positions of the rows whose name equals the query after normalisation."""
        return tuple(self._places.get(normalise_name(query), ()))

    def find_nearest(self, name: str, k: int) -> list[NameMatch]:
        """Return the `k` most similar other names that share a trigram with the name, however small the similarity."""
        name = normalise_name(name)
        numbers = [number for number in self._find_candidates(name, max(4 * k, _MAX_CANDIDATES)) if self._names[number] != name]
        ranked = sorted((-name_similarity(name, self._names[number]), number) for number in numbers)
        return [self._match(number, -negative, 0.0) for negative, number in ranked[:k]]

    def _match(self, number: int, similarity: float, bm25: float) -> NameMatch:
        return NameMatch(tuple(self._places[self._names[number]]), similarity, bm25)

    def _find_candidates(self, name: str, k: int) -> list[int]:
        """Return at most `k` names that have at least one trigram in common with the name, those with the highest share of
        common trigrams first."""
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
    """Return the similarity of two normalised names, 0 to 100: that of the names letter by letter, or that of their sorted
    words minus 1, whichever is higher."""
    from rapidfuzz import fuzz

    return float(max(fuzz.ratio(a, b), fuzz.token_sort_ratio(a, b) - 1))


def _split_trigrams(name: str) -> set[str]:
    """Return the trigrams (runs of three letters) of a name without accents, after adding boundary marks at both ends of the
    name."""
    if not name.isascii():
        name = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    marked = f"  {name} "
    return {marked[start : start + 3] for start in range(len(marked) - 2)}
