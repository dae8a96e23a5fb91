"""hybrid_random_k: draws k passages at random from those that bm25 and dense find together, as CRUD-RAG's paper describes;
CRUD-RAG's code fuses the two lists by rank instead. The random choice depends only on the setting `seed` and the query, so a
run can be repeated."""

import random

from core.ids import content_hash
from core.nouns import Hit
from core.retrieval.search import fuse
from eval.embedding_settings import EMBEDDING_SETTINGS
from eval.retriever import Passages, Retriever, RetrieverContext, Search
from eval.retrievers import dense, hybrid
from eval.settings import Setting, Settings


def build(passages: Passages, settings: Settings, context: RetrieverContext) -> Search:
    both = hybrid.search_both(passages, settings, context)

    def search(query: str, k: int) -> list[Hit]:
        """Return k passages drawn from the hits of both searches, ordered by fused score."""
        hits = fuse(both(query, k), len(passages.spans))
        drawn = random.Random(content_hash([settings["seed"], query])).sample(range(len(hits)), min(k, len(hits)))
        return [hits[place] for place in sorted(drawn)]

    return search


RETRIEVER = Retriever(
    label="Hybrid, k at random",
    settings={
        **EMBEDDING_SETTINGS,
        "depth": hybrid.LIST_DEPTH,
        "seed": Setting(0, "Seed of the random draw."),
    },
    build=build,
    load_chunk_model=dense.load_chunk_model,
)
