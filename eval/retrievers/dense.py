"""dense: cosine over embeddings (setting embedding_model: minilm, lexical_vectors, or a model's folder). A model is not used on
a language that it does not know, measured on this very corpus, and never on chunks that it would cut."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.embeddings import embedder
from core.errors import BenchError
from core.nouns import Span
from core.search import DenseIndex
from eval.retriever import Retriever, Search
from eval.settings import text

UNKNOWN = 0.02
"""Share of a corpus's tokens that a model may not know; above it the model is not used on that language."""


def build(spans: Sequence[Span], texts: Sequence[str], language: str, settings: Mapping[str, Any]) -> Search:
    model = embedder(text(settings, "embedding_model") or "minilm", texts)
    unknown = model.unknown_share(texts)
    if unknown > UNKNOWN:
        raise BenchError(
            f"The embedding model {model.name} does not know {unknown:.0%} of the tokens of the documents in {language}: use "
            f"--retriever bm25, --set embedding_model=lexical_vectors, or the folder of a model that knows {language}."
        )
    longest = max(map(model.count_tokens, texts))
    if model.max_tokens is not None and longest > model.max_tokens:
        raise BenchError(
            f"A chunk has {longest} tokens and {model.name} reads {model.max_tokens}: set chunk_tokens to at most that."
        )
    return DenseIndex(spans, texts, model).search


def count(language: str, settings: Mapping[str, Any]) -> Callable[[str], int] | None:
    """The model's own tokens, so that a chunk of chunk_tokens is one that it reads whole."""
    name = text(settings, "embedding_model") or "minilm"
    return None if name == "lexical_vectors" else embedder(name).count_tokens


RETRIEVER = Retriever(label="Dense", settings={"embedding_model": "minilm"}, build=build, count=count)
