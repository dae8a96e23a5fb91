"""Define retrievers: search methods that index passages once and then search them. Each file in eval/retrievers/ defines one
retriever as its constant RETRIEVER."""

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
"""A search function: returns the k best passages, best first, for (query, k)."""
ListSearch = Callable[[str, int], Sequence[list[Hit]]]
"""A search function that returns several lists of passages, each best first, for (query, k)."""
Embedders = EmbedderLoader
"""A function that loads an embedding model, for (model name, texts to fit it on, language, options)."""


RerankerLoader = Callable[[RerankerOptions], Reranker]
"""A function that loads a reranker: a local model or, if allowed, a rerank endpoint."""


class Passages(NamedTuple):
    """The chunks of all documents in one language, as the passages that a retriever searches."""

    spans: Sequence[Span]
    texts: Sequence[str]
    language: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrieverContext:
    """Data and functions with which a retriever builds its index, in addition to the passages and settings."""

    embedder: Embedders = embedder
    """Function that loads embedding models: core's own function, or a function whose models cache their vectors."""
    reranker: RerankerLoader = load_cross_encoder
    queries: Sequence[str] = ()
    """Queries that the run will ask, so that they can be encoded in batches before; empty = not known."""
    files: IndexFiles | None = None
    """Storage for indexes; None = indexes are not stored."""
    chunks: Any = None
    """Description of the source of the chunks, as JSON values, by which a stored index is found again; None = not known, so the
    index is not stored."""
    report_progress: Callable[[str], None] = lambda message: None
    engine_folder: Path | None = None
    """Folder in which embedded search engines keep their indexes; None = the indexes are deleted after the run."""
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    """Environment variables, some of which contain the passwords and keys of search engines."""
    close_later: Callable[[Callable[[], object]], object] = lambda close: None
    """Takes a function to call after the run's last search, e.g. to close a connection."""

    def load_arrays(self, index: Any, make: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return the arrays of an index over these chunks: load them if they are stored, else make them with the function
        `make`. `index` identifies the index."""
        if self.files is None or self.chunks is None:
            return make()
        return self.files.arrays({"chunks": self.chunks, "index": index}, make)


@dataclass(frozen=True, kw_only=True, slots=True)
class Retriever:
    """One search method; its name is its file's name."""

    label: str
    settings: Mapping[str, Setting] = field(default_factory=dict)
    load_chunk_model: Callable[[Settings, Embedders], Embedder | None] = lambda settings, embedders: None
    """Returns the model whose tokenizer measures the length of chunks; None = lengths are estimated without one."""
    build: Callable[[Passages, Settings, RetrieverContext], Search]
    """Builds the index and returns its search function. Raises BenchError if the retriever cannot search the language, or
    chunks of that length."""
    open_engine: Callable[[Any], SearchEngine] | None = None
    """Opens the retriever's search engine for an EngineRequest, to look at it; None = the retriever searches in memory."""
    is_of_question: bool = False
    """Whether each question searches only the documents that belong to it, in a separate index (as with CRAG's five pages)."""


def retrievers() -> Mapping[str, Retriever]:
    """Return a dict from retriever name to Retriever, of all retrievers."""
    return catalog("eval.retrievers", "RETRIEVER", Retriever)
