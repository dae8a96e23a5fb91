"""The functions that a run's questions are asked with: those of the environments that its settings name, over the release's
documents in the question's language, or the question's own where the retriever searches these alone, and the tables of its
item, as of the question's time."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from core.catalog import pick
from core.functions.functions import Registry
from core.quality.crag import find_query_time
from core.tables.world import Tables
from eval.environment import EnvironmentSources, environments, open_environments
from eval.running.retrieval import PreparedRetrieval
from eval.running.settings import read_text
from eval.system import Question, SystemAdapter
from store.releases.releases import ReleaseMembers


def named(adapter: SystemAdapter, settings: Mapping[str, Any]) -> list[str]:
    """The environments of the run, [] for a system that calls no functions. Raises BenchError on a name there is none of."""
    if not adapter.needs_functions:
        return []
    names = [name.strip() for name in read_text(settings, "environment", str(adapter.settings["environment"])).split(",")]
    for name in names:
        pick(environments(), name, "environment")
    return names


def of_question(adapter: SystemAdapter, questions: Sequence[Question], prepared: PreparedRetrieval) -> list[str]:
    """What a workflow has of each question by itself, for the run's identity: its `pages`, the `time` it is asked at."""
    if not adapter.needs_functions:
        return []
    return [*(["pages"] if prepared.given else []), *(["time"] if any(question.now for question in questions) else [])]


def functions_for(
    names: list[str], content: ReleaseMembers, prepared: PreparedRetrieval, tables_of: Callable[[str], Tables]
) -> Callable[[Question], Registry] | None:
    """The functions of each question, over the tables of its item; None when none are named. Raises BenchError, when one is
    opened, where the ground has nothing for an environment."""

    @cache
    def ground(language: str, world: int) -> EnvironmentSources:
        documents = [document for document in content.retrieval if document.language == language]
        return EnvironmentSources(documents, worlds[world], prepared.searches.get(language))

    worlds: dict[int, Tables] = {}

    def open_(question: Question) -> Registry:
        moment, tables = find_query_time(question.labels), tables_of(question.item)
        worlds.setdefault(id(tables), tables)
        if prepared.given and prepared.own:
            own = EnvironmentSources(prepared.given(question), tables, prepared.own(question), is_of_question=True)
        else:
            own = ground(question.language, id(tables))
        return open_environments(names, own, moment.isoformat() if moment else None, question.language)

    return open_ if names else None
