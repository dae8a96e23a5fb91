"""rerank: what BM25 and dense find together (setting first: both, bm25 or dense; `depth` passages of each, or as many as are
asked for) is put in order by a cross-encoder, which reads query and passage at once (setting reranker: its folder)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.nouns import Hit, Span
from core.retrieval.cross_encoder import cross_encoder
from core.retrieval.embeddings import Embedder
from eval.retriever import Retriever, RetrieverContext, Search
from eval.retrievers import bm25, dense, hybrid
from eval.running.settings import read_choice, read_text

FIRST_STAGES = ("both", "bm25", "dense")


def build(
    spans: Sequence[Span], texts: Sequence[str], language: str, settings: Mapping[str, Any], means: RetrieverContext
) -> Search:
    folder = read_text(settings, "reranker")
    if not folder:
        raise BenchError("The retriever rerank has no cross-encoder: give its folder with --set reranker=FOLDER.")
    model = cross_encoder(folder)
    first = _build_first_stage(spans, texts, language, settings, means)
    place = {span: number for number, span in enumerate(spans)}

    def search(query: str, k: int) -> list[Hit]:
        found = list(dict.fromkeys(hit.span for hits in first(query, k) for hit in hits))
        scores = model.scores(query, [texts[place[span]] for span in found])
        order = sorted(range(len(found)), key=lambda place: -scores[place])
        return [Hit(found[place], scores[place]) for place in order[:k]]

    return search


def _build_first_stage(
    spans: Sequence[Span], texts: Sequence[str], language: str, settings: Mapping[str, Any], means: RetrieverContext
) -> Callable[[str, int], Sequence[Sequence[Hit]]]:
    """(query, k) -> lists of passages to put in order."""
    which = read_choice(settings, "first", FIRST_STAGES)
    if which == "both":
        return hybrid.search_both(spans, texts, language, settings, means)
    search = (bm25 if which == "bm25" else dense).build(spans, texts, language, settings, means)
    depth = max(0, int(settings.get("depth", 0)))
    return lambda query, k: (search(query, max(k, depth)),)


def reads_with(settings: Mapping[str, Any]) -> Embedder | None:
    """The dense model's, where it takes part."""
    return None if read_choice(settings, "first", FIRST_STAGES) == "bm25" else dense.reads_with(settings)


RETRIEVER = Retriever(
    label="Rerank (cross-encoder)",
    settings={"reranker": "", "first": "both", "embedding_model": dense.DEFAULT, "depth": 0},
    build=build,
    reads_with=reads_with,
)
