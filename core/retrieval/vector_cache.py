"""Cache of vectors by model and hash of the text, and an embedder that uses the cache. New vectors are stored in groups, so
that a killed process loses at most one group."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from core.cancellation import raise_if_cancelled
from core.ids import content_hash
from core.progress_reporter import ProgressReporter
from core.retrieval.embedding_options import Side
from core.retrieval.embeddings import Embedder

TEXTS_PER_GROUP = 128
"""Number of texts that are encoded and cached together: about two seconds of work for passages on two cores."""


class VectorCache(Protocol):
    """The interface of a store for vectors; store/corpus/vectors.py implements a store in a workspace."""

    def get(self, model: str, hashes: Sequence[str]) -> Mapping[str, Any]:
        """Return the vectors that are cached, as {hash of the text: float32 vector}."""

    def put(self, model: str, vectors: Mapping[str, Any]) -> None:
        """Store vectors given as {hash of the text: float32 vector}; vectors that are already stored are not changed."""


def cache_embedder(
    model: Embedder, cache: VectorCache, tell: Callable[[str], None] = lambda message: None, keeps_one: bool = True
) -> Embedder:
    """Return an embedder that caches the vectors of `model`; `tell` reports progress. A model whose identity is None, because
    it is fitted anew on each corpus, is returned unchanged.

    Without `keeps_one`, a single text such as a question is always encoded again, because the encoding time is measured."""
    return model if model.identity is None else CachedEmbedder(model, cache, tell, keeps_one)


class CachedEmbedder:
    """Embedder that caches the vectors of a model. Its method `encode` uses the cache; all other methods call those of the
    model."""

    def __init__(self, model: Embedder, cache: VectorCache, tell: Callable[[str], None], keeps_one: bool = True) -> None:
        self._model, self._cache, self._tell, self._keeps_one = model, cache, tell, keeps_one
        self.name, self.languages, self.identity = model.name, model.languages, model.identity
        self.max_tokens, self.is_lexical, self.similarity = model.max_tokens, model.is_lexical, model.similarity
        self.vector_key = lru_cache(maxsize=None)(model.vector_key)
        self.count_tokens, self.offsets, self.unknown_share = model.count_tokens, model.offsets, model.unknown_share

    def encode(self, texts: Sequence[str], side: Side = "text") -> Any:
        """Return the vectors of the texts from the cache, or else from the model; equal texts are encoded once. Raises
        BenchError if cached vectors have another length."""
        import numpy as np

        if not texts or (len(texts) == 1 and not self._keeps_one):
            return self._model.encode(texts, side)
        key = self.vector_key(side) or ""
        hashes = [content_hash(text) for text in texts]
        by_hash = dict(zip(hashes, texts, strict=True))
        vectors = dict(self._cache.get(key, list(by_hash)))
        # Longest first: texts of similar length are together, and the remaining time is never underestimated.
        missing = sorted((text for text in by_hash if text not in vectors), key=lambda text: -len(by_hash[text]))
        total, encoded = sum(len(by_hash[text]) for text in missing), 0
        progress = ProgressReporter(self._tell, "embedding", "texts", len(by_hash), every=0)
        for places, rows in encode_in_groups(self._model, [by_hash[text] for text in missing], side):
            group = [missing[place] for place in places]
            new = dict(zip(group, rows, strict=True))
            self._cache.put(key, new)
            vectors |= new
            encoded += sum(len(by_hash[text]) for text in group)
            if len(missing) > TEXTS_PER_GROUP:
                progress.report_progress(len(vectors), encoded / max(total, 1))
        return np.stack([vectors[text] for text in hashes])


def encode_in_groups(model: Embedder, texts: Sequence[str], side: Side) -> Iterator[tuple[Sequence[int], Any]]:
    """Yield the vectors in groups, each as (indexes into the texts, their vectors). A model at an endpoint forms its own
    groups, which are yielded in the order in which their vectors arrive."""
    own: Callable[[Sequence[str], Side], Iterator[tuple[Sequence[int], Any]]] | None
    if (own := getattr(model, "encode_in_groups", None)) is not None:
        yield from own(texts, side)
        return
    for first in range(0, len(texts), TEXTS_PER_GROUP):
        raise_if_cancelled()
        group = texts[first : first + TEXTS_PER_GROUP]
        yield range(first, first + len(group)), model.encode(group, side)
