"""Runs looked at: how far a job's runs are at this moment, the runs there are, and what to ask for to get one again. All of it
counted in the store; no trace is loaded but the last few."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import BenchError
from eval.system import systems
from store.engine.database import Database
from store.jobs import job_pages, jobs
from store.runs import run_pages, runs
from workbench.evaluate.running.run_asked import RunRequest

ANSWERED = "answered"


@dataclass(frozen=True, slots=True)
class RunStart:
    """When a run began to answer in this process."""

    run: str
    reused: int
    """Answers that were there already."""
    since: float = field(default_factory=time.monotonic)

    def left(self, done: int, total: int) -> float | None:
        """Seconds until the last answer, at the pace so far; None before the first."""
        fresh = done - self.reused
        return None if fresh <= 0 else (time.monotonic() - self.since) / fresh * max(total - done, 0)


def progress(database: Database, job: str, pace: RunStart | None, last: int) -> dict[str, Any]:
    """{"job", "state", "system", "agent", "release", "runs": [ids], "total", "answered", "failed", "failures": [{"kind", "n",
    "example"}], "p50", "p90", "calls", "cost_usd", "tokens_in", "tokens_out", "scored", "unscored": [{"metric", "why", "n"}],
    "not_run": [{"language", "n", "why"}], "offline", "eta_seconds", "last": [{"item", "variant", "question", "answer", "stop",
    "error", "seconds"}]}. None is not known."""
    row = jobs.get(database, job)
    if row.kind != "run":
        raise BenchError(f"Job {row.id} is no run: look at it on the jobs page.")
    made = run_pages.load_job_runs(database, row.id)
    ids = [run.id for run, _ in made]
    ended = {stop.kind: stop for stop in run_pages.count_stops(database, ids)}
    answered = ended.pop(ANSWERED).n if ANSWERED in ended else 0
    failed = sum(stop.n for stop in ended.values())
    asked = sum(n for _, n in made) + (row.params["repeat"] - len(made)) * made[0][1] if made else row.total
    p50, p90 = run_pages.load_seconds(database, ids)
    cost = job_pages.load_costs(database, [row.id]).get(row.id, job_pages.JobCost(0, 0.0))
    return {
        "job": row.id,
        "state": row.state,
        "system": row.params["system"],
        "agent": row.params["agent"],
        "release": row.params["release"],
        "runs": ids,
        "total": asked,
        "answered": answered,
        "failed": failed,
        "failures": [{"kind": stop.kind, "n": stop.n, "example": stop.example} for stop in ended.values()],
        "p50": p50,
        "p90": p90,
        "calls": cost.calls,
        "cost_usd": cost.cost,
        "scored": run_pages.count_scored(database, ids),
        "unscored": [{"metric": metric, "why": why, "n": n} for metric, why, n in run_pages.count_unscored(database, ids)],
        "not_run": made[0][0].config.get("not_run", []) if made else [],
        "offline": sorted({mark for run, _ in made for mark in run.offline}),
        "eta_seconds": pace.left(answered + failed, asked) if pace and asked and row.state == "running" else None,
        "last": [shown._asdict() for shown in run_pages.load_last_answers(database, ids, last)],
    }


def listed(database: Database, limit: int, offset: int) -> tuple[list[dict[str, Any]], int]:
    """(runs, newest first: {"run", "system", "label", "release", "agent", "settings", "answered", "failed", "asked",
    "cost_usd", "build_seconds", "offline", "at"}, how many there are in all). A cost is None when a price is not known, when
    nothing is known of the run's calls, and when its job made other runs too."""
    rows = run_pages.load_page(database, limit, offset)
    costs = job_pages.load_costs(database, sorted({job for row in rows for job in row.jobs}))
    free = job_pages.JobCost(0, 0.0)
    found = []
    for row in rows:
        paid = [costs.get(job, free).cost for job in row.jobs]
        known = bool(paid) and not row.shares_job
        adapter = systems().get(row.run.system.name)
        found.append(
            {
                "run": row.run.id,
                "system": row.run.system.name,
                "label": adapter.label if adapter else row.run.system.name,
                "release": row.run.release,
                "agent": row.run.agent,
                "settings": differing(row.run.config),
                "asked": row.asked,
                "answered": row.answered,
                "failed": row.failed,
                "build_seconds": row.build_seconds,
                "cost_usd": sum(p for p in paid if p is not None) if known and None not in paid else None,
                "offline": list(row.run.offline),
                "at": row.made_at,
            }
        )
    return found, run_pages.count(database)


def differing(config: Mapping[str, Any]) -> str:
    """What sets a run apart from a plain one, in a line."""
    words = [str(config["retriever"])] if config.get("retriever") else []
    words += [f"{key} {value}" for key, value in config["settings"].items()]
    words += [f"{config['sample'][0]} sampled, seed {config['sample'][1]}"] if config.get("sample") else []
    words += ["with variants"] if config.get("variants") else []
    words += [f"repetition {config['repetition'] + 1}"] if config.get("repetition") else []
    return " · ".join(words)


def again(database: Database, run: str) -> RunRequest:
    """What to ask for to get another run like that one: as its job was asked, where it is known, else by its configuration."""
    found = runs.get(database, run)
    params = run_pages.load_job_params(database, found.id)
    if params:
        return RunRequest(release=found.release, **{key: params[key] for key in RunRequest.KEPT})
    sample = found.config.get("sample") or [None, 0]
    return RunRequest(
        release=found.release,
        system=found.system.name,
        agent=found.agent,
        retriever=found.config.get("retriever"),
        settings=dict(found.system.settings),
        variants=bool(found.config.get("variants")),
        sample=sample[0],
        seed=sample[1],
    )
