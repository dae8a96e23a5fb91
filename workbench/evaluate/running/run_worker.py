"""Do the work of a run's job: prepare the run, ask the questions that have no answer yet, and score the answers that have no
score yet. Every repetition is a separate run."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from agents.kind import needs_no_model
from core.agent import Completion, Sampling
from core.as_json import Json
from core.cancellation import Cancelled, cancel_when
from core.catalog import pick
from core.errors import AgentError
from core.functions.functions import Registry
from core.ids import Shard
from core.model_uses import collect_model_uses, list_model_uses
from core.nouns import Document, Prompt, Run, Trace
from core.retrieval.absence import AbsenceTwin
from core.retrieval.index_files import IndexFiles
from eval.reports.latency import DEFAULT_PROBE_WIDTH, SAMPLE_INDEX, is_probe
from eval.retriever import RetrieverContext, retrievers
from eval.running.building import BuildResult, build_system
from eval.running.hiding import build_twin_question, explain_inapplicable, hide_passages
from eval.running.retrieval import PreparedRetrieval, make_tools, prepare_retrieval
from eval.running.runner import ENGINE_STOP, RunStopped
from eval.running.runner import answer_all as answer_all
from eval.system import AskInRun, Question, SystemAdapter, Tools, systems
from store.engine.database import Database
from store.jobs import jobs
from store.ledger.budget import Budget
from store.releases.releases import ReleaseMembers
from store.runs import run_pages, runs, twin_traces
from store.runs.runs import QuestionKey
from workbench import settings as keys
from workbench.control import Control
from workbench.evaluate.running.questions import build_question, list_shard_questions, place_questions
from workbench.evaluate.running.run_functions import (
    build_function_opener,
    describe_wide_search,
    list_own_inputs,
    read_environments,
)
from workbench.evaluate.running.run_identity import LOAD_SETTINGS, build_config, build_run, prompts_of
from workbench.evaluate.running.run_progress import RunStart
from workbench.evaluate.running.run_shots import draw_shots
from workbench.evaluate.running.run_tables import ReadTables, RunTables, read_noise
from workbench.evaluate.scoring.scores import cache_embedders, score_run
from workbench.setup.agents import ENVIRONMENT, Agents, BoundAgent
from workbench.stream import store_as_they_come

INDEXING = "Stopped while the index was built: the embeddings so far are kept."
EMBEDDING = "Stopped while answers were embedded: the scores so far are kept."
DEFAULT_WIDTH = 8
"""Number of questions that a system without an agent answers at the same time."""


class CorpusBuild:
    """What a system builds from the corpus before the first question, such as a graph of entities. The build runs once for all
    repetitions, when its result is first needed."""

    def __init__(self, adapter: SystemAdapter, documents: Sequence[Document], agent: BoundAgent | None) -> None:
        self._adapter, self._agent, self._documents = adapter, agent, documents
        self._built: BuildResult | None = None

    async def load_settings(
        self,
        questions: Sequence[Question],
        tools: Tools,
        settings: Mapping[str, Any],
        width: int,
        control: Control,
        cancel: asyncio.Event,
    ) -> Mapping[str, object]:
        """Run the build if it has not run yet, and return the settings with which the system then answers. Raises RunStopped if
        the build ends early."""
        if self._built is None:
            languages = {question.language for question in questions}
            documents = [document for document in self._documents if document.language in languages]
            ask = self._agent.ask if self._agent else None
            own = replace(tools, ask=ask, retrieve=None, report_progress=control.say, width=width)
            self._built = await build_system(self._adapter, documents, own, settings, cancel)
        return settings if self._built is None else self._built.settings

    @property
    def seconds(self) -> float:
        return 0.0 if self._built is None else self._built.seconds

    def record(self) -> dict[str, Json] | None:
        """Return a record of the build's cost, or None if nothing was built."""
        return None if self._built is None else self._built.record()


@dataclass(frozen=True, slots=True)
class _PreparedRun:
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
    without_twins: str
    """Why the absence twins are not asked, in a sentence fragment; "" if they are."""
    config: Callable[[int], dict[str, Any]]
    """Returns the whole configuration of the repetition with the given number, from 0."""


class RunWorker:
    """Does the work of one run for a job: answers and scores all repetitions."""

    def __init__(
        self,
        database: Database,
        agents: Agents,
        starts: dict[str, RunStart],
        job: str,
        params: Mapping[str, Any],
        control: Control,
    ) -> None:
        """Create the worker for the job's run. `starts` is a dict from job to RunStart, with an entry while the run answers
        questions."""
        self._db, self._ledger, self._agents, self._starts = database, agents.ledger, agents, starts
        self._job, self._params, self._control = job, params, control
        self._own: Mapping[str, Any] = keys.select_own(params["settings"])
        self._is_probe = is_probe(self._own)
        self._endpoints = agents.connect_models(params["settings"])
        self._open_engines = ExitStack()

    async def work(
        self, content: ReleaseMembers, read_tables: ReadTables, budget: Budget, set_total: Callable[[int], None]
    ) -> dict[str, Json]:
        """Answer and score every repetition; return the result that the command prints as JSON. `set_total` is called with the
        number of answers of the run if that is lower than requested."""
        params = self._params
        self._endpoints = self._agents.connect_models(
            params["settings"], budget=budget, job=self._job, pinned=params.get("embeddings")
        )
        bind = partial(self._agents.bind, settings=params["settings"], budget=budget, job=self._job, pinned=params.get("saved"))
        agent = bind(params["agent"], documents=lambda: content.retrieval) if params["agent"] else None
        judges = [bind(name, owner="judge") for name in params["judges"]]
        bound = [*judges, *([agent] if agent else [])]
        results: list[dict[str, Any]] = []
        try:
            with collect_model_uses() as uses:
                prepared = await self._prepare(content, agent, judges, read_tables)
                if isinstance(prepared, RunStopped):
                    return self._describe_end(None, [], 0, prepared)
                if prepared.retrieval.not_run or params.get("shard"):
                    set_total(len(prepared.shard) * params["repeat"])
                for repetition in range(params["repeat"]):
                    results.append(await self._repeat(prepared, repetition))
                    run_pages.note_models(self._db, self._job, results[-1]["run"], list_model_uses(uses))
                    if results[-1]["stopped"] not in (None, "batch"):
                        break
        finally:
            for agent in bound:
                await agent.close()
            await asyncio.to_thread(self._open_engines.close)
        return results[0] if len(results) == 1 else _merge_results(results)

    async def _prepare(
        self, content: ReleaseMembers, agent: BoundAgent | None, judges: Sequence[BoundAgent], read_tables: ReadTables
    ) -> "_PreparedRun | RunStopped":
        """Return the parts that all repetitions share, or a RunStopped with the reason why the index was not finished."""
        params, own, adapter = self._params, self._own, pick(systems(), self._params["system"], "system")
        query = own.get("query", "")
        shard = Shard(*params["shard"]) if params.get("shard") else None
        placed = place_questions(content, params["variants"], params["sample"], params["seed"])
        if shard is None or content.tables:
            questions = [build_question(item, variant, query) for item, variant in placed]
        else:
            questions = list_shard_questions(placed, shard, query)
        began = time.perf_counter()
        try:
            with cancel_when(lambda: self._control.stopping):
                retrieval = await asyncio.to_thread(self._index, content, questions)
        except RunStopped as stop:
            return stop
        except Cancelled:
            return RunStopped(INDEXING, reason="cancelled")
        index_seconds = time.perf_counter() - began if params["retriever"] else None
        counts = Counter(place.item.language for place in placed)
        not_run = tuple({**row, "n": counts[row["language"]]} for row in retrieval.not_run)
        environments = read_environments(adapter, own)
        tables = RunTables(content, read_tables, "tables" in environments, read_noise(own, environments))
        hashes = await asyncio.to_thread(tables.hash_tables, [question.item for question in questions])
        has_own = any(question.given for question in questions)
        if wide := describe_wide_search(adapter, own, params["retriever"], has_own):
            self._control.say(wide)
        functions = build_function_opener(environments, content, retrieval, tables.world_of)
        left_out = {row["language"] for row in not_run}
        questions = [question for question in questions if question.language not in left_out]
        held = {item.id: item.question for item in content.items}
        questions, shots = await asyncio.to_thread(draw_shots, self._db, held, questions, adapter, own)
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
        without_twins = "a latency probe asks no absence twins" if self._is_probe else ""
        without_twins = without_twins or explain_inapplicable(adapter, params["retriever"])
        return _PreparedRun(
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
            twins={twin.item: twin for twin in content.twins if twin.item in asked_items},
            without_twins=without_twins,
            config=config,
        )

    def _index(self, content: ReleaseMembers, questions: Sequence[Question]) -> PreparedRetrieval:
        if self._params["retriever"] is None:
            return PreparedRetrieval({}, (), {})

        def tell(message: str) -> None:
            self._control.say(message)
            if self._control.look():
                raise RunStopped(INDEXING, reason="cancelled")

        retriever = pick(retrievers(), self._params["retriever"], "retriever")
        embedders = cache_embedders(self._db, tell, self._endpoints, keeps_one=not self._is_probe)
        reranker = self._endpoints.load_reranker
        means = RetrieverContext(
            embedder=embedders,
            reranker=reranker,
            files=index_files_of(self._db),
            report_progress=tell,
            engine_folder=find_engine_folder(self._db),
            environment=ENVIRONMENT.get(),
            close_later=self._open_engines.callback,
        )
        return prepare_retrieval(content.retrieval, questions, retriever, self._own, means, expects=not self._is_probe)

    async def _repeat(self, prepared: _PreparedRun, repetition: int) -> dict[str, Json]:
        """Answer and score one repetition: only questions without an answer are asked, and only answers without a score are
        scored."""
        control, judges, agent = self._control, prepared.judges, prepared.agent
        run = build_run(self._params, prepared.config(repetition), self._offline_marks(prepared))
        wanted = {(question.item, question.variant) for question in prepared.shard}
        runs.create(self._db, run, prepared.asked)
        jobs.note_run(self._db, self._job, run.id)
        stored = {(trace.item, trace.variant): trace for trace in runs.load_traces(self._db, run.id)}
        kept = {key: trace for key, trace in stored.items() if not (key in wanted and self._is_asked_again(trace))}
        missing = [question for question in prepared.shard if (question.item, question.variant) not in kept]
        failed = sum(trace.answer is None for key, trace in kept.items() if key in wanted)
        answered_prompts = {step.text for trace in stored.values() for step in trace.steps if step.kind == "call"}
        self._starts[self._job] = RunStart(run.id, len(wanted & stored.keys()))
        cancel, end = asyncio.Event(), None
        deferred: RunStopped | None = None
        watcher = asyncio.create_task(_watch_for_cancel(control, cancel))
        try:
            try:
                await self._answer(prepared, run, missing, failed, answered_prompts, cancel)
            except RunStopped as stop:
                if stop.reason != "batch":
                    raise
                deferred = stop  # judge what is answered already, so that both wait for one batch
            self._starts.pop(self._job, None)
            try:
                await self._answer_twins(prepared, run, answered_prompts, cancel)
            except RunStopped as stop:
                if stop.reason == "cancelled":
                    raise
                deferred = deferred or stop  # the answers to the questions themselves are scored all the same
            with cancel_when(lambda: control.stopping):
                await score_run(
                    self._db,
                    run,
                    self._params,
                    prepared.shard,
                    prepared.content,
                    judges,
                    control,
                    cancel,
                    self._endpoints,
                )
        except RunStopped as stop:
            end = stop
        except Cancelled:
            end = RunStopped(EMBEDDING, reason="cancelled")
        finally:
            watcher.cancel()
            for bound in (*judges, *([agent] if agent else [])):
                await bound.drain()
        traces = [trace for trace in runs.load_traces(self._db, run.id) if (trace.item, trace.variant) in wanted]
        if end is None or end.reason == "batch":
            end = deferred or end
        result = self._describe_end(run, traces, len(kept), end, prepared.retrieval.not_run)
        return result | ({"absence": self._describe_twins(prepared, run)} if prepared.twins else {})

    def _describe_twins(self, prepared: _PreparedRun, run: Run) -> dict[str, Json]:
        """Return the numbers of the run's absence twins and of their answers, and why they are not asked, if they are not."""
        stored = [trace for item, trace in twin_traces.load_traces(self._db, run.id).items() if item in prepared.twins]
        answered = sum(trace.answer is not None for trace in stored)
        return {
            "twins": len(prepared.twins),
            "answered": answered,
            "failed": len(stored) - answered,
            "why": prepared.without_twins,
        }

    def _is_asked_again(self, trace: Trace) -> bool:
        """Return whether the question of a stored trace is asked again: the question failed, and either the search engine was
        the reason or the job repeats all failed questions. The old trace stays until the new trace is stored."""
        return trace.answer is None and (bool(self._params.get("retry_failed")) or trace.stop == ENGINE_STOP)

    async def _answer(
        self,
        prepared: _PreparedRun,
        run: Run,
        missing: Sequence[Question],
        failed: int,
        answered_prompts: Collection[str],
        cancel: asyncio.Event,
    ) -> None:
        """Answer the missing questions and store each answer as soon as it arrives. `failed` is the number of questions that
        failed before, which are not asked again; `answered_prompts` are the prompts to which the run has a reply. Raises
        RunStopped if the run has to stop before the last question."""
        control, build = self._control, prepared.build
        total = len(prepared.shard)
        tools, settings = self._make_tools(prepared, run, answered_prompts), self._list_system_settings(prepared)
        width = self._width(prepared)
        at_once = int(self._own.get("concurrency") or DEFAULT_PROBE_WIDTH) if self._is_probe else width
        if missing:
            settings = await build.load_settings(prepared.questions, tools(missing[0]), settings, width, control, cancel)
        if prepared.index_seconds is not None or build.record():
            seconds = (prepared.index_seconds or 0.0) + build.seconds
            run_pages.note_build(self._db, self._job, run.id, seconds, build.record())
        if not missing:
            return
        if self._is_probe:
            await asyncio.to_thread(_warm_up, missing, tools)
        answered = total - len(missing) - failed

        def store(traces: list[Trace]) -> None:
            nonlocal answered, failed
            runs.add_traces(self._db, traces)
            failures = sum(trace.answer is None for trace in traces)
            failed += failures
            answered += len(traces) - failures
            control.say(f"{self._params['system']}: {answered} of {total} answered" + (f", {failed} failed" if failed else ""))

        answers = answer_all(
            missing,
            prepared.adapter,
            settings,
            tools,
            run_id=run.id,
            concurrency=at_once,
            timeout=self._own.get("item_timeout"),
            cancel=cancel,
            report_progress=control.say,
        )
        run_pages.note_window(self._db, self._job, run.id, at_once)
        with cancel_when(lambda: control.stopping):
            await store_as_they_come(answers, store)

    async def _answer_twins(
        self, prepared: _PreparedRun, run: Run, answered_prompts: Collection[str], cancel: asyncio.Event
    ) -> None:
        """Ask the absence twins that have no answer yet, and store each answer as soon as it arrives. Raises RunStopped if the
        run has to stop before the last twin."""
        control, twins = self._control, prepared.twins
        if not twins:
            return
        twin_traces.note_applicability(self._db, self._job, run.id, prepared.without_twins)
        if prepared.without_twins:
            control.say(f"{len(twins)} absence twins are not asked: {prepared.without_twins}.")
            return
        stored = twin_traces.load_traces(self._db, run.id)
        kept = {item for item, trace in stored.items() if not self._is_asked_again(trace)}
        originals = [question for question in prepared.shard if question.variant is None and question.item in twins]
        missing = [build_twin_question(question) for question in originals if question.item not in kept]
        if not missing:
            return
        done = len(originals) - len(missing)

        def store(traces: list[Trace]) -> None:
            nonlocal done
            runs.add_traces(self._db, traces)
            done += len(traces)
            control.say(f"{self._params['system']}: {done} of {len(originals)} absence twins asked")

        answers = answer_all(
            missing,
            prepared.adapter,
            self._list_system_settings(prepared),
            hide_passages(self._make_tools(prepared, run, answered_prompts), twins),
            run_id=twin_traces.name_key(run.id),
            concurrency=self._width(prepared),
            timeout=self._own.get("item_timeout"),
            cancel=cancel,
        )
        with cancel_when(lambda: control.stopping):
            await store_as_they_come(answers, store)

    def _make_tools(self, prepared: _PreparedRun, run: Run, answered_prompts: Collection[str]) -> Callable[[Question], Tools]:
        """Return the function that makes the tools with which the system answers a question."""
        agent = prepared.agent
        return make_tools(
            prepared.content.documents,
            prepared.retrieval.searches,
            self._build_ask(agent, run.repetition, answered_prompts) if agent else None,
            agent.context if agent else None,
            prepared.retrieval.own,
            cache_embedders(self._db, self._control.say, self._endpoints, keeps_one=not self._is_probe),
            agent.look if agent else None,
            prepared.functions,
        )

    def _list_system_settings(self, prepared: _PreparedRun) -> Mapping[str, Any]:
        own = prepared.adapter.settings
        return {key: value for key, value in self._own.items() if key not in (*LOAD_SETTINGS, "query") or key in own}

    def _width(self, prepared: _PreparedRun) -> int:
        """Return how many questions are asked at the same time."""
        return int(self._own.get("concurrency") or (prepared.agent.run_width if prepared.agent else DEFAULT_WIDTH))

    def _build_ask(self, agent: BoundAgent, repetition: int, answered_prompts: Collection[str]) -> AskInRun:
        """Return the function with which the system asks the agent. A resumed job that asks failed questions again does not
        repeat requests that failed since the job began; otherwise the job would stop at the same requests at every start."""
        ask = agent.ask_unless_failed if self._params.get("retry_failed") else agent.ask
        return _sample_anew(_refuse_alone(ask, answered_prompts), repetition + (SAMPLE_INDEX if self._is_probe else 0))

    def _offline_marks(self, prepared: _PreparedRun) -> list[str]:
        """Return which of the run's steps "draft", "answer" and "judge" were done by the offline agent, which uses no model."""
        marks = {
            "draft": any(needs_no_model(item.provenance.agent) for item in prepared.content.items),
            "answer": bool(prepared.agent and prepared.agent.is_offline),
            "judge": any(map(needs_no_model, self._params["judges"])),
        }
        return [name for name, is_offline in marks.items() if is_offline]

    def _describe_end(
        self,
        run: Run | None,
        traces: Sequence[Trace],
        reused: int,
        end: RunStopped | None,
        not_run: Sequence[Mapping[str, Any]] = (),
    ) -> dict[str, Json]:
        """Return the result that the command prints as JSON. The field `run` of the result is None if the work ended before the
        run's identity was known."""
        return {
            "run": run.id if run else None,
            "identity": run.identity if run else None,
            "system": self._params["system"],
            "release": self._params["release"],
            "answered": sum(trace.answer is not None for trace in traces),
            "failed": sum(trace.answer is None for trace in traces),
            "reused": reused,
            **self._ledger.describe_spending(self._job),
            "seconds": sum((trace.seconds for trace in traces if trace.seconds is not None), 0.0),
            "stopped": end.reason if end else None,
            "message": str(end) if end else "",
            "not_run": [dict(row) for row in not_run],
            "offline": list(run.offline) if run else [],
            "first_failure": next((trace.error for trace in traces if trace.answer is None and trace.error), None),
        }


def index_files_of(database: Database) -> IndexFiles | None:
    """Return where a workspace's search indexes are stored: in a folder beside the workspace file, or None for a workspace in
    memory."""
    return IndexFiles(database.locate_folder("indexes")) if database.path else None


def find_engine_folder(database: Database) -> Path | None:
    """Return the folder beside the workspace file for embedded search engines, or None for a workspace in memory."""
    return database.locate_folder("engines") if database.path else None


def _sample_anew(ask: AskInRun, index: int) -> AskInRun:
    """Return a function that asks the agent on behalf of one repetition, so that each repetition gets its own sampled reply to
    the same request."""

    async def ask_sample(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        return await ask(prompt, inputs, replace(sampling, index=index))

    return ask_sample if index else ask


def _refuse_alone(ask: AskInRun, answered_prompts: Collection[str]) -> AskInRun:
    """Return a function that asks the agent. If the endpoint refuses a request although the run has a reply to the same prompt,
    only the question fails, not the job. The ledger applies the same rule to the replies of one job; this function also
    considers replies from earlier jobs."""

    async def ask_alone(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        try:
            return await ask(prompt, inputs, sampling)
        except AgentError as error:
            if error.may_be_its_own and prompt.identity in answered_prompts:
                error.stops_job = False
            raise

    return ask_alone


def _warm_up(questions: Sequence[Question], tools_for: Callable[[Question], Tools]) -> None:
    """Search once in each language, so that the first question's time does not include the loading of a model."""
    for question in {question.language: question for question in reversed(questions)}.values():
        retrieve = tools_for(question).retrieve
        if retrieve is not None:
            retrieve(question.query, 1)


async def _watch_for_cancel(control: Control, cancel: asyncio.Event) -> None:
    """Set the event `cancel` when this process or another process cancels the job."""
    while not await asyncio.to_thread(control.look):
        await asyncio.sleep(0.2)
    cancel.set()


def _merge_results(results: Sequence[dict[str, Any]]) -> dict[str, Json]:
    """Return one result for all repetitions: the names of the first run, summed numbers, the reason why the last run ended, and
    the ids of all runs."""
    sums = {key: sum(result[key] for result in results) for key in ("answered", "failed", "reused", "seconds")}
    last = {key: results[-1][key] for key in ("calls", "cost_usd", "stopped", "message")}
    if last["stopped"] is None:  # an earlier repetition may wait for its batch
        last |= next(({key: r[key] for key in ("stopped", "message")} for r in results if r["stopped"]), {})
    return {**results[0], **sums, **last, "runs": [result["run"] for result in results]}
