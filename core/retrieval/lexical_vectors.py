"""Lexical vectors of texts: TF-IDF of character n-grams (and of words in scripts with spaces), reduced by a truncated SVD that
is fitted on a corpus. Lexical vectors represent spelling without meaning, work in any language and need no model. Similarities
of lexical vectors are labelled lexical."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from core.errors import BenchError
from core.retrieval.embedding_options import Side, Similarity
from core.retrieval.vector_similarity import unit_rows
from core.text.language import ByLanguage, find_row
from core.text.words import words

DIMENSIONS = ByLanguage({"zh": 256, "en": 1024})
"""Number of dimensions of the vectors by language, chosen by recall@1. Chinese news, 200 event sentences over 6,000 pieces of
250 characters: 256 dimensions .965, 1024 .97, without SVD .985. English, 500 questions over 3,443 Wikipedia paragraphs, mostly
names: 256 dimensions .16, 512 .28, 1024 .46, without SVD .63; bm25 .74, MiniLM .81. In English these vectors are only a
baseline."""
MAX_FITTED_TEXTS = 3_000
"""Maximum number of texts on which the SVD is fitted, spread evenly over the corpus."""
_MAX_FEATURES = 200_000


class LexicalVectors:
    """Embedder that compares the spelling of texts; `fit_lexical_vectors` fits it on a corpus."""

    name = "lexical_vectors"
    identity = None
    """Always None, so that the vectors are not cached: the vectorizer is fitted to each corpus, and fitting takes longer than
    computing the vectors."""
    is_lexical = True
    max_tokens = None
    similarity: Similarity = "cosine"

    def __init__(self, language: str, counter: Any, projection: Any) -> None:
        self.languages = (language,)
        self._counter, self._projection = counter, projection
        """The vectorizer that was fitted to the corpus, and the projection of the SVD as a float32 array of shape (features,
        dimensions)."""

    def vector_key(self, side: Side) -> str | None:
        return None

    def encode(self, texts: Sequence[str], side: Side = "text") -> Any:
        """Return vectors of length 1 for the texts; they are the same for queries and documents."""
        import numpy as np

        if not texts:
            return np.zeros((0, self._projection.shape[1]), np.float32)
        weights = self._counter.transform(list(texts)).astype(np.float32)  # else the projection becomes float64
        return unit_rows(np.asarray(weights @ self._projection))

    def count_tokens(self, text: str) -> int:
        return len(words(text, self.languages[0]))

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Return the offsets of the characters that are not white space, each as one token, because texts of any length are
        allowed."""
        return [(place, place + 1) for place, character in enumerate(text) if not character.isspace()]

    def unknown_share(self, texts: Sequence[str]) -> float:
        """Return 0.0, the share of text that the model cannot represent: the model compares characters, which every language
        has. A text unlike the corpus gets low similarities."""
        return 0.0


def fit_lexical_vectors(texts: Sequence[str], language: str) -> LexicalVectors:
    """Fit lexical vectors on a corpus: character 1- and 2-grams in scripts without spaces, else words and character 2- to
    4-grams within words.

    The result is deterministic: the SVD is exact, from the eigenvectors of the texts' inner products (nine times faster here
    than a randomised SVD over 200,000 features). Raises BenchError for texts without words."""
    from scipy.linalg import eigh
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import FeatureUnion

    common: dict[str, Any] = {"lowercase": True, "sublinear_tf": True, "max_features": _MAX_FEATURES}
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
