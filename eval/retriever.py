"""Retrievers: built once over passages, then searched. One a file in eval/retrievers/, its constant RETRIEVER."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.catalog import catalog
from core.nouns import Hit, Span
from core.retrieval.cross_encoder import Reranker, RerankerOptions, load_cross_encoder
from core.retrieval.embeddings import Embedder, EmbedderLoader, embedder
from core.retrieval.index_files import IndexFiles
from eval.settings import Setting, Settings

Search = Callable[[str, int], list[Hit]]
"""(query, k) -> the k best passages, best first."""
ListSearch = Callable[[str, int], Sequence[list[Hit]]]
"""(query, k) -> several lists of passages, each best first."""
Embedders = EmbedderLoader
"""(model, texts to fit it on, language, options) -> the embedding model."""


RerankerLoader = Callable[[RerankerOptions], Reranker]
"""Loads rerankers: core's own from folders, or ones that ask endpoints, too."""


class Passages(NamedTuple):
    """What a retriever searches: the chunks of all documents in one language."""

    spans: Sequence[Span]
    texts: Sequence[str]
    language: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrieverContext:
    """What a retriever is handed to build its index with."""

    embedder: Embedders = embedder
    """Loads embedding models: core's own, or ones that keep the vectors they made."""
    reranker: RerankerLoader = load_cross_encoder
    queries: Sequence[str] = ()
    """Queries that the run will search for, so that a model can encode them together."""
    files: IndexFiles | None = None
    """Where indexes are stored; None = nowhere."""
    chunks: Any = None
    """All that the chunks come from, as JSON values: the key of a stored index. None = not known, so nothing is stored."""
    report_progress: Callable[[str], None] = lambda message: None

    def load_arrays(self, index: Any, make: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """Returns the arrays of an index of these chunks, stored ones where there are any; `index` names it."""
        if self.files is None or self.chunks is None:
            return make()
        return self.files.arrays({"chunks": self.chunks, "index": index}, make)


@dataclass(frozen=True, kw_only=True, slots=True)
class Retriever:
    """One way to search. Its name is its file's name."""

    label: str
    settings: Mapping[str, Setting] = field(default_factory=dict)
    load_chunk_model: Callable[[Settings, Embedders], Embedder | None] = lambda settings, embedders: None
    """Returns the model whose tokens limit a chunk; None = core's estimate of tokens."""
    build: Callable[[Passages, Settings, RetrieverContext], Search]
    """Raises BenchError when it cannot search that language, or chunks of that length."""
    is_of_question: bool = False
    """Searches only the documents that belong to a question (CRAG's five pages), by an index of their own for each."""


def retrievers() -> Mapping[str, Retriever]:
    """Returns every retriever by name."""
    return catalog("eval.retrievers", "RETRIEVER", Retriever)
