"""Define search providers, which tasks such as summary and continuation use to find other documents about the same event. Each
file in builders/providers/ defines one provider as its constant PROVIDER."""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from builders.task import FindDocuments
from core.catalog import catalog
from core.nouns import Document


@dataclass(frozen=True, kw_only=True, slots=True)
class ProviderContext:
    """The data and functions that a search provider may use besides the query."""

    documents: Callable[[], Sequence[Document]] = tuple
    """All documents of the workspace, with their texts."""
    kept: MutableMapping[str, Any] = field(default_factory=dict)
    """A cache in which a provider keeps reusable results, such as an index; the oldest entries are removed automatically."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Environment variables that hold the providers' secret keys; a setting names the variable to use."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Provider:
    """One search provider; its name is the name of its file."""

    label: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """A dict from setting to its default value; None = no default, so a value is required."""
    check: Callable[[Mapping[str, Any]], None] = lambda settings: None
    """Raises BenchError if the settings do not allow a search."""
    open: Callable[[Mapping[str, Any], ProviderContext], FindDocuments]
    """Returns the provider's search function. The call and the function raise BenchError with a one-sentence message."""


def providers() -> Mapping[str, Provider]:
    """Return all search providers as a dict from name to Provider."""
    return catalog("builders.providers", "PROVIDER", Provider)
