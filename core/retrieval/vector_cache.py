"""A cache of vectors by model and text hash, and an embedder that uses it. It stores new vectors group by group, so that a
killed process loses one group."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from core.cancellation import raise_if_cancelled
from core.ids import content_hash
from core.progress_reporter import ProgressReporter
from core.retrieval.embeddings import Embedder

TEXTS_PER_GROUP = 128
"""Texts that are encoded and cached together: about two seconds of work for passages on two cores."""


class VectorCache(Protocol):
    """A store of vectors; store/corpus/vectors.py is the workspace's."""

    def get(self, model: str, hashes: Sequence[str]) -> Mapping[str, Any]:
        """The cached vectors: {hash: float32 vector}."""

    def put(self, model: str, vectors: Mapping[str, Any]) -> None:
        """Cache {hash: float32 vector}; existing ones do not change."""


def cache_embedder(
    model: Embedder, cache: VectorCache, tell: Callable[[str], None] = lambda message: None, keeps_one: bool = True
) -> Embedder:
    """The model with a cache in front; `tell` gets the progress of long work. A model without an identity (fitted on each
    corpus) is returned unchanged.

    Without `keeps_one` a single text, such as a question, is always encoded, because its time is measured."""
    return model if model.identity is None else CachedEmbedder(model, model.identity, cache, tell, keeps_one)


class CachedEmbedder:
    """See core.retrieval.embeddings.Embedder. All but `encode` is the model's."""

    def __init__(
        self, model: Embedder, identity: str, cache: VectorCache, tell: Callable[[str], None], keeps_one: bool = True
    ) -> None:
        self._model, self._cache, self._tell, self._keeps_one = model, cache, tell, keeps_one
        self.identity: str | None = identity
        self._key = identity
        self.name, self.languages = model.name, model.languages
        self.max_tokens, self.is_lexical = model.max_tokens, model.is_lexical
        self.count_tokens, self.offsets, self.unknown_share = model.count_tokens, model.offsets, model.unknown_share

    def encode(self, texts: Sequence[str]) -> Any:
        """The model's vectors; equal texts are encoded once."""
        import numpy as np

        if not texts or (len(texts) == 1 and not self._keeps_one):
            return self._model.encode(texts)
        hashes = [content_hash(text) for text in texts]
        by_hash = dict(zip(hashes, texts, strict=True))
        vectors = dict(self._cache.get(self._key, list(by_hash)))
        # Longest first: texts of a length are together, and the remaining time is never underestimated.
        missing = sorted((key for key in by_hash if key not in vectors), key=lambda key: -len(by_hash[key]))
        total, encoded = sum(len(by_hash[key]) for key in missing), 0
        progress = ProgressReporter(self._tell, "embedding", "texts", len(by_hash), every=0)
        for first in range(0, len(missing), TEXTS_PER_GROUP):
            raise_if_cancelled()
            group = missing[first : first + TEXTS_PER_GROUP]
            new = dict(zip(group, self._model.encode([by_hash[key] for key in group]), strict=True))
            self._cache.put(self._key, new)
            vectors |= new
            encoded += sum(len(by_hash[key]) for key in group)
            if len(missing) > TEXTS_PER_GROUP:
                progress.report_progress(len(vectors), encoded / max(total, 1))
        return np.stack([vectors[key] for key in hashes])
