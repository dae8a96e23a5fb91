"""Provide the functions that a workflow can call for a question. The environments that the run's settings name define these
functions. The functions read the question's own web pages. For a question without web pages, they read the release's documents
in the question's language. The functions also read the item's tables, as they were at the time at which the question is
asked."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from core.catalog import pick
from core.functions.functions import Registry
from core.quality.crag import find_query_time
from core.tables.world import Tables
from core.text.language import may_match
from eval.environment import EnvironmentSources, environments, open_environments
from eval.running.retrieval import PreparedRetrieval
from eval.settings import Settings
from eval.system import Question, SystemAdapter
from store.releases.releases import ReleaseMembers

MAX_REGISTRIES = 64
"""Maximum number of sets of functions that are kept open. Questions with the same language, tables and time share one set of
functions."""


def read_environments(adapter: SystemAdapter, settings: Mapping[str, Any]) -> list[str]:
    """Return the names of the run's environments; empty if the system calls no functions. Raises BenchError if a name is
    unknown."""
    if not adapter.needs_functions:
        return []
    names = [name.strip() for name in adapter.settings["environment"].read(settings, "environment").split(",")]
    for name in names:
        pick(environments(), name, "environment")
    return names


def list_own_inputs(adapter: SystemAdapter, questions: Sequence[Question], prepared: PreparedRetrieval) -> list[str]:
    """Return the names of the inputs that a workflow gets anew for each question: `pages` (the question's own pages) and `time`
    (the question's time). The names of these inputs are part of the run's identity."""
    if not adapter.needs_functions:
        return []
    return [*(["pages"] if prepared.given else []), *(["time"] if any(question.now for question in questions) else [])]


def describe_wide_search(adapter: SystemAdapter, settings: Settings, retriever: str | None, has_own: bool) -> str | None:
    """Return a sentence that warns that a workflow searches more than the documents of each question, or None if it does not.
    `has_own` says whether each question has its own documents, as in CRAG."""
    if retriever is not None or not has_own or "documents" not in read_environments(adapter, settings):
        return None
    return (
        f"{adapter.label} searches all documents of the release, also those of other questions: add --retriever "
        "given_pages to search only each question's own documents."
    )


def build_function_opener(
    names: list[str], content: ReleaseMembers, prepared: PreparedRetrieval, tables_of: Callable[[str], Tables]
) -> Callable[[Question], Registry] | None:
    """Return a function that creates the functions that a system can call for a question, with the tables of the question's
    item; None if the run names no environment. The returned function raises BenchError if an environment lacks its data
    source."""
    tables_by_id: dict[int, Tables] = {}

    @cache
    def shared_sources(language: str, tables_id: int) -> EnvironmentSources:
        documents = [document for document in content.retrieval if may_match(document.language, language)]
        return EnvironmentSources(documents, tables_by_id[tables_id], prepared.searches.get(language))

    @lru_cache(maxsize=MAX_REGISTRIES)
    def shared_functions(language: str, tables_id: int, now: str | None) -> Registry:
        return open_environments(names, shared_sources(language, tables_id), now, language)

    def open_functions(question: Question) -> Registry:
        moment, tables = find_query_time(question.labels), tables_of(question.item)
        now = moment.isoformat() if moment else None
        if prepared.given and prepared.own:
            sources = EnvironmentSources(prepared.given(question), tables, prepared.own(question), is_of_question=True)
            return open_environments(names, sources, now, question.language)
        tables_by_id.setdefault(id(tables), tables)
        return shared_functions(question.language, id(tables), now).start_branch()

    return open_functions if names else None
