"""hybrid_random_k: what CRUD-RAG's paper describes in words, where its code fuses by rank: of the passages that BM25 and
dense find together, k are drawn at random. The draw hangs on the setting `seed` and the query, so that a run can be done
again."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from core.ids import content_hash
from core.nouns import Span
from core.retrieval.search import fuse
from eval.retriever import Retriever, RetrieverContext, Search
from eval.retrievers import dense, hybrid
from eval.running.settings import read_whole_number


def build(
    spans: Sequence[Span], texts: Sequence[str], language: str, settings: Mapping[str, Any], means: RetrieverContext
) -> Search:
    seed = read_whole_number(settings, "seed", 0)
    both = hybrid.search_both(spans, texts, language, settings, means)

    def search(query: str, k: int) -> list[Any]:
        """The drawn ones stand by their fused score."""
        found = fuse(both(query, k), len(spans))
        drawn = random.Random(content_hash([seed, query])).sample(range(len(found)), min(k, len(found)))
        return [found[place] for place in sorted(drawn)]

    return search


RETRIEVER = Retriever(
    label="Hybrid, k at random",
    settings={"embedding_model": dense.DEFAULT, "depth": 0, "seed": 0},
    build=build,
    reads_with=dense.reads_with,
)
