"""Retrievers: built once over passages, then searched. Each file in eval/retrievers/ declares one as its constant RETRIEVER."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from core.catalog import catalog
from core.nouns import Hit, Span
from core.retrieval.cross_encoder import Reranker, RerankerOptions, load_cross_encoder
from core.retrieval.embeddings import Embedder, EmbedderLoader, embedder
from core.retrieval.engine_index import SearchEngine
from core.retrieval.index_files import IndexFiles
from eval.settings import Setting, Settings

Search = Callable[[str, int], list[Hit]]
"""(query, k) -> the k best passages, best first."""
ListSearch = Callable[[str, int], Sequence[list[Hit]]]
"""(query, k) -> several lists of passages, each best first."""
Embedders = EmbedderLoader
"""(model, texts to fit it on, language, options) -> the embedding model."""


RerankerLoader = Callable[[RerankerOptions], Reranker]
"""Loads rerankers: local models, and optionally rerank endpoints."""


class Passages(NamedTuple):
    """The chunks of all documents in one language, as passages for a retriever."""

    spans: Sequence[Span]
    texts: Sequence[str]
    language: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrieverContext:
    """Inputs for building a retriever's index."""

    embedder: Embedders = embedder
    """Loader of embedding models: core's own, or one that caches vectors."""
    reranker: RerankerLoader = load_cross_encoder
    queries: Sequence[str] = ()
    """Queries of the run, for encoding them in batches beforehand."""
    files: IndexFiles | None = None
    """Storage for indexes; None = indexes are not stored."""
    chunks: Any = None
    """Sources of the chunks as JSON values, used as key of a stored index; None = not known, so the index is not stored."""
    report_progress: Callable[[str], None] = lambda message: None
    engine_folder: Path | None = None
    """Folder for the indexes of embedded search engines; None = such indexes are not kept."""
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    """Environment with the passwords and keys of search engines."""
    close_later: Callable[[Callable[[], object]], object] = lambda close: None
    """Takes a function that is called after the last search of the run."""

    def load_arrays(self, index: Any, make: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return the arrays of an index over these chunks, from storage if possible. `index` identifies the index."""
        if self.files is None or self.chunks is None:
            return make()
        return self.files.arrays({"chunks": self.chunks, "index": index}, make)


@dataclass(frozen=True, kw_only=True, slots=True)
class Retriever:
    """One search method, named after its file."""

    label: str
    settings: Mapping[str, Setting] = field(default_factory=dict)
    load_chunk_model: Callable[[Settings, Embedders], Embedder | None] = lambda settings, embedders: None
    """Returns the model whose tokenizer measures chunk lengths; None = core's token estimate."""
    build: Callable[[Passages, Settings, RetrieverContext], Search]
    """Builds the search. Raises BenchError if the retriever cannot search that language, or chunks of that length."""
    open_engine: Callable[[Any], SearchEngine] | None = None
    """Opens the search engine for an EngineRequest, to look at it; None = the retriever searches in memory."""
    is_of_question: bool = False
    """Whether the search covers only the documents of each question (CRAG's five pages), with a separate index per question."""


def retrievers() -> Mapping[str, Retriever]:
    """Return all retrievers by name."""
    return catalog("eval.retrievers", "RETRIEVER", Retriever)
