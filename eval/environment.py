"""Define environments: sets of functions over a workspace's documents and tables, which systems under test can call and
question templates use. Each file in eval/environments/ defines one environment as its constant ENVIRONMENT."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from core.catalog import catalog, pick
from core.errors import BenchError
from core.functions.functions import Registry, join_registries
from core.nouns import Document
from core.tables.names import NameIndex
from core.tables.world import Tables
from eval.retriever import Search

_TIME = re.compile(r"\d{4}(-\d\d(-\d\d([T ]\d\d:\d\d.*)?)?)?$")


@dataclass(frozen=True)
class EnvironmentSources:
    """The documents and tables that the functions of environments read, for every question of a run."""

    documents: Sequence[Document] = ()
    tables: Tables = field(default_factory=Tables)
    search: Search | None = None
    """Search over the passages of the documents; None = the functions search only titles."""
    is_of_question: bool = False
    """Whether the documents belong to a single question, which may have none."""

    @cached_property
    def titles(self) -> NameIndex:
        return NameIndex([document.title for document in self.documents])

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Return a dict from document id to its index in `documents`."""
        return {document.id: place for place, document in enumerate(self.documents)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Environment:
    """One set of functions that systems can call, named after its file."""

    label: str
    open: Callable[[EnvironmentSources, str | None, str], Registry]
    """Returns the functions for one question from (sources, time of the question, language). Raises BenchError if the sources
    have no data for the environment."""


def environments() -> Mapping[str, Environment]:
    """Return a dict from environment name to Environment, of all environments."""
    return catalog("eval.environments", "ENVIRONMENT", Environment)


def open_environments(
    names: Sequence[str], sources: EnvironmentSources, now: str | None = None, language: str = "en"
) -> Registry:
    """Return one registry with the functions of all named environments, for one question. Raises BenchError if a name is
    unknown or `now` is not a time."""
    if now is not None and not _TIME.match(now):
        raise BenchError(f"{now[:40]!r} is not a time: write it as 2026-11-22, or 2026-11-22T10:30.")
    if not names:
        raise BenchError(f"No environment is named: name at least one of {', '.join(environments())}.")
    registries = [pick(environments(), name, "environment").open(sources, now, language) for name in dict.fromkeys(names)]
    return registries[0] if len(registries) == 1 else join_registries(registries)
