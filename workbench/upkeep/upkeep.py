"""List and stop jobs, make backups, and check the installation (the command doctor)."""

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from core.as_json import Json
from core.errors import BenchError
from store.engine.database import Database
from store.jobs import job_pages, jobs
from store.jobs.jobs import Job
from workbench.roles import explain_refusal, requires
from workbench.settings import check_owners
from workbench.setup.agents import Agents
from workbench.setup.doctor_check import DoctorCheck
from workbench.upkeep.installation_check import check, check_installation
from workbench.upkeep.job_words import describe_end, describe_job, describe_kind

ENGINE_SETTING = "engine_"
"""Beginning of the names of settings for a search engine."""
ENDS: dict[str | None, jobs.JobState] = {
    None: "done",
    "budget": "budget",
    "endpoint": "endpoint",
    "batch": "batch",
    "cancelled": "paused",
}
"""Dict from the reason why a job stopped (None = it finished) to the job's state; a job that only Ctrl-C stopped can be
continued."""


@dataclass(frozen=True, slots=True)
class JobView:
    """The current state of a job, as the screen shows it. If `is_open` is False, parameters and costs of the job are left
    out."""

    id: str
    kind: str
    about: str
    state: str
    is_cancelling: bool
    params: Mapping[str, Json]
    budget: float | None
    done: int
    total: int | None
    calls: int
    reserved_usd: float | None
    projected_usd: float | None
    seconds: float | None
    left_seconds: float | None
    cost_usd: float | None
    message: str
    """The last progress message that the job reported."""
    created: str
    error: str | None
    result: Mapping[str, Json] | None
    """The result of the job without its long lists."""
    end: str
    is_open: bool = True

    def without_costs(self) -> "JobView":
        """Return the job without its parameters, results and costs, for people who may not see these."""
        bare = replace(self, about=describe_kind(self.kind), params={}, result=None, calls=0, cost_usd=None, budget=None)
        return replace(bare, reserved_usd=0.0, projected_usd=None, is_open=False)


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A backup: a copy of the whole workspace in one file."""

    out: str
    bytes: int


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """The results of all checks of the installation."""

    checks: Sequence[DoctorCheck]


class UpkeepStage:
    """Methods that list and stop jobs, make backups, and check the installation."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._db, self._agents = database, agents
        self._said: dict[str, str] = {}

    def jobs(self) -> list[JobView]:
        """List all jobs with their progress, newest first."""
        return self._rows(jobs.list_jobs(self._db)[::-1])

    def job(self, job: str) -> JobView:
        """Return the current state of one job."""
        return self._rows([jobs.get(self._db, job)])[0]

    def job_page(
        self, states: Sequence[str] = (), kinds: Sequence[str] = (), limit: int = 50, offset: int = 0
    ) -> tuple[list[JobView], int]:
        """Return (one page of the jobs with these states and kinds, newest first, number of all these jobs); an empty list of
        states or kinds selects all."""
        page = job_pages.load_page(self._db, states, kinds, limit, offset)
        return self._rows(page), job_pages.count(self._db, states, kinds)

    def job_kinds(self) -> list[str]:
        """Return the kinds of the stored jobs (draft, run, gates and so on)."""
        return job_pages.list_kinds(self._db)

    @requires("see costs")
    def agent_costs(self) -> list[job_pages.AgentCost]:
        """Return the cost of each agent's calls; a cost is None if it is unknown."""
        return job_pages.load_agent_costs(self._db)

    def keep_message(self, job: str, message: str) -> None:
        """Keep the job's last progress message in memory, for the screen."""
        self._said[job] = message

    def begin(self, job: str, by: str) -> str:
        """Mark the job as running; `by` says whether the app or a terminal runs it. Return the job's kind. Raises BenchError if
        the job was cancelled or does not exist."""
        jobs.begin(self._db, job, f"{by}:{socket.gethostname()}:{os.getpid()}")
        return jobs.get(self._db, job).kind

    def end(self, job: str, result: Mapping[str, Any], goes_on: bool = False) -> None:
        """Store how the job ended. With `goes_on`, a job that was interrupted is not marked as ended; `list_left_over` lists
        it, so that it is started again."""
        state = ENDS[result["stopped"]]
        if state != "done" and self.is_cancelled(job):  # even if the budget or the endpoint stopped the job before
            state = "cancelled"
        elif state == "paused" and goes_on:
            jobs.leave_for_restart(self._db, job)
            return
        jobs.end(self._db, job, state, {k: v for k, v in result.items() if k != "items"}, result.get("message"))

    def list_left_over(self) -> list[str]:
        """List the ids of the jobs that were running when the app ended, oldest first."""
        return jobs.list_left_over(self._db)

    def fail(self, job: str, message: str) -> None:
        """Mark the job as failed (or as cancelled, if a person cancelled it), with its error message."""
        jobs.end(self._db, job, "cancelled" if self.is_cancelled(job) else "failed", error=message)

    @requires("steer jobs", "job", notes=["budget"])
    def raise_budget(self, job: str, budget: float) -> None:
        """Set the total budget of the job in US dollars. Raises BenchError if the budget is not higher than the job's costs so
        far."""
        charges = self._agents.ledger.sum_charges(job)
        if not charges.usd < budget < float("inf"):
            raise BenchError(
                f"Job {job} has spent {charges.usd:.4f} USD already{charges.describe_unpriced()}: give a higher budget."
            )
        jobs.set_budget(self._db, job, budget)

    def _rows(self, rows_of_jobs: Sequence[Job]) -> list[JobView]:
        """Return the current state of each job; a few queries serve all jobs together. Parameters and costs are left out if the
        current user may not see costs, and the people of a bulk action if the user may not see who did what."""
        counted = job_pages.count_finished_pieces(self._db, [job for job in rows_of_jobs if _count_reported(job) is None])
        costs = job_pages.load_costs(self._db, [job.id for job in rows_of_jobs])
        free = job_pages.JobCost(0, 0.0)
        is_open = explain_refusal(self._db, "see costs") is None
        sees_people = explain_refusal(self._db, "see who did what") is None
        rows = []
        for job in rows_of_jobs:
            calls, cost = costs.get(job.id, free)
            reported = _count_reported(job)
            done, worked = counted[job.id] if reported is None else reported, count_seconds(job)
            row = JobView(
                id=job.id,
                kind=job.kind,
                about=describe_job(job.kind, job.params),
                state=job.state,
                is_cancelling=job.cancel and job.state == "running",
                params=job.params,
                budget=job.budget,
                done=done,
                total=job.total,
                calls=calls,
                reserved_usd=self._agents.sum_reserved(job.id),
                projected_usd=project_total(cost, done, job.total),
                seconds=worked,
                left_seconds=project_rest(worked, done, job.total) if job.state == "running" else None,
                cost_usd=cost,
                message=self._said.get(job.id, ""),
                created=job.created,
                error=job.error,
                result=shorten_result(job.result),
                end=describe_end(job.state, job.result, job.error),
            )
            is_named = job.kind == "bulk"  # its parameters name the people who asked for it and get the items
            rows.append(row if is_open and (sees_people or not is_named) else row.without_costs())
        return rows

    def is_cancelled(self, job: str) -> bool:
        return jobs.is_cancelled(self._db, job)

    @requires("steer jobs", "job")
    def find_resumable(self, job: str) -> str:
        """Return the full id of a job that can be resumed, given its id or the first characters of its id. Raises BenchError if
        the job is finished or cancelled."""
        row = jobs.get(self._db, job)
        if row.state in ("done", "cancelled"):
            raise BenchError(f"Job {row.id} is {row.state}: only an interrupted or stopped job can be resumed.")
        return row.id

    @requires("steer jobs", "job")
    def pause(self, job: str) -> str:
        """Check that the current user may stop the job, and return its full id; other code then stops it. Raises BenchError if
        the job does not exist."""
        return jobs.get(self._db, job).id

    @requires("steer jobs", "job")
    def cancel(self, job: str) -> None:
        """Cancel the job. A cancelled job stops after its running calls and can never be resumed. Raises BenchError if the job
        is finished or does not exist."""
        row = jobs.get(self._db, job)
        if row.state == "done":
            raise BenchError(f"Job {row.id} is done: there is nothing left to cancel.")
        jobs.cancel(self._db, row.id)

    @requires("back the workspace up", "out")
    def backup(self, out: Path) -> BackupFile:
        """Copy the whole workspace into one file, without interrupting other work."""
        self._db.backup(out)
        return BackupFile(str(out), out.stat().st_size)

    @requires("change agents", "agent", is_logged=False)
    def doctor(
        self,
        *,
        agent: str | None = None,
        engine: str | None = None,
        settings: Mapping[str, Any],
        say: Callable[[str], None],
    ) -> DoctorReport:
        """Check the installation. If `engine` is given, also check the search engine of that retriever, with the settings
        engine_*. If `agent` is given, also find out the agent's abilities, and then send it every prompt once, filled in with
        the samples."""
        of_engine = {name: value for name, value in settings.items() if name.startswith(ENGINE_SETTING)}
        settings = {name: value for name, value in settings.items() if name not in of_engine}
        if of_engine and not engine:
            raise BenchError(
                f"The setting {next(iter(of_engine))} belongs to a search engine: name the engine's retriever with --engine."
            )
        check_owners(settings, {"agent": agent is not None})
        if others := sorted(name for name in settings if not name.startswith("agent.")):
            raise BenchError(
                f"The check has no setting {others[0]!r}: an agent's settings begin with agent., an engine's with engine_."
            )
        checks = check_installation(self._db)
        if engine:
            from eval.engine_search import describe_engine

            checks.append(check(f"engine {engine}", partial(describe_engine, engine, of_engine, os.environ)))
        if agent:
            from workbench.setup.capabilities import check_capabilities
            from workbench.setup.trial import check_prompts, count_readable

            capabilities = check_capabilities(self._agents.make(agent, settings), self._agents.ledger, say)
            checks += capabilities
            if all(capability.ok for capability in capabilities):
                try:
                    prompts = check_prompts(self._agents.bind(agent, settings), say)
                except BenchError as error:  # the model cannot be called
                    checks.append(DoctorCheck("prompts", False, str(error)))
                else:
                    checks += [*prompts, count_readable(prompts)]
        return DoctorReport(checks)


def _count_reported(job: Job) -> int | None:
    """Return the number of pieces that the job has finished according to its result; None if the job is running or its result
    has no such number."""
    result = job.result if isinstance(job.result, dict) else {}
    key = {"draft": "drafted", "run": "answered"}.get(job.kind, "")
    return int(result[key]) + int(result.get("failed", 0) if job.kind == "run" else 0) if key in result else None


def project_total(sofar: float | None, done: int, total: int | None) -> float | None:
    """Extrapolate an amount `sofar` (cost or seconds) from `done` pieces to `total` pieces. Return None if the amount is
    unknown, if no piece is done, or if none is left."""
    return None if sofar is None or not total or not 0 < done < total else sofar / done * total


def project_rest(sofar: float | None, done: int, total: int | None) -> float | None:
    """Extrapolate the cost or time of the remaining pieces from the amount `sofar`. Return None if this is impossible."""
    whole = project_total(sofar, done, total)
    return None if whole is None else whole - (sofar or 0.0)


def count_seconds(job: Job) -> float | None:
    """Return for how many seconds the job has run, including earlier starts; None if it was never started."""
    if job.state == "running" and job.heartbeat:
        return (job.seconds or 0.0) + (datetime.now(UTC) - datetime.fromisoformat(job.heartbeat)).total_seconds()
    return job.seconds


def shorten_result(result: Mapping[str, Json] | None) -> Mapping[str, Json] | None:
    """Return the result of a job without those lists that have 20 or more entries."""
    return {k: v for k, v in result.items() if not isinstance(v, list) or len(v) < 20} if result is not None else None
