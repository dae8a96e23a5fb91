"""Vectors that are computed once: a cache keyed by the model and by the hash of the text, and an embedder that looks there
before it encodes. It hands new vectors over group by group, so that a process that is killed loses one group."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from core.cancellation import raise_if_cancelled
from core.ids import content_hash
from core.progress_reporter import ProgressReporter
from core.retrieval.embeddings import Embedder

TEXTS_PER_GROUP = 128
"""Texts encoded, and handed to the cache, together: about two seconds of work for passages on two cores."""


class VectorCache(Protocol):
    """Where vectors are kept; store/corpus/vectors.py keeps them in the workspace."""

    def get(self, model: str, hashes: Sequence[str]) -> Mapping[str, Any]:
        """{hash: float32 vector} for those that are there."""

    def put(self, model: str, vectors: Mapping[str, Any]) -> None:
        """Keep {hash: float32 vector}; one that is there stays as it is."""


def cache_embedder(
    model: Embedder, cache: VectorCache, tell: Callable[[str], None] = lambda message: None, keeps_one: bool = True
) -> Embedder:
    """The same model, encoding only what the cache does not hold; `tell` hears how far long work is. A model without an
    identity (one that is fitted anew on each corpus) is given back as it is. Unless `keeps_one`, a text that comes alone, as a
    question does, is always encoded: its time counts."""
    return model if model.identity is None else CachedEmbedder(model, model.identity, cache, tell, keeps_one)


class CachedEmbedder:
    """See core.retrieval.embeddings.Embedder. Everything but `encode` is the model's own."""

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
        """As the model's; equal texts are encoded once."""
        import numpy as np

        if not texts or (len(texts) == 1 and not self._keeps_one):
            return self._model.encode(texts)
        hashes = [content_hash(text) for text in texts]
        by_hash = dict(zip(hashes, texts, strict=True))
        found = dict(self._cache.get(self._key, list(by_hash)))
        # Longest first: texts of a length stand together, and how long it all takes is never told too low.
        missing = sorted((one for one in by_hash if one not in found), key=lambda one: -len(by_hash[one]))
        total, encoded = sum(len(by_hash[one]) for one in missing), 0
        telling = ProgressReporter(self._tell, "embedding", "texts", len(by_hash), every=0)
        for first in range(0, len(missing), TEXTS_PER_GROUP):
            raise_if_cancelled()
            group = missing[first : first + TEXTS_PER_GROUP]
            made = dict(zip(group, self._model.encode([by_hash[one] for one in group]), strict=True))
            self._cache.put(self._key, made)
            found |= made
            encoded += sum(len(by_hash[one]) for one in group)
            if len(missing) > TEXTS_PER_GROUP:
                telling.report_progress(len(found), encoded / max(total, 1))
        return np.stack([found[one] for one in hashes])
