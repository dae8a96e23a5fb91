"""Ask the questions and absence twins of a run that have no answer yet, and store each answer as soon as it arrives."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.agent import Completion, Sampling
from core.as_json import Json
from core.cancellation import cancel_when
from core.errors import AgentError
from core.nouns import Prompt, Run, Trace
from eval.conversations.history import EARLIER_FAILED, find_turn, group_rounds, make_unasked_trace
from eval.conversations.user import UserState
from eval.reports.latency import DEFAULT_PROBE_WIDTH, SAMPLE_INDEX
from eval.running.hiding import build_twin_question, hide_passages
from eval.running.retrieval import make_tools
from eval.running.runner import ENGINE_STOP, answer_all
from eval.system import AskInRun, Question, SystemAdapter, Tools
from store.runs import run_pages, runs, twin_traces
from workbench.evaluate.running.run_conversations import SETTINGS
from workbench.evaluate.running.run_identity import LOAD_SETTINGS
from workbench.evaluate.running.run_preparation import PreparedRun, RunJob
from workbench.setup.agents import BoundAgent
from workbench.stream import store_as_they_come

DEFAULT_WIDTH = 8
"""Number of questions that a system without an agent answers at the same time."""


class RunAnswers:
    """Asks the questions and absence twins of one repetition of a run."""

    def __init__(
        self, job: RunJob, prepared: PreparedRun, run: Run, answered_prompts: Collection[str], cancel: asyncio.Event
    ) -> None:
        """`answered_prompts` are the prompts to which the run has a reply; `cancel` ends the asking."""
        self._job, self._prepared, self._run, self._cancel = job, prepared, run, cancel
        own, agent = prepared.adapter.settings, prepared.agent
        self._settings: Mapping[str, Any] = {
            key: value
            for key, value in job.own_settings.items()
            if key not in (*LOAD_SETTINGS, *SETTINGS, "query") or key in own
        }
        self._width = int(job.own_settings.get("concurrency") or (agent.run_width if agent else DEFAULT_WIDTH))
        self._tools = make_tools(
            prepared.content.documents,
            prepared.retrieval.searches,
            _build_ask(job, agent, run.repetition, answered_prompts) if agent else None,
            agent.context if agent else None,
            prepared.retrieval.own,
            job.cache_embedders(job.control.say),
            agent.look if agent else None,
            prepared.functions,
        )

    async def ask_questions(self, missing: Sequence[Question], failed: int) -> None:
        """Ask the missing questions. `failed` is the number of questions that failed before, which are not asked again. Raises
        RunStopped if the run has to stop before the last question."""
        job, prepared, run = self._job, self._prepared, self._run
        control, build, settings = job.control, prepared.build, self._settings
        total = len(prepared.shard)
        if missing:
            tools = self._tools(missing[0])
            settings = await build.load_settings(prepared.questions, tools, settings, self._width, control, self._cancel)
        if prepared.index_seconds is not None or build.record():
            seconds = (prepared.index_seconds or 0.0) + build.seconds
            run_pages.note_build(job.database, job.id, run.id, seconds, build.record())
        if not missing:
            return
        if job.is_probe:
            await asyncio.to_thread(_warm_up, missing, self._tools)
        answered = total - len(missing) - failed

        def store(traces: list[Trace]) -> None:
            nonlocal answered, failed
            runs.add_traces(job.database, traces)
            failures = sum(trace.answer is None for trace in traces)
            failed += failures
            answered += len(traces) - failures
            control.say(f"{job.params['system']}: {answered} of {total} answered" + (f", {failed} failed" if failed else ""))

        at_once = int(job.own_settings.get("concurrency") or DEFAULT_PROBE_WIDTH) if job.is_probe else self._width
        run_pages.note_window(job.database, job.id, run.id, at_once)
        for questions in group_rounds(missing):
            await self._ask_round(questions, settings, at_once, store)

    async def _ask_round(
        self, questions: Sequence[Question], settings: Mapping[str, Any], at_once: int, store: Callable[[list[Trace]], None]
    ) -> None:
        """Ask questions of which no two are turns of the same conversation, after the turns before."""
        talks, run = self._prepared.conversations, self._run.id
        adapter, placed, states = self._prepared.adapter, list(questions), dict[str, UserState]()
        if any(map(find_turn, questions)):
            traces = self._load_own_traces()
            if talks.has_user:
                states = {one.item: state for one in questions if (state := talks.read_state(one, traces))}
                adapter = talks.add_user(adapter, states, self._run.repetition)
                ready = [one if one.item in states else None for one in questions]
            else:
                ready = [talks.place(one, traces) for one in questions]
            placed = [one for one in ready if one]
            if unasked := [make_unasked_trace(one, run) for one, other in zip(questions, ready, strict=True) if other is None]:
                store(unasked)
        if placed:
            await self._ask(placed, self._tools, settings, run, at_once, store, self._job.control.say, adapter)

    def _load_own_traces(self) -> dict[str, Trace]:
        """Return a dict from item to the trace of its own question."""
        stored = runs.load_traces(self._job.database, self._run.id)
        return {trace.item: trace for trace in stored if trace.variant is None}

    async def ask_twins(self) -> None:
        """Ask the absence twins that have no answer yet. Raises RunStopped if the run has to stop before the last twin."""
        job, prepared, run = self._job, self._prepared, self._run
        control, twins = job.control, prepared.twins
        if not twins:
            return
        twin_traces.note_applicability(job.database, job.id, run.id, prepared.without_twins)
        if prepared.without_twins:
            control.say(f"{len(twins)} absence twins are not asked: {prepared.without_twins}.")
            return
        stored = twin_traces.load_traces(job.database, run.id)
        kept = {item for item, trace in stored.items() if not is_asked_again(trace, job.params)}
        originals = [question for question in prepared.shard if question.variant is None and question.item in twins]
        missing = [question for question in originals if question.item not in kept]
        if any(map(find_turn, missing)):
            traces = self._load_own_traces()
            missing = [one for question in missing if (one := prepared.conversations.place(question, traces))]
        missing = list(map(build_twin_question, missing))
        if not missing:
            return
        done = len(originals) - len(missing)

        def store(traces: list[Trace]) -> None:
            nonlocal done
            runs.add_traces(job.database, traces)
            done += len(traces)
            control.say(f"{job.params['system']}: {done} of {len(originals)} absence twins asked")

        tools = hide_passages(self._tools, twins)
        await self._ask(missing, tools, self._settings, twin_traces.name_key(run.id), self._width, store)

    def describe_twins(self) -> dict[str, Json]:
        """Return the numbers of the run's absence twins and of their answers, and why they are not asked, if they are not."""
        twins = self._prepared.twins
        stored = [trace for item, trace in twin_traces.load_traces(self._job.database, self._run.id).items() if item in twins]
        answered = sum(trace.answer is not None for trace in stored)
        return {
            "twins": len(twins),
            "answered": answered,
            "failed": len(stored) - answered,
            "why": self._prepared.without_twins,
        }

    async def _ask(
        self,
        questions: Sequence[Question],
        tools: Callable[[Question], Tools],
        settings: Mapping[str, Any],
        key: str,
        at_once: int,
        store: Callable[[list[Trace]], None],
        report_progress: Callable[[str], None] | None = None,
        adapter: SystemAdapter | None = None,
    ) -> None:
        """Let the system (by default the run's) answer the questions, `at_once` at the same time, and store the traces under
        the run's key `key`."""
        answers = answer_all(
            questions,
            adapter or self._prepared.adapter,
            settings,
            tools,
            run_id=key,
            concurrency=at_once,
            timeout=self._job.own_settings.get("item_timeout"),
            cancel=self._cancel,
            report_progress=report_progress,
        )
        with cancel_when(lambda: self._job.control.stopping):
            await store_as_they_come(answers, store)


def is_asked_again(trace: Trace, params: Mapping[str, Any]) -> bool:
    """Return whether the question of a stored trace is asked again: the question failed, and either the search engine or an
    earlier turn was the reason, or the job repeats all failed questions. The old trace stays until the new trace is stored."""
    return trace.answer is None and (bool(params.get("retry_failed")) or trace.stop in (ENGINE_STOP, EARLIER_FAILED))


def _build_ask(job: RunJob, agent: BoundAgent, repetition: int, answered_prompts: Collection[str]) -> AskInRun:
    """Return the function with which the system asks the agent. A resumed job that asks failed questions again does not repeat
    requests that failed since the job began; otherwise the job would stop at the same requests at every start."""
    ask = agent.ask_unless_failed if job.params.get("retry_failed") else agent.ask
    return _sample_anew(_refuse_alone(ask, answered_prompts), repetition + (SAMPLE_INDEX if job.is_probe else 0))


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
