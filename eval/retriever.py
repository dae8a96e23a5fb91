"""What a retriever is: built once over a corpus of chunks, then asked. Thin over core/search."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.catalog import catalog
from core.nouns import Hit, Span

Search = Callable[[str, int], list[Hit]]
"""(query, k) -> best first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Retriever:
    """One way to search. Its name is its file's name."""

    label: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Its own settings with their defaults."""
    offsets: Callable[[Mapping[str, Any]], Callable[[str], Sequence[tuple[int, int]]] | None] = lambda settings: None
    """settings -> (text -> start and end of each token of its model), by which its chunks are cut; None = core's estimate."""
    build: Callable[[Sequence[Span], Sequence[str], str, Mapping[str, Any]], Search]
    """(chunks, their texts, language, settings) -> Search. Raises BenchError when it cannot be used on that language or on
    chunks of that length."""


def retrievers() -> Mapping[str, Retriever]:
    """Every retriever by name."""
    return catalog("eval.retrievers", "RETRIEVER", Retriever)
