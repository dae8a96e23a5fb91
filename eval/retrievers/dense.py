"""dense: cosine over embeddings (setting embedding_model: minilm, lexical_vectors, or a model's folder). A model is not used on
a language that it does not know, measured on this very corpus, and never on chunks that it would cut."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.nouns import Span
from core.retrieval.embeddings import Embedder, embedder, explain_unusable
from core.retrieval.search import DenseIndex
from eval.retriever import Retriever, RetrieverContext, Search
from eval.running.settings import read_text

DEFAULT = "minilm"


def build(
    spans: Sequence[Span], texts: Sequence[str], language: str, settings: Mapping[str, Any], means: RetrieverContext
) -> Search:
    model = means.embedder(read_text(settings, "embedding_model", DEFAULT), texts, language)

    def encode_texts() -> dict[str, Any]:
        _check(model, language, texts)
        return {"vectors": model.encode(list(texts))}

    is_kept = model.identity is not None  # else it is fitted anew on each corpus
    vectors = (means.load_arrays({"retriever": "dense", "model": model.identity}, encode_texts) if is_kept else encode_texts())[
        "vectors"
    ]
    readable = [query for query in means.queries if model.max_tokens is None or model.count_tokens(query) <= model.max_tokens]
    return DenseIndex(spans, texts, model, readable, vectors).search


def _check(model: Embedder, language: str, texts: Sequence[str]) -> None:
    """Raises BenchError when the model cannot be used on these chunks."""
    why_not = explain_unusable(model, language, texts)
    if why_not is not None:
        raise BenchError(f"Dense retrieval cannot answer {language}: {why_not}")
    longest = max(map(model.count_tokens, texts))
    if model.max_tokens is not None and longest > model.max_tokens:
        raise BenchError(
            f"A chunk has {longest} tokens and {model.name} reads at most {model.max_tokens}: set chunk_tokens to that or less."
        )


def reads_with(settings: Mapping[str, Any]) -> Embedder | None:
    """The model itself, so that a chunk of chunk_tokens is one that it reads whole."""
    name = read_text(settings, "embedding_model", DEFAULT)
    return None if name == "lexical_vectors" else embedder(name)


RETRIEVER = Retriever(label="Dense", settings={"embedding_model": DEFAULT}, build=build, reads_with=reads_with)
