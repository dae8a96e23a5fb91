"""Show the progress of a job's runs and the list of runs, and rebuild the request that repeats a run. The database computes all
numbers; only the last few traces are loaded."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.errors import BenchError
from eval.system import systems
from store.engine.database import Database
from store.jobs import job_pages, jobs
from store.jobs.job_pages import JobCost
from store.runs import run_pages, runs, traces, twin_traces
from store.runs.run_pages import RunRow, ShownAnswer, StopCount
from store.runs.twin_traces import TwinCounts
from workbench.evaluate.running.run_request import RunRequest


@dataclass(frozen=True, slots=True)
class RunStart:
    """The time when a run began to answer questions in this process, and the number of answers that it had then."""

    run: str
    reused: int
    """Number of answers that were stored before this start of the run."""
    since: float = field(default_factory=time.monotonic)

    def estimate_seconds_left(self, done: int, total: int) -> float | None:
        """Return the estimated seconds until the last answer, at the speed so far; None before the first answer."""
        fresh = done - self.reused
        return None if fresh <= 0 else (time.monotonic() - self.since) / fresh * max(total - done, 0)


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The progress of a job's runs. A field is None if its value is unknown."""

    job: str
    state: str
    runs: Sequence[str]
    total: int | None
    answered: int
    failed: int
    failures: Sequence[StopCount]
    """Numbers of failures by kind, most frequent kind first."""
    p50: float | None
    """Median seconds per answer, not counting the wait before a call is sent."""
    p90: float | None
    calls: int
    cost_usd: float | None
    scored: int
    unscored: Sequence[tuple[str, str, int]]
    """Numbers of answers that could not be scored, each as (metric, reason, number)."""
    twins: TwinCounts
    """Numbers of the runs' absence twins (questions with hidden evidence); the other numbers do not count them."""
    not_run: Sequence[Mapping[str, Any]]
    """Questions that were left out, each as {"language", "n", "why"}."""
    not_taken: Sequence[str]
    """Requested settings that the agents' endpoints do not support, each as part of a sentence."""
    offline: Sequence[str]
    eta_seconds: float | None
    last: Sequence[ShownAnswer]


class RunRecord(NamedTuple):
    """One run, as the list of runs shows it."""

    row: RunRow
    label: str
    """Name of the system that the screen shows."""
    settings: str
    """The settings whose values differ from the defaults, in one line."""
    cost_usd: float | None
    """Cost in US dollars; None if a price or the run's calls are unknown, or if the run's job made several runs."""


def load_progress(database: Database, job: str, start: RunStart | None, last: int) -> RunProgress:
    """Return the progress of the job's runs, with the `last` newest answers. Raises BenchError if the job is not a run."""
    row = jobs.get(database, job)
    if row.kind != "run":
        raise BenchError(f"Job {row.id} is not a run: open it on the page Jobs.")
    job_runs = run_pages.load_job_runs(database, row.id)
    ids = [run.id for run, _ in job_runs]
    stops = {stop.kind: stop for stop in run_pages.count_stops(database, ids)}
    answered = stops.pop("answered").n if "answered" in stops else 0
    failed = sum(stop.n for stop in stops.values())
    total = sum(n for _, n in job_runs) + (row.params["repeat"] - len(job_runs)) * job_runs[0][1] if job_runs else row.total
    p50, p90 = run_pages.load_seconds(database, ids)
    cost = job_pages.load_costs(database, [row.id]).get(row.id, JobCost(0, 0.0))
    agents_not_taken, judges_not_taken = traces.load_not_taken(database, ids)
    eta = start.estimate_seconds_left(answered + failed, total) if start and total and row.state == "running" else None
    return RunProgress(
        job=row.id,
        state=row.state,
        runs=ids,
        total=total,
        answered=answered,
        failed=failed,
        failures=list(stops.values()),
        p50=p50,
        p90=p90,
        calls=cost.calls,
        cost_usd=cost.cost,
        scored=run_pages.count_scored(database, ids),
        unscored=run_pages.count_unscored(database, ids),
        twins=twin_traces.count(database, ids),
        not_run=job_runs[0][0].config.get("not_run", []) if job_runs else [],
        not_taken=[*agents_not_taken, *(f"of a judge, {sentence}" for sentence in judges_not_taken)],
        offline=sorted({mark for run, _ in job_runs for mark in run.offline}),
        eta_seconds=eta,
        last=run_pages.load_last_answers(database, ids, last),
    )


def list_runs(database: Database, limit: int, offset: int) -> tuple[list[RunRecord], int]:
    """Return one page of the runs, newest first, and the number of all runs."""
    rows = run_pages.load_page(database, limit, offset)
    costs = job_pages.load_costs(database, sorted({job for row in rows for job in row.jobs}))
    records = []
    for row in rows:
        name, paid = row.run.system.name, [costs.get(job, JobCost(0, 0.0)).cost for job in row.jobs]
        is_known = bool(paid) and not row.shares_job and None not in paid
        cost = sum(price for price in paid if price is not None) if is_known else None
        label = systems()[name].label if name in systems() else name
        records.append(RunRecord(row, label, describe_settings(row.run.config), cost))
    return records, run_pages.count(database)


def describe_settings(config: Mapping[str, Any]) -> str:
    """Return one line with those settings of a run that differ from the defaults."""
    words = [str(config["retriever"])] if config.get("retriever") else []
    words += [f"{key} {value}" for key, value in config["settings"].items()]
    words += [f"{config['sample'][0]} sampled, seed {config['sample'][1]}"] if config.get("sample") else []
    words += ["with variants"] if config.get("variants") else []
    words += [f"repetition {config['repetition'] + 1}"] if config.get("repetition") else []
    return " · ".join(words)


def rebuild_request(database: Database, run: str) -> RunRequest:
    """Return a request for another run with the same settings. The request is that of the run's job; if the job is not known,
    the request is built from the run's configuration."""
    stored = runs.get(database, run)
    params = run_pages.load_job_params(database, stored.id)
    if params:
        return RunRequest.from_record(stored.release, params)
    sample, seed = stored.config.get("sample") or (None, 0)
    return RunRequest(
        release=stored.release,
        system=stored.system.name,
        agent=stored.agent,
        retriever=stored.config.get("retriever"),
        settings=dict(stored.system.settings),
        variants=bool(stored.config.get("variants")),
        sample=sample,
        seed=seed,
    )
