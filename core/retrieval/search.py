"""Search over Spans: BM25 search by words, similarity search by vectors, and the fusion of several result lists. Results are
exact and stable: hits with equal scores are in the order of the corpus."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from core.nouns import Hit, Span
from core.retrieval.embedding_options import Side, Similarity
from core.retrieval.vector_similarity import compare_rows, prepare_rows
from core.text.words import words

K1, B = 1.5, 0.75
FUSION_CONSTANT = 60
"""Constant in the formula of reciprocal rank fusion (Cormack, Clarke and Buettcher 2009)."""
_DENSE_SHARE = 0.03
"""A word counts as frequent if more than this share of the texts contain it; a frequent word is scored by one addition over all
texts."""
_DENSE_WORDS = 128
"""Maximum number of frequent words that are scored by an addition over all texts; each takes 4 bytes per text."""
_TEXT_BLOCK, _QUERY_BLOCK = 4_096, 256


class SearchVectors(Protocol):
    """The part of the Embedder interface that DenseIndex uses."""

    @property
    def similarity(self) -> Similarity: ...

    def encode(self, texts: Sequence[str], side: Side = "text") -> Any:
        """Return the vectors of the texts as a float32 array of shape (texts, dimensions)."""


class Bm25Index:
    """A search index with BM25 scores in Lucene's form (k1 1.5, b .75) over the words of core/text/words.py. The package bm25s
    computes the scores when the index is created. A word repeated in a query counts each time."""

    def __init__(self, spans: Sequence[Span], texts: Sequence[str], language: str) -> None:
        self._load_arrays(spans, language, bm25_arrays(words(text, language) for text in texts))

    @classmethod
    def from_words(cls, spans: Sequence[Span], texts: Sequence[Sequence[str]], language: str) -> "Bm25Index":
        """Build an index from texts that are already split into words."""
        return cls.from_arrays(spans, language, bm25_arrays(texts))

    @classmethod
    def from_arrays(cls, spans: Sequence[Span], language: str, arrays: Mapping[str, Any]) -> "Bm25Index":
        """Build an index from the arrays that `bm25_arrays` returns."""
        index = cls.__new__(cls)
        index._load_arrays(spans, language, arrays)
        return index

    def search(self, query: str, k: int) -> list[Hit]:
        """Return at most `k` hits for the query, best first; only spans that share a word with the query are hits."""
        return self.search_words(words(query, self.language), k)

    def search_words(self, query: Sequence[str], k: int) -> list[Hit]:
        """Return at most `k` hits for a query given as a list of words, best first; only spans that share a word with the query
        are hits."""
        import numpy as np

        known = [self._vocabulary[word] for word in query if word in self._vocabulary]
        if not known or k < 1:
            return []
        rows = [self._rows[word] for word in known if word in self._rows]
        scores = rows[0].copy() if rows else np.zeros(len(self.spans), np.float32)
        for row in rows[1:]:
            scores += row
        for word in known:
            if word not in self._rows:
                start, end = self._starts[word], self._starts[word + 1]
                np.add.at(scores, self._places[start:end], self._scores[start:end])
        return self._select_best(scores, known, k)

    def _load_arrays(self, spans: Sequence[Span], language: str, arrays: Mapping[str, Any]) -> None:
        import numpy as np

        self.spans, self.language = tuple(spans), language
        vocabulary = bytes(arrays["vocabulary"]).decode("utf-8")
        self._vocabulary = {word: n for n, word in enumerate(vocabulary.split("\n"))} if vocabulary else {}
        self._rows: dict[int, Any] = {}
        self._scores, self._places = arrays["scores"], arrays["places"]
        self._starts: list[int] = arrays["starts"].tolist()
        counts = np.diff(arrays["starts"])
        frequent = np.flatnonzero(counts > _DENSE_SHARE * len(self.spans))
        for word in frequent[np.argsort(-counts[frequent], kind="stable")][:_DENSE_WORDS].tolist():
            row = np.zeros(len(self.spans), np.float32)
            start, end = self._starts[word], self._starts[word + 1]
            row[self._places[start:end]] = self._scores[start:end]
            self._rows[word] = row

    def _select_best(self, scores: Any, known: list[int], k: int) -> list[Hit]:
        """Return the `k` best hits. Only few texts need sorting: the k-th best score among the texts that contain a certain
        query word is a lower bound for the scores of the hits."""
        import numpy as np

        bound = 0.0
        for word in sorted(set(known), key=lambda w: self._starts[w + 1] - self._starts[w]):
            start, end = self._starts[word], self._starts[word + 1]
            if end - start >= k:
                own = scores[self._places[start:end]]
                bound = float(np.partition(own, len(own) - k)[len(own) - k])
                break
        candidates = np.flatnonzero(scores >= bound) if bound > 0 else np.flatnonzero(scores)
        order = candidates[np.argsort(-scores[candidates], kind="stable")][:k]
        return [Hit(self.spans[place], float(scores[place])) for place in order.tolist()]


def bm25_arrays(texts: Iterable[Sequence[str]]) -> dict[str, Any]:
    """Return the arrays from which a Bm25Index is built. Each word is immediately replaced by a number, because the words of
    70,000 articles would take gigabytes of memory as strings."""
    import numpy as np

    known: dict[str, int] = {}
    ids = [[known.setdefault(word, len(known)) for word in text] for text in texts]
    vocabulary = np.frombuffer("\n".join(known).encode(), np.uint8)
    if not known:
        return {
            "scores": np.zeros(0, np.float32),
            "places": np.zeros(0, np.int32),
            "starts": np.zeros(1, np.int64),
            "vocabulary": vocabulary,
        }
    import bm25s

    built = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numpy")
    built.index((ids, known), create_empty_token=False, show_progress=False)
    scores = built.scores
    return {"scores": scores["data"], "places": scores["indices"], "starts": scores["indptr"], "vocabulary": vocabulary}


class QueryVectors:
    """Vectors of search queries, prepared for comparison with the rows of an index. Expected queries are encoded together when
    the object is created."""

    def __init__(self, embedder: SearchVectors, expected: Sequence[str] = ()) -> None:
        self._embedder = embedder
        self._encoded = self._encode_each(list(dict.fromkeys(expected)))

    def encode(self, queries: Sequence[str]) -> Any:
        """Return the vectors of the queries as a float32 array of shape (queries, dimensions)."""
        import numpy as np

        others = self._encode_each([query for query in dict.fromkeys(queries) if query not in self._encoded])
        return np.stack([self._encoded[query] if query in self._encoded else others[query] for query in queries])

    def _encode_each(self, queries: Sequence[str]) -> dict[str, Any]:
        """Return a dict from query to its prepared vector."""
        if not queries:
            return {}
        vectors = prepare_rows(self._embedder.encode(queries, "query"), self._embedder.similarity)
        return dict(zip(queries, vectors, strict=True))


class DenseIndex:
    """A search index that compares the vector of a query with those of all texts, by the embedding model's own similarity
    function. Cosines and inner products are computed by blocked products of float32 matrices."""

    def __init__(
        self,
        spans: Sequence[Span],
        texts: Sequence[str],
        embedder: SearchVectors,
        queries: Sequence[str] = (),
        vectors: Any = None,
    ) -> None:
        """Create the index. `queries` contains the expected queries, which are encoded together when the index is created.
        `vectors` is the result of `encode_index_rows`, if available, so that the texts are not encoded again."""
        self.spans, self.embedder = tuple(spans), embedder
        self.vectors = encode_index_rows(embedder, texts) if vectors is None else vectors
        self._queries = QueryVectors(embedder, queries)

    def search(self, query: str, k: int) -> list[Hit]:
        """Return at most `k` hits for the query, best first."""
        return self.search_many([query], k)[0]

    def search_many(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, best first; [] for a query whose vector is all zeros. The score of a hit is
        its similarity; for Euclidean and Manhattan, this is the negative distance."""
        if not queries:
            return []
        if not self.spans or k < 1:
            return [[] for _ in queries]
        vectors = self._queries.encode(queries)
        nearest = find_nearest_rows(self.vectors, vectors, k, self.embedder.similarity)
        return [
            [Hit(self.spans[place], score) for place, score in zip(places, scores, strict=True)] if vector.any() else []
            for vector, (places, scores) in zip(vectors, nearest, strict=True)
        ]


def encode_index_rows(embedder: SearchVectors, texts: Sequence[str]) -> Any:
    """Return the vectors of the documents, prepared as the rows of a DenseIndex, as a float32 array of shape (documents,
    dimensions)."""
    return prepare_rows(embedder.encode(list(texts), "document"), embedder.similarity)


def find_nearest_rows(corpus: Any, queries: Any, k: int, similarity: Similarity = "dot") -> list[tuple[list[int], list[float]]]:
    """For each row of `queries`, return the rows of `corpus` with the `k` highest similarities, and these similarities, best
    first. Rows with equal similarities are in the order of the corpus. Both arguments must be prepared by prepare_rows."""
    import numpy as np

    nearest: list[tuple[list[int], list[float]]] = []
    for first in range(0, len(queries), _QUERY_BLOCK):
        block = queries[first : first + _QUERY_BLOCK]
        best_scores = np.empty((len(block), 0), np.float32)
        best_places = np.empty((len(block), 0), np.int64)
        for start in range(0, len(corpus), _TEXT_BLOCK):
            scores = compare_rows(block, corpus[start : start + _TEXT_BLOCK], similarity)
            places = _select_highest(scores, k)
            best_scores = np.concatenate([best_scores, np.take_along_axis(scores, places, 1)], axis=1)
            best_places = np.concatenate([best_places, places + start], axis=1)
            if best_scores.shape[1] > k:
                top = _select_highest(best_scores, k)
                best_scores, best_places = np.take_along_axis(best_scores, top, 1), np.take_along_axis(best_places, top, 1)
        order = np.argsort(-best_scores, axis=1, kind="stable")
        nearest += zip(
            np.take_along_axis(best_places, order, 1).tolist(), np.take_along_axis(best_scores, order, 1).tolist(), strict=True
        )
    return nearest


def fuse(lists: Sequence[Sequence[Hit]], k: int, weights: Sequence[float] | None = None) -> list[Hit]:
    """Merge several lists of hits by weighted reciprocal rank and return at most `k` hits: the score of a span is the sum of
    weight / (60 + rank) over the lists that contain it.

    Ranks start at 1; the default weight is 1. Spans with equal scores are in the order of their first appearance in the
    lists."""
    scores: dict[Span, float] = {}
    for hits, weight in zip(lists, weights or [1.0] * len(lists), strict=True):
        for rank, hit in enumerate(hits, 1):
            scores[hit.span] = scores.get(hit.span, 0.0) + weight / (FUSION_CONSTANT + rank)
    return [Hit(span, score) for span, score in sorted(scores.items(), key=lambda pair: -pair[1])][: max(k, 0)]


def _select_highest(scores: Any, k: int) -> Any:
    """Return, for each row of a matrix, the indexes of the columns with the `k` highest values, in ascending order. If several
    columns have the same value as the last selected one, the first of these columns are returned."""
    import numpy as np

    width = scores.shape[1]
    if width <= k:
        return np.broadcast_to(np.arange(width), scores.shape)
    places = np.sort(np.argpartition(scores, width - k, axis=1)[:, width - k :], axis=1)
    lowest = np.take_along_axis(scores, places, 1).min(axis=1, keepdims=True)
    for row in np.flatnonzero((scores >= lowest).sum(axis=1) > k).tolist():  # of equal values, argpartition takes any
        above = np.flatnonzero(scores[row] > lowest[row])
        level = np.flatnonzero(scores[row] == lowest[row])[: k - len(above)]
        places[row] = np.sort(np.concatenate([above, level]))
    return places
