"""What an environment is: the functions that are open to a system or a template, over the documents and tables of a workspace.
One environment a file in eval/environments/, its constant ENVIRONMENT."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.catalog import catalog, pick
from core.errors import BenchError
from core.functions.functions import Registry, join_registries
from core.nouns import Document
from core.tables.names import NameIndex
from core.tables.world import Tables
from eval.retriever import Search

_TIME = re.compile(r"\d{4}(-\d\d(-\d\d([T ]\d\d:\d\d.*)?)?)?$")


class EnvironmentSources:
    """What environments stand on: made once, opened for every question. What is derived from it (the titles' index) is made at
    first use and kept."""

    def __init__(
        self,
        documents: Sequence[Document] = (),
        tables: Tables | None = None,
        search: Search | None = None,
        is_of_question: bool = False,
    ) -> None:
        """`search` = passages of the documents for a query, None = titles alone are searched; `is_of_question` = they are one
        question's own documents, of which there may be none."""
        self.documents, self.tables, self.search = documents, tables if tables is not None else Tables(), search
        self.is_of_question = is_of_question

    @cached_property
    def titles(self) -> NameIndex:
        return NameIndex([document.title for document in self.documents])

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Document id -> its place."""
        return {document.id: place for place, document in enumerate(self.documents)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Environment:
    """One kind of functions. Its name is its file's name."""

    label: str
    open: Callable[[EnvironmentSources, str | None, str], Registry]
    """(ground, now, language) -> the functions for one question. Raises BenchError when the ground has nothing for it."""


def environments() -> Mapping[str, Environment]:
    """Every environment by name."""
    return catalog("eval.environments", "ENVIRONMENT", Environment)


def open_environments(
    names: Sequence[str], ground: EnvironmentSources, now: str | None = None, language: str = "en"
) -> Registry:
    """The functions of one environment, or of several together. Raises BenchError on a name that there is none of."""
    if now is not None and not _TIME.match(now):
        raise BenchError(f"The time {now[:40]!r} is none: write it as 2026-11-22, or 2026-11-22T10:30.")
    if not names:
        raise BenchError(f"No environment is named: there are {', '.join(environments())}.")
    registries = [pick(environments(), name, "environment").open(ground, now, language) for name in dict.fromkeys(names)]
    return registries[0] if len(registries) == 1 else join_registries(registries)
