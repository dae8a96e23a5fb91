"""Find the question of another item that is nearest in meaning to a given question, among all items of its language. Each text
is embedded once, and the vectors are stored in the workspace. Two questions count as too similar if their cosine is above a
limit that random pairs of the workspace's questions rarely reach."""

from functools import lru_cache
from typing import Any, NamedTuple

from builders.gate import SimilarQuestion
from core.nouns import Item
from core.retrieval.embeddings import embedder, explain_unusable
from core.retrieval.vector_cache import cache_embedder
from core.statistics.statistics import percentile_of_random_pairs
from store.corpus.vectors import StoredVectors
from store.engine.database import Database
from store.items import finding

MODEL = "minilm"
LIMIT_PERCENTILE = 99.9
MIN_QUESTIONS = 100
"""Minimum number of questions from whose random pairs a limit is computed; with fewer questions, only the gate's fixed limit
applies."""
SAMPLED_QUESTIONS = 500
"""Maximum number of questions of a language whose tokens are counted in order to check that the model suits the language."""


class _Index(NamedTuple):
    items: list[str]
    questions: list[str]
    vectors: Any
    limit: float


class NearestInStore:
    """Finds the most similar question among the workspace's items. The vectors of a language are loaded when its first question
    is checked. Implements builders.gate.SimilarQuestionFinder."""

    model = MODEL

    def __init__(self, database: Database) -> None:
        self._db = database
        self._index = lru_cache(maxsize=None)(self._build_index)

    def limit(self, language: str) -> float | str:
        """Return the cosine that random pairs of questions rarely reach. If the model is not used for this language, return a
        sentence that says why."""
        index = self._index(language)
        return index if isinstance(index, str) else index.limit

    def find_nearest(self, item: Item) -> SimilarQuestion | None:
        """Return the question of another item that is most similar to this item's question, or None if this question cannot be
        compared."""
        index = self._index(item.language)
        if isinstance(index, str) or item.id not in index.items:
            return None
        place = index.items.index(item.id)
        cosines = index.vectors @ index.vectors[place]
        cosines[place] = -1.0
        if len(cosines) < 2:
            return SimilarQuestion("", "", -1.0)
        best = int(cosines.argmax())
        return SimilarQuestion(index.items[best], index.questions[best], float(cosines[best]))

    def _build_index(self, language: str) -> "_Index | str":
        rows = [
            (item, text) for item, _, text in finding.load_texts(self._db, language, "question", {}) if text and text.strip()
        ]
        model = embedder(MODEL)
        if language not in model.languages:
            return f"{model.name} does not know {language}; questions are compared by their words."
        if sentence := explain_unusable(model, language, [text for _, text in rows[:SAMPLED_QUESTIONS]]):
            return sentence
        cached = cache_embedder(model, StoredVectors(self._db), lambda message: None)
        most = cached.max_tokens
        fitting = [(item, text) for item, text in rows if most is None or cached.count_tokens(text) <= most]
        questions = [text for _, text in fitting]
        vectors = cached.encode(questions)
        limit = percentile_of_random_pairs(vectors, LIMIT_PERCENTILE) if len(fitting) >= MIN_QUESTIONS else None
        return _Index([item for item, _ in fitting], questions, vectors, -1.0 if limit is None else limit)
