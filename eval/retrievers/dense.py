"""dense: searches by the similarity of embeddings, with the question embedded as a query and each passage as a document,
compared by the similarity measure that the model's authors use. The retriever refuses a language that the model does not know,
which is tested on the corpus itself, and chunks that are longer than the model's input."""

from typing import Any

from core.retrieval.embeddings import Embedder
from core.retrieval.search import DenseIndex, encode_index_rows
from eval.embedding_settings import EMBEDDING_SETTINGS, check_texts, load_embedder
from eval.retriever import Embedders, Passages, Retriever, RetrieverContext, Search
from eval.settings import Settings


def build(passages: Passages, settings: Settings, context: RetrieverContext) -> Search:
    model = load_embedder(settings, context.embedder, passages.texts, passages.language)

    def encode_texts() -> dict[str, Any]:
        check_texts(model, passages.texts, passages.language)
        return {"vectors": encode_index_rows(model, passages.texts)}

    key = {"retriever": "dense", "model": model.identity}
    is_stored = model.identity is not None  # a model without an identity is fitted anew on each corpus
    arrays = context.load_arrays(key, encode_texts) if is_stored else encode_texts()
    readable = [query for query in context.queries if model.max_tokens is None or model.count_tokens(query) <= model.max_tokens]
    return DenseIndex(passages.spans, passages.texts, model, readable, arrays["vectors"]).search


def load_chunk_model(settings: Settings, embedders: Embedders) -> Embedder | None:
    """Return the embedding model, whose tokenizer then measures chunk_tokens, or None if the model has no length limit."""
    if settings["embedding_model"] == "lexical_vectors":
        return None
    model = load_embedder(settings, embedders)
    return None if model.max_tokens is None else model


RETRIEVER = Retriever(label="Dense", settings=EMBEDDING_SETTINGS, build=build, load_chunk_model=load_chunk_model)
