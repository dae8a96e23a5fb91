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
    """The inputs of a search provider other than the query."""

    documents: Callable[[], Sequence[Document]] = tuple
    """Documents of the workspace's corpus with their texts."""
    kept: MutableMapping[str, Any] = field(default_factory=dict)
    """Cache for a provider's reusable results; the oldest entries are removed automatically."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Environment variables with the keys, by the names in the settings."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Provider:
    """One search provider, named after its file."""

    label: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings with their defaults; None = no default, so that a value is required."""
    check: Callable[[Mapping[str, Any]], None] = lambda settings: None
    """Raises BenchError for settings that do not allow a search."""
    open: Callable[[Mapping[str, Any], ProviderContext], FindDocuments]
    """Returns the search function of a provider. Both raise BenchError with a one-sentence message."""


def providers() -> Mapping[str, Provider]:
    """Return name -> search provider, for every provider."""
    return catalog("builders.providers", "PROVIDER", Provider)
