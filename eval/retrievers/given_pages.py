"""given_pages: BM25 over the documents that belong to the question alone, as CRAG hands five pages to each of its questions
(settings by: bm25 or dense; pages: so many of the first, 0 = all)."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.nouns import Span
from core.retrieval.embeddings import Embedder
from eval.retriever import Retriever, RetrieverContext, Search
from eval.retrievers import bm25, dense
from eval.running.settings import read_choice

RANKERS = ("bm25", "dense")


def build(
    spans: Sequence[Span], texts: Sequence[str], language: str, settings: Mapping[str, Any], means: RetrieverContext
) -> Search:
    made = bm25.build if read_choice(settings, "by", RANKERS) == "bm25" else dense.build
    return made(spans, texts, language, settings, means)


def reads_with(settings: Mapping[str, Any]) -> Embedder | None:
    return None if read_choice(settings, "by", RANKERS) == "bm25" else dense.reads_with(settings)


RETRIEVER = Retriever(
    label="The question's own pages",
    settings={"by": "bm25", "pages": 0, "embedding_model": dense.DEFAULT},
    build=build,
    reads_with=reads_with,
    of_the_question=True,
)
