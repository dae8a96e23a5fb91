"""What a retriever is: built once over a corpus of chunks, then asked. Thin over core/search."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.catalog import catalog
from core.nouns import Hit, Span
from core.retrieval.embeddings import Embedder, embedder
from core.retrieval.index_files import IndexFiles

Search = Callable[[str, int], list[Hit]]
"""(query, k) -> best first."""


Embedders = Callable[[str, Sequence[str], str | None], Embedder]
"""(model, corpus to fit it on, language) -> Embedder."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrieverContext:
    """What a retriever is handed from outside to build its index with."""

    embedder: Embedders = embedder
    """Where embedding models come from: core's own, or ones that keep the vectors they made."""
    queries: Sequence[str] = ()
    """Queries that are going to be asked, so that a model can encode them together."""
    files: IndexFiles | None = None
    """Where indexes are kept; None = nowhere."""
    chunks: Any = None
    """All that the chunks come from, as JSON values: with it an index of theirs can be found again; None = nobody knows."""
    tell: Callable[[str], None] = lambda message: None
    """Hears how far long work is."""

    def load_arrays(self, what: Any, make: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """The arrays of an index of these chunks: `what` says which, `make` makes them where they are not kept yet."""
        if self.files is None or self.chunks is None:
            return make()
        return self.files.arrays({"chunks": self.chunks, "index": what}, make)


@dataclass(frozen=True, kw_only=True, slots=True)
class Retriever:
    """One way to search. Its name is its file's name."""

    label: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Its own settings with their defaults."""
    reads_with: Callable[[Mapping[str, Any]], Embedder | None] = lambda settings: None
    """settings -> the model by whose tokens its chunks are cut; None = core's estimate."""
    build: Callable[[Sequence[Span], Sequence[str], str, Mapping[str, Any], RetrieverContext], Search]
    """(chunks, their texts, language, settings, means) -> Search. Raises BenchError when it cannot be used on that language or
    on chunks of that length."""

    of_the_question: bool = False
    """Searches only the documents that belong to a question (CRAG's five pages), by an index of their own for each."""


def retrievers() -> Mapping[str, Retriever]:
    """Every retriever by name."""
    return catalog("eval.retrievers", "RETRIEVER", Retriever)
