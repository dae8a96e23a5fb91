"""hybrid: BM25 and dense, fused by weighted reciprocal rank over the passages themselves (setting weight: the dense list's
share; 60 as the constant). Each list is as long as the number of passages asked for, as in CRUD-RAG's code, or as `depth`
says."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.nouns import Hit, Span
from core.retrieval.search import fuse
from eval.retriever import Retriever, RetrieverContext, Search
from eval.retrievers import bm25, dense
from eval.running.settings import read_share, read_whole_number

SETTINGS = {"embedding_model": dense.DEFAULT, "weight": 0.5, "depth": 0}


def search_both(
    spans: Sequence[Span], texts: Sequence[str], language: str, settings: Mapping[str, Any], means: RetrieverContext
) -> Callable[[str, int], tuple[list[Hit], list[Hit]]]:
    """(query, k) -> what either of both finds: `depth` passages, or k where that is more. Raises BenchError as dense does."""
    depth = read_whole_number(settings, "depth", 0)
    by_words = bm25.build(spans, texts, language, settings, means)
    by_meaning = dense.build(spans, texts, language, settings, means)
    return lambda query, k: (by_words(query, max(k, depth)), by_meaning(query, max(k, depth)))


def build(
    spans: Sequence[Span], texts: Sequence[str], language: str, settings: Mapping[str, Any], means: RetrieverContext
) -> Search:
    weight = read_share(settings, "weight", 0.5)
    both = search_both(spans, texts, language, settings, means)
    return lambda query, k: fuse(both(query, k), k, (1 - weight, weight))


RETRIEVER = Retriever(label="Hybrid (weighted RRF)", settings=SETTINGS, build=build, reads_with=dense.reads_with)
