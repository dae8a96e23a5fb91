"""The functions that a run's questions are asked with: those of the environments that its settings name, over the release's
documents in the question's language and the tables of its item, as of the question's time."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from core.catalog import pick
from core.crag import now_of
from core.functions import Registry
from core.tables.world import Tables
from eval.environment import Ground, environments, opened
from eval.retrieval import Prepared
from eval.settings import text
from eval.system import Question, SystemAdapter
from store.releases import Members


def named(adapter: SystemAdapter, settings: Mapping[str, Any]) -> list[str]:
    """The environments of the run, [] for a system that calls no functions. Raises BenchError on a name there is none of."""
    if not adapter.needs_functions:
        return []
    names = [name.strip() for name in text(settings, "environment", str(adapter.settings["environment"])).split(",")]
    for name in names:
        pick(environments(), name, "environment")
    return names


def functions_for(
    names: list[str], content: Members, prepared: Prepared, tables_of: Callable[[str], Tables]
) -> Callable[[Question], Registry] | None:  # fmt: skip
    """The functions of each question, over the tables of its item; None when none are named. Raises BenchError, when one is
    opened, where the ground has nothing for an environment."""

    @cache
    def ground(language: str, world: int) -> Ground:
        documents = [document for document in content.retrieval if document.language == language]
        return Ground(documents, worlds[world], prepared.searches.get(language))

    worlds: dict[int, Tables] = {}

    def open_(question: Question) -> Registry:
        moment, tables = now_of(question.labels), tables_of(question.item)
        worlds.setdefault(id(tables), tables)
        return opened(names, ground(question.language, id(tables)), moment.isoformat() if moment else None, question.language)

    return open_ if names else None
