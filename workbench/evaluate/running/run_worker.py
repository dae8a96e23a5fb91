"""Do the work of a run's job: prepare the run, ask the questions that have no answer yet, and score the answers that have no
score yet. Every repetition is a separate run."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from agents.kind import needs_no_model
from core.as_json import Json
from core.cancellation import Cancelled, cancel_when
from core.model_uses import collect_model_uses, list_model_uses
from core.nouns import Run, Trace
from eval.running.runner import RunStopped
from store.engine.database import Database
from store.jobs import jobs
from store.ledger.budget import Budget
from store.releases.releases import ReleaseMembers
from store.runs import run_pages, runs
from workbench import settings as keys
from workbench.control import Control
from workbench.evaluate.running.run_answers import RunAnswers, is_asked_again
from workbench.evaluate.running.run_conversations import name_user_agent
from workbench.evaluate.running.run_identity import build_run
from workbench.evaluate.running.run_preparation import PreparedRun, RunJob, prepare_run
from workbench.evaluate.running.run_progress import RunStart
from workbench.evaluate.running.run_tables import ReadTables
from workbench.evaluate.scoring.scores import score_run
from workbench.setup.agents import Agents

EMBEDDING = "Stopped while answers were embedded: the scores so far are kept."


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
        budget: Budget,
    ) -> None:
        """Create the worker for the job's run. `starts` is a dict from job to RunStart, with an entry while the run answers
        questions."""
        self._db, self._agents, self._starts, self._params, self._budget = database, agents, starts, params, budget
        endpoints = agents.connect_models(params["settings"], budget=budget, job=job, pinned=params.get("embeddings"))
        own_settings = keys.select_own(params["settings"])
        self._job = RunJob(job, database, params, own_settings, control, endpoints, ExitStack())

    async def work(self, content: ReleaseMembers, read_tables: ReadTables, set_total: Callable[[int], None]) -> dict[str, Json]:
        """Answer and score every repetition; return the result that the command prints as JSON. `set_total` is called with the
        number of answers of the run if that is lower than requested."""
        params, job = self._params, self._job
        bind = partial(
            self._agents.bind, settings=params["settings"], budget=self._budget, job=job.id, pinned=params.get("saved")
        )
        agent = bind(params["agent"], documents=lambda: content.retrieval) if params["agent"] else None
        judges = [bind(name, owner="judge") for name in params["judges"]]
        player = name_user_agent(job.own_settings, params["agent"])
        user = bind(player, owner="agent" if player == params["agent"] else "user") if player else None
        results: list[dict[str, Any]] = []
        try:
            with collect_model_uses() as uses:
                try:
                    prepared = await prepare_run(job, content, agent, judges, read_tables, user)
                except RunStopped as stop:
                    return self._describe_end(None, [], 0, stop)
                if prepared.retrieval.not_run or params.get("shard"):
                    set_total(len(prepared.shard) * params["repeat"])
                for repetition in range(params["repeat"]):
                    results.append(await self._repeat(prepared, repetition))
                    run_pages.note_models(self._db, job.id, results[-1]["run"], list_model_uses(uses))
                    if results[-1]["stopped"] not in (None, "batch"):
                        break
        finally:
            for bound in (*judges, *([agent] if agent else []), *([user] if user else [])):
                await bound.close()
            await asyncio.to_thread(job.engines.close)
        return results[0] if len(results) == 1 else _merge_results(results)

    async def _repeat(self, prepared: PreparedRun, repetition: int) -> dict[str, Json]:
        """Answer and score one repetition: only questions without an answer are asked, and only answers without a score are
        scored."""
        job, control = self._job, self._job.control
        run = build_run(self._params, prepared.config(repetition), self._offline_marks(prepared))
        wanted = {(question.item, question.variant) for question in prepared.shard}
        runs.create(self._db, run, prepared.asked)
        jobs.note_run(self._db, job.id, run.id)
        stored = {(trace.item, trace.variant): trace for trace in runs.load_traces(self._db, run.id)}
        kept = {key: trace for key, trace in stored.items() if not (key in wanted and is_asked_again(trace, self._params))}
        missing = [question for question in prepared.shard if (question.item, question.variant) not in kept]
        missing = prepared.conversations.add_later_turns(missing, prepared.shard)
        failed = sum(trace.answer is None for key, trace in kept.items() if key in wanted)
        answered_prompts = {step.text for trace in stored.values() for step in trace.steps if step.kind == "call"}
        self._starts[job.id] = RunStart(run.id, len(wanted & stored.keys()))
        cancel, end = asyncio.Event(), None
        answers = RunAnswers(job, prepared, run, answered_prompts, cancel)
        deferred: RunStopped | None = None
        watcher = asyncio.create_task(watch_for_cancel(control, cancel))
        try:
            try:
                await answers.ask_questions(missing, failed)
            except RunStopped as stop:
                if stop.reason != "batch":
                    raise
                deferred = stop  # judge what is answered already, so that both wait for one batch
            self._starts.pop(job.id, None)
            try:
                await answers.ask_twins()
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
                    prepared.judges,
                    control,
                    cancel,
                    job.endpoints,
                )
        except RunStopped as stop:
            end = stop
        except Cancelled:
            end = RunStopped(EMBEDDING, reason="cancelled")
        finally:
            watcher.cancel()
            for bound in (*prepared.judges, *([prepared.agent] if prepared.agent else [])):
                await bound.drain()
        traces = [trace for trace in runs.load_traces(self._db, run.id) if (trace.item, trace.variant) in wanted]
        if end is None or end.reason == "batch":
            end = deferred or end
        result = self._describe_end(run, traces, len(kept), end, prepared.retrieval.not_run)
        if bare := prepared.conversations.without_standalone:
            result["without_standalone"] = bare
        return result | ({"absence": answers.describe_twins()} if prepared.twins else {})

    def _offline_marks(self, prepared: PreparedRun) -> list[str]:
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
            **self._agents.ledger.describe_spending(self._job.id),
            "seconds": sum((trace.seconds for trace in traces if trace.seconds is not None), 0.0),
            "stopped": end.reason if end else None,
            "message": str(end) if end else "",
            "not_run": [dict(row) for row in not_run],
            "offline": list(run.offline) if run else [],
            "first_failure": next((trace.error for trace in traces if trace.answer is None and trace.error), None),
        }


async def watch_for_cancel(control: Control, cancel: asyncio.Event) -> None:
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
