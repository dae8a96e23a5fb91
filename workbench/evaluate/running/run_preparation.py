"""Prepare a run: what all its repetitions share, from its questions and their search index to its whole configuration."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.cancellation import Cancelled, cancel_when
from core.catalog import pick
from core.functions.functions import Registry
from core.ids import Shard
from core.retrieval.absence import AbsenceTwin
from core.retrieval.index_files import IndexFiles
from eval.reports.latency import is_probe
from eval.retriever import Embedders, RetrieverContext, retrievers
from eval.running.hiding import explain_inapplicable
from eval.running.retrieval import PreparedRetrieval, prepare_retrieval
from eval.running.runner import RunStopped
from eval.system import Question, SystemAdapter, systems
from store.engine.database import Database
from store.releases.releases import ReleaseMembers
from store.runs.runs import QuestionKey
from workbench.control import Control
from workbench.evaluate.running.corpus_build import CorpusBuild
from workbench.evaluate.running.questions import build_question, list_shard_questions, place_questions
from workbench.evaluate.running.run_conversations import SETTINGS, RunConversations, plan_conversations
from workbench.evaluate.running.run_functions import (
    build_function_opener,
    describe_wide_search,
    list_own_inputs,
    read_environments,
)
from workbench.evaluate.running.run_identity import build_config, prompts_of
from workbench.evaluate.running.run_shots import draw_shots
from workbench.evaluate.running.run_tables import ReadTables, RunTables, read_noise
from workbench.evaluate.scoring.scores import cache_embedders
from workbench.setup.agents import ENVIRONMENT, BoundAgent
from workbench.setup.model_endpoints import ModelEndpoints

INDEXING = "Stopped while the index was built: the embeddings so far are kept."


@dataclass(frozen=True, slots=True)
class RunJob:
    """A job that works on a run, and what all steps of the work need."""

    id: str
    database: Database
    params: Mapping[str, Any]
    own_settings: Mapping[str, Any]
    """Settings of the run, without those of its agents and metrics."""
    control: Control
    endpoints: ModelEndpoints
    engines: ExitStack
    """Closes, at the end of the job, the search engines that the run opens."""

    @property
    def is_probe(self) -> bool:
        """Whether the run is a latency probe."""
        return is_probe(self.own_settings)

    def cache_embedders(self, tell: Callable[[str], None]) -> Embedders:
        """Return the loader of embedding models; `tell` receives their progress."""
        return cache_embedders(self.database, tell, self.endpoints, keeps_one=not self.is_probe)


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """What all repetitions of a run share: system, release, questions, retrieval, agent and judges."""

    adapter: SystemAdapter
    content: ReleaseMembers
    asked: Sequence[QuestionKey]
    """Keys of all questions of the run, in order."""
    questions: Sequence[Question]
    """The questions that the run's identity depends on: all or, in a shard, its own and one of each kind that it lacks."""
    shard: Sequence[Question]
    """The questions that this job answers: all or, in a shard, the shard's own."""
    retrieval: PreparedRetrieval
    index_seconds: float | None
    """Seconds that building the index took, or None without a retriever."""
    functions: Callable[[Question], Registry] | None
    agent: BoundAgent | None
    judges: Sequence[BoundAgent]
    build: CorpusBuild
    twins: Mapping[str, AbsenceTwin]
    """A dict from item to its absence twin, for the questions of the shard that have one."""
    conversations: RunConversations
    without_twins: str
    """Why the absence twins are not asked, in a sentence fragment; "" if they are."""
    config: Callable[[int], dict[str, Any]]
    """Returns the whole configuration of the repetition with the given number, from 0."""


async def prepare_run(
    job: RunJob,
    content: ReleaseMembers,
    agent: BoundAgent | None,
    judges: Sequence[BoundAgent],
    read_tables: ReadTables,
    user_agent: BoundAgent | None = None,
) -> PreparedRun:
    """Return the parts that all repetitions share; `user_agent` plays the user of conversations. Raises RunStopped if the index
    was not finished."""
    params, own, adapter = job.params, job.own_settings, pick(systems(), job.params["system"], "system")
    query = own.get("query", "")
    shard = Shard(*params["shard"]) if params.get("shard") else None
    placed = place_questions(content, params["variants"], params["sample"], params["seed"])
    conversations = plan_conversations(content, placed, own, bool(shard or params["sample"]), user_agent)
    adapter = conversations.adapt(adapter)
    params = {**params, "settings": _replace_conversation_settings(params["settings"], conversations)}
    if shard is None or content.tables:
        questions = [build_question(item, variant, query) for item, variant in placed]
    else:
        questions = list_shard_questions(placed, shard, query)
    began = time.perf_counter()
    try:
        with cancel_when(lambda: job.control.stopping):
            retrieval = await asyncio.to_thread(_prepare_retrieval, job, content, questions)
    except Cancelled:
        raise RunStopped(INDEXING, reason="cancelled") from None
    index_seconds = time.perf_counter() - began if params["retriever"] else None
    counts = Counter(place.item.language for place in placed)
    not_run = tuple({**row, "n": counts[row["language"]]} for row in retrieval.not_run)
    environments = read_environments(adapter, own)
    tables = RunTables(content, read_tables, "tables" in environments, read_noise(own, environments))
    hashes = await asyncio.to_thread(tables.hash_tables, [question.item for question in questions])
    has_own = any(question.given for question in questions)
    if wide := describe_wide_search(adapter, own, params["retriever"], has_own):
        job.control.say(wide)
    functions = build_function_opener(environments, content, retrieval, tables.world_of)
    left_out = {row["language"] for row in not_run}
    questions = [question for question in questions if question.language not in left_out]
    held = {item.id: item.question for item in content.items}
    questions, shots = await asyncio.to_thread(draw_shots, job.database, held, questions, adapter, own)
    if functions is not None:
        for question in {(q.language, id(tables.world_of(q.item))): q for q in questions}.values():
            functions(question)  # report an environment without a source before the first question
    prompts = prompts_of(questions, adapter.prompts)
    of_question = list_own_inputs(adapter, questions, retrieval)

    def config(repetition: int) -> dict[str, Any]:
        return build_config(
            params,
            agent.identity if agent else None,
            prompts,
            not_run,
            repetition,
            tables=hashes,
            distractors=tables.distractors(),
            of_question=of_question,
            shots=shots,
        )

    build = CorpusBuild(adapter, content.retrieval, agent)
    own_questions = [question for question in questions if shard is None or shard.has_item(question.item)]
    asked_items = {question.item for question in own_questions}
    without_twins = "a latency probe asks no absence twins" if job.is_probe else ""
    without_twins = without_twins or explain_inapplicable(adapter, params["retriever"])
    return PreparedRun(
        adapter=adapter,
        content=content,
        asked=[place.key for place in placed if place.item.language not in left_out],
        questions=questions,
        shard=own_questions,
        retrieval=retrieval._replace(not_run=not_run),
        index_seconds=index_seconds,
        functions=functions,
        agent=agent,
        judges=judges,
        build=build,
        conversations=conversations,
        twins={twin.item: twin for twin in content.twins if twin.item in asked_items},
        without_twins=without_twins,
        config=config,
    )


def _replace_conversation_settings(settings: Mapping[str, Any], conversations: RunConversations) -> dict[str, Any]:
    """Return the run's settings with those about conversations as they are used, or without them if none are used."""
    return {name: value for name, value in settings.items() if name not in SETTINGS} | conversations.settings


def _prepare_retrieval(job: RunJob, content: ReleaseMembers, questions: Sequence[Question]) -> PreparedRetrieval:
    if job.params["retriever"] is None:
        return PreparedRetrieval({}, (), {})

    def tell(message: str) -> None:
        job.control.say(message)
        if job.control.look():
            raise RunStopped(INDEXING, reason="cancelled")

    retriever = pick(retrievers(), job.params["retriever"], "retriever")
    means = RetrieverContext(
        embedder=job.cache_embedders(tell),
        reranker=job.endpoints.load_reranker,
        files=index_files_of(job.database),
        report_progress=tell,
        engine_folder=find_engine_folder(job.database),
        environment=ENVIRONMENT.get(),
        close_later=job.engines.callback,
    )
    return prepare_retrieval(content.retrieval, questions, retriever, job.own_settings, means, expects=not job.is_probe)


def index_files_of(database: Database) -> IndexFiles | None:
    """Return where a workspace's search indexes are stored: in a folder beside the workspace file, or None for a workspace in
    memory."""
    return IndexFiles(database.locate_folder("indexes")) if database.path else None


def find_engine_folder(database: Database) -> Path | None:
    """Return the folder beside the workspace file for embedded search engines, or None for a workspace in memory."""
    return database.locate_folder("engines") if database.path else None
