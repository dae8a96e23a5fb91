"""Lexical vectors: TF-IDF of character n-grams, and of words where spaces divide them, reduced by a truncated SVD that is
fitted on a corpus. They know spelling and no meaning, in any language, and need no model; their similarities are labelled
lexical."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from core.errors import BenchError
from core.retrieval.embedding_options import Side, Similarity
from core.retrieval.vector_similarity import unit_rows
from core.text.language import ByLanguage, find_row
from core.text.words import words

DIMENSIONS = ByLanguage({"zh": 256, "en": 1024})
"""Recall@1 by dimensions. Chinese news, 200 event sentences over 6,000 pieces of 250 characters: 256 .965, 1024 .97, without
SVD .985. English, 500 questions over 3,443 Wikipedia paragraphs, names above all: 256 .16, 512 .28, 1024 .46, without SVD
.63, where bm25 has .74 and MiniLM .81: in English these vectors are a baseline, not a choice."""
MAX_FITTED_TEXTS = 3_000
"""Texts that the SVD is fitted on, spread evenly over the corpus."""
_MOST_FEATURES = 200_000


class LexicalVectors:
    """See core.retrieval.embeddings.Embedder. Made by fit_lexical_vectors."""

    name = "lexical_vectors"
    identity = None
    """Each corpus has its own fit, and the fit takes longer than the vectors."""
    is_lexical = True
    max_tokens = None
    similarity: Similarity = "cosine"

    def __init__(self, language: str, counter: Any, projection: Any) -> None:
        self.languages = (language,)
        self._counter, self._projection = counter, projection
        """The fitted vectorizer, and a float32 array (features, dimensions)."""

    def vector_key(self, side: Side) -> str | None:
        return None

    def encode(self, texts: Sequence[str], side: Side = "text") -> Any:
        """Rows of length 1, the same on every side."""
        import numpy as np

        if not texts:
            return np.zeros((0, self._projection.shape[1]), np.float32)
        weights = self._counter.transform(list(texts)).astype(np.float32)  # else the whole projection becomes float64
        return unit_rows(np.asarray(weights @ self._projection))

    def count_tokens(self, text: str) -> int:
        return len(words(text, self.languages[0]))

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """One "token" per character except white space, as there is no limit."""
        return [(place, place + 1) for place, character in enumerate(text) if not character.isspace()]

    def unknown_share(self, texts: Sequence[str]) -> float:
        """0: every language has a spelling. Text unlike the corpus gets a low similarity."""
        return 0.0


def fit_lexical_vectors(texts: Sequence[str], language: str) -> LexicalVectors:
    """Lexical vectors for a corpus: character 1-2-grams in scripts without spaces, else words and character
    2-4-grams within words.

    Nothing is random: the SVD is exact, by the eigenvectors of the texts' inner products (nine times faster here than a
    randomised one over 200,000 features). Raises BenchError when the texts have no word."""
    from scipy.linalg import eigh
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import FeatureUnion

    common: dict[str, Any] = {"lowercase": True, "sublinear_tf": True, "max_features": _MOST_FEATURES}
    counter: Any
    if not find_row(language).separator:
        counter = TfidfVectorizer(analyzer="char", ngram_range=(1, 2), **common)
    else:
        counter = FeatureUnion(
            [
                ("words", TfidfVectorizer(analyzer=partial(words, language=language), **common)),
                ("characters", TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), **common)),
            ]
        )
    texts = list(texts)
    if not any(words(text, language) for text in texts):
        raise BenchError("lexical_vectors cannot be fitted: the corpus holds no words; add documents first.")
    weights = counter.fit_transform(texts)[:: -(-len(texts) // MAX_FITTED_TEXTS)]
    products = (weights @ weights.T).toarray()
    count = min(DIMENSIONS[language], len(products))
    values, vectors = eigh(products, subset_by_index=(len(products) - count, len(products) - 1))
    used = values > 1e-9 * values[-1]
    projection = weights.T @ (vectors[:, used] / values[used] ** 0.5)
    return LexicalVectors(language, counter, projection[:, ::-1].astype("float32"))
