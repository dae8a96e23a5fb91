"""rerank: what BM25 and dense find together is ordered by a cross-encoder, which reads query and passage at once."""

from core.errors import BenchError
from core.nouns import Hit
from core.retrieval.cross_encoder import cross_encoder
from core.retrieval.embeddings import Embedder
from eval.retriever import ListSearch, Passages, Retriever, RetrieverContext, Search
from eval.retrievers import bm25, dense, hybrid
from eval.settings import Setting, Settings


def build(passages: Passages, settings: Settings, context: RetrieverContext) -> Search:
    if not settings["reranker"]:
        raise BenchError("The retriever rerank has no cross-encoder: give its folder with --set reranker=FOLDER.")
    model = cross_encoder(settings["reranker"])
    first = _build_first_stage(passages, settings, context)
    places = {span: number for number, span in enumerate(passages.spans)}

    def search(query: str, k: int) -> list[Hit]:
        spans = list(dict.fromkeys(hit.span for hits in first(query, k) for hit in hits))
        scores = model.scores(query, [passages.texts[places[span]] for span in spans])
        order = sorted(range(len(spans)), key=lambda place: -scores[place])
        return [Hit(spans[place], scores[place]) for place in order[:k]]

    return search


def _build_first_stage(passages: Passages, settings: Settings, context: RetrieverContext) -> ListSearch:
    """Returns (query, k) -> lists of passages to put in order."""
    if settings["first"] == "both":
        return hybrid.search_both(passages, settings, context)
    search = (bm25 if settings["first"] == "bm25" else dense).build(passages, settings, context)
    return lambda query, k: (search(query, max(k, settings["depth"])),)


def load_chunk_model(settings: Settings) -> Embedder | None:
    """Returns the dense model, where it takes part."""
    return None if settings["first"] == "bm25" else dense.load_chunk_model(settings)


RETRIEVER = Retriever(
    label="Rerank (cross-encoder)",
    settings={
        "reranker": Setting("", "The cross-encoder's folder."),
        "first": Setting("both", "What finds the passages to put in order.", choices=("both", "bm25", "dense")),
        "embedding_model": dense.EMBEDDING_MODEL,
        "depth": hybrid.LIST_DEPTH,
    },
    build=build,
    load_chunk_model=load_chunk_model,
)
