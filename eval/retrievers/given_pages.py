"""given_pages: searches only the documents that belong to the question, as in CRAG, which gives each question five web
pages."""

from core.retrieval.embeddings import Embedder
from eval.embedding_settings import EMBEDDING_SETTINGS
from eval.retriever import Embedders, Passages, Retriever, RetrieverContext, Search
from eval.retrievers import bm25, dense
from eval.settings import Setting, Settings


def build(passages: Passages, settings: Settings, context: RetrieverContext) -> Search:
    ranker = bm25.build if settings["by"] == "bm25" else dense.build
    return ranker(passages, settings, context)


def load_chunk_model(settings: Settings, embedders: Embedders) -> Embedder | None:
    return None if settings["by"] == "bm25" else dense.load_chunk_model(settings, embedders)


RETRIEVER = Retriever(
    label="The question's own pages",
    settings={
        "by": Setting("bm25", "Retriever that searches the pages.", choices=("bm25", "dense")),
        "pages": Setting(0, "How many of the first pages are searched; 0 = all."),
        **EMBEDDING_SETTINGS,
    },
    build=build,
    load_chunk_model=load_chunk_model,
    is_of_question=True,
)
