"""rerank: reorders the passages that bm25, dense or both find (setting `first`) with a cross-encoder, which reads query and
passage together, or by a rerank endpoint."""

from core.errors import BenchError
from core.nouns import Hit
from core.retrieval.cross_encoder import RerankerOptions
from core.retrieval.embeddings import Embedder
from eval.embedding_settings import EMBEDDING_SETTINGS
from eval.retriever import Embedders, ListSearch, Passages, Retriever, RetrieverContext, Search
from eval.retrievers import bm25, dense, hybrid
from eval.settings import Setting, Settings


def build(passages: Passages, settings: Settings, context: RetrieverContext) -> Search:
    if not settings["reranker"]:
        raise BenchError("The retriever rerank needs a cross-encoder: give --set reranker=FOLDER or reranker=http://ADDRESS.")
    names = {"device": "device", "dtype": "dtype", "model": "reranker_model", "key_env": "reranker_key"}
    options = {field: settings[name] for field, name in names.items()}
    model = context.reranker(RerankerOptions(settings["reranker"], **options, price=settings["reranker_price"]))
    first = _build_first_stage(passages, settings, context)
    places = {span: number for number, span in enumerate(passages.spans)}

    def search(query: str, k: int) -> list[Hit]:
        spans = list(dict.fromkeys(hit.span for hits in first(query, k) for hit in hits))
        scores = model.scores(query, [passages.texts[places[span]] for span in spans])
        order = sorted(range(len(spans)), key=lambda place: -scores[place])
        return [Hit(spans[place], scores[place]) for place in order[:k]]

    return search


def _build_first_stage(passages: Passages, settings: Settings, context: RetrieverContext) -> ListSearch:
    """Return a function from (query, k) to lists of passages, which are then reranked."""
    if settings["first"] == "both":
        return hybrid.search_both(passages, settings, context)
    search = (bm25 if settings["first"] == "bm25" else dense).build(passages, settings, context)
    return lambda query, k: (search(query, max(k, settings["depth"])),)


def load_chunk_model(settings: Settings, embedders: Embedders) -> Embedder | None:
    """Return dense's embedding model if the setting `first` uses it, else None."""
    return None if settings["first"] == "bm25" else dense.load_chunk_model(settings, embedders)


RETRIEVER = Retriever(
    label="Rerank (cross-encoder)",
    settings={
        "reranker": Setting(
            "",
            "The folder of a cross-encoder, or the address of an endpoint in the shape of Cohere, Jina, vLLM or Text "
            "Embeddings Inference: http://localhost:8080, https://api.cohere.com/v2.",
        ),
        "reranker_model": Setting("", "Name of the model, for an endpoint that has several."),
        "reranker_key": Setting("", "Name of the environment variable that holds the endpoint's key, such as COHERE_API_KEY."),
        "reranker_price": Setting(
            0.0, "US dollars per thousand requests; 0 = unknown, and free for an address on this machine or network."
        ),
        "first": Setting("both", "Retriever that finds the passages to rerank.", choices=("both", "bm25", "dense")),
        **EMBEDDING_SETTINGS,
        "depth": hybrid.LIST_DEPTH,
    },
    build=build,
    load_chunk_model=load_chunk_model,
)
