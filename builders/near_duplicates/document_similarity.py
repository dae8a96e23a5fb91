"""Measure how similar two documents are, with an embedding model. A document's vector is the mean of the vectors of its pieces,
scaled to length 1. Two documents are too similar if their cosine is above a percentile of the cosines of random pairs of this
corpus; a fixed limit from another model is never used. The similarity is the cosine even if the model declares another
similarity function, because inner products would depend on the lengths of the texts."""

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from core.ids import content_hash
from core.nouns import Document
from core.retrieval.chunks import chunk
from core.retrieval.embeddings import Embedder, encode_unit_rows, explain_unusable

LIMIT_PERCENTILE = 99.9
SAMPLE_DOCUMENTS = 300
"""Number of documents that are drawn at random from the corpus; the limit of similarity is computed from the cosines of all
their pairs."""
MIN_DOCUMENTS = 50
"""Least number of documents in a language from which the limit of similarity can be computed."""
PIECE_TOKENS = 256
"""Maximum number of tokens of a piece of a document that is encoded, if the model can read that many."""


class DocumentSimilarity:
    """Measures the similarity of documents by an embedding model, and implements builders.task.SimilarityRule. The function
    `documents` returns the corpus's documents in a given language."""

    def __init__(
        self,
        model: Embedder,
        documents: Callable[[str], Sequence[Document]],
        percentile: float = LIMIT_PERCENTILE,
        seed: int = 0,
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
        documents = list(self._documents(language))
        if len(documents) < MIN_DOCUMENTS:
            few = f"{len(documents)} documents in {language} are too few to tell how similar random pairs are"
            return f"{few}: {MIN_DOCUMENTS} are needed."
        sample = random.Random(f"{self._seed}:near").sample(
            sorted(documents, key=lambda d: d.id), min(SAMPLE_DOCUMENTS, len(documents))
        )
        if sentence := explain_unusable(self._model, language, [document.text for document in sample]):
            return sentence
        import numpy as np

        vectors = np.stack([self._encode_document(document.text, language) for document in sample])
        products = vectors @ vectors.T
        return float(np.percentile([products[a, b] for a, b in combinations(range(len(sample)), 2)], self._percentile))

    def _encode_document(self, text: str, language: str) -> Any:
        """Return the document's vector scaled to length 1, or a zero vector if the model encodes no part of the text."""
        import numpy as np

        document = Document(content_hash(text), text, "", language=language)
        size = min(PIECE_TOKENS, self._model.max_tokens or PIECE_TOKENS)
        pieces = [text[span.start : span.end] for span in chunk(document, size, offsets=self._model.offsets)]
        if not pieces:
            return np.zeros(1, np.float32)
        mean = np.asarray(encode_unit_rows(self._model, pieces, "document")).mean(axis=0)
        length = float(np.linalg.norm(mean))
        return mean / length if length else mean
