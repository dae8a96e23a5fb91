"""hybrid: fuses the results of bm25 and dense by weighted reciprocal rank of the passages, with the constant 60. Each of the
two lists has as many passages as are requested, as in CRUD-RAG's code; if the setting `depth` is higher, each list has `depth`
passages."""

from core.retrieval.search import fuse
from eval.embedding_settings import EMBEDDING_SETTINGS
from eval.retriever import ListSearch, Passages, Retriever, RetrieverContext, Search
from eval.retrievers import bm25, dense
from eval.settings import Setting, Settings

LIST_DEPTH = Setting(0, "Number of passages in each of the two fused lists (BM25 and dense), if it is more than top_k.")


def search_both(passages: Passages, settings: Settings, context: RetrieverContext) -> ListSearch:
    """Return a function from (query, k) to the results of bm25 and dense, max(k, `depth`) passages each. Raises BenchError if
    dense cannot search the passages."""
    depth = settings["depth"]
    by_words, by_meaning = bm25.build(passages, settings, context), dense.build(passages, settings, context)
    return lambda query, k: (by_words(query, max(k, depth)), by_meaning(query, max(k, depth)))


def build(passages: Passages, settings: Settings, context: RetrieverContext) -> Search:
    weight, both = settings["weight"], search_both(passages, settings, context)
    return lambda query, k: fuse(both(query, k), k, (1 - weight, weight))


RETRIEVER = Retriever(
    label="Hybrid (weighted RRF)",
    settings={
        **EMBEDDING_SETTINGS,
        "weight": Setting(0.5, "Weight of the dense list; the BM25 list has 1 minus this weight.", kind="share"),
        "depth": LIST_DEPTH,
    },
    build=build,
    load_chunk_model=dense.load_chunk_model,
)
