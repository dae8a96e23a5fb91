"""Defines search providers, with which tasks such as summary and continuation find other documents about the same event. Each
file in builders/providers/ defines one provider as its constant PROVIDER."""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from builders.task import FindDocuments
from core.catalog import catalog
from core.nouns import Document


@dataclass(frozen=True, kw_only=True, slots=True)
class ProviderContext:
    """The inputs of a search provider."""

    documents: Callable[[], Sequence[Document]] = tuple
    """The workspace's corpus with its texts."""
    kept: MutableMapping[str, Any] = field(default_factory=dict)
    """What a provider made and may use again; it forgets the oldest by itself."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Where keys are read, by the name that the settings give."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Provider:
    """One way to search for documents. Its name is its file's name."""

    label: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Its settings with their defaults; None = there is none, and it has to be given."""
    check: Callable[[Mapping[str, Any]], None] = lambda settings: None
    """Raises BenchError on settings that it could not search with."""
    open: Callable[[Mapping[str, Any], ProviderContext], FindDocuments]
    """Ready to search; what it raises then is one sentence (BenchError), its search's too."""


def providers() -> Mapping[str, Provider]:
    """Every provider by name."""
    return catalog("builders.providers", "PROVIDER", Provider)
