"""How alike two documents are to an embedding model: a document's vector is the mean of its pieces', each encoded as a document
and brought to length 1. Too alike are those above a percentile of random pairs of this corpus, never a constant from another
model. They are compared by cosines, whatever the model's own similarity is: a percentile of inner products would depend on the
lengths of the texts."""

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from core.ids import content_hash
from core.nouns import Document
from core.retrieval.chunks import chunk
from core.retrieval.embeddings import Embedder, encode_unit_rows, explain_unusable

PERCENTILE = 99.9
SAMPLE_DOCUMENTS = 300
"""Documents whose pairs are compared."""
MIN_DOCUMENTS = 50
"""Documents without whose pairs there is no such percentile."""
PIECE_TOKENS = 256
"""Tokens of a piece at most, where the model reads as much."""


class DocumentSimilarity:
    """See builders.task.Likeness. `documents` gives those of a language."""

    def __init__(
        self, model: Embedder, documents: Callable[[str], Sequence[Document]], percentile: float = PERCENTILE, seed: int = 0
    ) -> None:
        self._model, self._documents, self._percentile, self._seed = model, documents, percentile, seed
        self.limit = lru_cache(maxsize=None)(self._limit)
        self._vector = lru_cache(maxsize=2_000)(self._encode_document)

    @property
    def model(self) -> str:
        return self._model.name

    def cosines(self, source: str, others: Sequence[str], language: str) -> list[float]:
        own = self._vector(source, language)
        return [float(own @ self._vector(other, language)) for other in others]

    def _limit(self, language: str) -> float | str:
        if self._model.is_lexical:
            return f"{self.model} compares spelling, not meaning: set near_model to a model that knows {language}."
        found = list(self._documents(language))
        if len(found) < MIN_DOCUMENTS:
            return (
                f"{len(found)} documents in {language} are too few to tell what random pairs reach: {MIN_DOCUMENTS} are needed."
            )
        sample = random.Random(f"{self._seed}:near").sample(
            sorted(found, key=lambda d: d.id), min(SAMPLE_DOCUMENTS, len(found))
        )
        if sentence := explain_unusable(self._model, language, [document.text for document in sample]):
            return sentence
        import numpy as np

        vectors = np.stack([self._encode_document(document.text, language) for document in sample])
        products = vectors @ vectors.T
        return float(np.percentile([products[a, b] for a, b in combinations(range(len(sample)), 2)], self._percentile))

    def _encode_document(self, text: str, language: str) -> Any:
        """Row of length 1; of zeros for a text that the model sees nothing in."""
        import numpy as np

        document = Document(content_hash(text), text, "", language=language)
        size = min(PIECE_TOKENS, self._model.max_tokens or PIECE_TOKENS)
        pieces = [text[span.start : span.end] for span in chunk(document, size, offsets=self._model.offsets)]
        if not pieces:
            return np.zeros(1, np.float32)
        mean = np.asarray(encode_unit_rows(self._model, pieces, "document")).mean(axis=0)
        length = float(np.linalg.norm(mean))
        return mean / length if length else mean
