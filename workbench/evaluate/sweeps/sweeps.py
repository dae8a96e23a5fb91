"""Execute sweeps. A sweep is a series of runs that vary one base run; one job with one budget executes them one after another.
If the run of a cell was made before, in a sweep or separately, its answers are used again."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from core.as_json import Json
from core.errors import BenchError
from eval.reports.layout import select_headlines
from store.engine.database import Database
from store.jobs import job_pages, jobs
from store.releases.releases import WORKING_RELEASE, load_hash
from store.runs import run_inputs, runs
from workbench.background_cache import CachedStage, RunningWork
from workbench.control import Control
from workbench.evaluate.running.run_estimate import EstimateTotals, RunEstimate, add_estimates, estimate_run
from workbench.evaluate.running.run_request import RunRequest, check_request
from workbench.evaluate.running.runs import RunStage
from workbench.evaluate.scoring.run_figures import RunFigures, summarise_runs
from workbench.evaluate.sweeps.sweep_plan import CellPosition, SweepPlan, SweepRun, list_cells, plan_of
from workbench.evaluate.sweeps.sweep_presets import SWEEPS
from workbench.release.releases import ReleaseStage
from workbench.roles import requires
from workbench.setup.agents import Agents

KIND = "sweep"


class CellEstimate(NamedTuple):
    """The estimate for one run (cell) of a sweep."""

    label: str
    request: RunRequest
    estimate: RunEstimate
    stored: float
    """Share of the cell's answers, from 0 to 1, that are already stored."""


class SweepEstimate(NamedTuple):
    """The estimates for all runs (cells) of a sweep, and their sum."""

    cells: Sequence[CellEstimate]
    complete: int
    """Number of cells whose answers are all stored already."""
    total: EstimateTotals
    """Sum of the estimates for the cells that are not complete."""


class SweepRecord(NamedTuple):
    """One sweep, as the list of sweeps shows it."""

    job: str
    name: str
    release: str
    state: str
    cells: int | None
    done: int
    at: str


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """The result of one cell of a sweep over all its repetitions."""

    label: str
    at: Sequence[CellPosition]
    state: str
    """State of the run of this cell: to do, done or failed."""
    why: str | None
    """Reason why the run of this cell failed, or None if it did not."""
    runs: Sequence[str]
    figures: RunFigures


class SweepOutcome(NamedTuple):
    """The results of a sweep's cells so far."""

    metrics: Sequence[str]
    cells: Sequence[CellOutcome]


class SweepStage(CachedStage):
    """Methods with which the app and the command line plan, estimate and execute sweeps."""

    def __init__(self, database: Database, agents: Agents, releases: ReleaseStage, runs: RunStage) -> None:
        super().__init__(database)
        self._agents, self._releases, self._runs = agents, releases, runs

    @requires("see runs")
    def presets(self) -> dict[str, tuple[str, str]]:
        """Return a dict from the name of each paper's sweep to (its label, the factors that it varies)."""
        return {name: (preset.label, preset.about) for name, preset in SWEEPS.items()}

    @requires("see runs", "name")
    def preset(self, name: str, request: RunRequest, agents: Sequence[str], models: Sequence[str]) -> SweepPlan:
        """Return a paper's sweep with the request as its base run and with the given agents and embedding models."""
        return SWEEPS[name].make(request, agents, models)

    @requires("see runs")
    def cells(self, plan: SweepPlan) -> list[SweepRun]:
        """Return the runs of a sweep, beginning with the base run. Raises BenchError if the sweep, or one of its runs, is not
        possible."""
        cells = list_cells(plan)
        for cell in cells:
            try:
                check_request(cell.request, self._agents)
            except BenchError as error:
                raise BenchError(f"The cell {cell.label}: {error}") from error
        return cells

    @requires("see runs")
    def estimate(self, plan: SweepPlan, wait: float = 0.25) -> RunningWork[SweepEstimate]:
        """Return the estimates of the sweep's cells. Raises BenchError if the sweep cannot begin."""
        return self._cache.get(f"estimate {run_inputs.fingerprint(self._db)} {plan!r}", lambda: self._estimate(plan), wait)

    @requires("run systems", lambda arguments: f"a sweep on {arguments['plan'].release}")
    def plan(self, plan: SweepPlan) -> str:
        """Return the id of the job for the sweep: an unfinished job for the same sweep, or else a new job. Raises BenchError if
        the sweep cannot begin."""
        cells = self.cells(plan)
        hashes = {name: self._hash_release(name) for name in sorted({cell.request.release for cell in cells})}
        named = [name for cell in cells for name in (cell.request.agent, *cell.request.judges) if name]
        params = {
            **plan.record(),
            "releases": hashes,
            **self._agents.pin(dict.fromkeys(named), [cell.request.settings for cell in cells]),
        }
        return jobs.find_or_create(self._db, KIND, params, budget=plan.base.budget, total=len(cells))

    @requires("run systems", is_logged=False)
    def plan_in_background(self, plan: SweepPlan, ticket: str, wait: float = 0.5) -> str | None:
        """Plan a sweep like `plan`, but in the background; return None while the releases are being read. Calls with the same
        `ticket` share one plan."""
        return self._cache.get(f"plan {ticket}", lambda: self.plan(plan), wait).value

    @requires("see runs")
    def list_sweeps(self, limit: int = 50) -> list[SweepRecord]:
        """Return at most `limit` sweeps, newest first."""
        rows = job_pages.load_page(self._db, kinds=[KIND], limit=limit)
        done = job_pages.count_finished_pieces(self._db, rows)
        return [
            SweepRecord(row.id, row.params["name"], row.params["release"], row.state, row.total, done[row.id], row.created)
            for row in rows
        ]

    @requires("see runs", "job")
    def load_plan(self, job: str) -> SweepPlan:
        """Return the sweep that the job executes. Raises BenchError if the job is not a sweep."""
        row = jobs.get(self._db, job)
        if row.kind != KIND:
            raise BenchError(f"Job {row.id} is not a sweep: open it on the page Jobs.")
        return plan_of(row.params)

    @requires("see runs", "job")
    def outcome(self, job: str, wait: float = 0.4) -> RunningWork[SweepOutcome]:
        """Return the results of all cells of the sweep so far."""
        return self._cache.get(f"outcome {run_inputs.fingerprint(self._db)} {job}", lambda: self._load_outcome(job), wait)

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Run the cells of the sweep one after another. If a cell cannot run, the reason is reported, and the other cells still
        run."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        cells = await asyncio.to_thread(list_cells, plan_of(row.params))
        budget = self._agents.budget(row.budget, job)
        finished = {piece.key: piece.result for piece in jobs.load_pieces(self._db, job) if piece.state == "done"}
        results: list[Mapping[str, Any]] = []
        failed: list[str] = []
        stopped, message = None, ""
        for number, cell in enumerate(cells):
            key = _format_key(number)
            if key in finished:
                results.append(finished[key])
                continue
            if control.look():
                stopped, message = "cancelled", f"Stopped before cell {number + 1} of {len(cells)}."
                break
            where = f"Cell {number + 1} of {len(cells)} ({cell.label})"
            control.say(f"{where}.")
            inner = Control(say=partial(_say, control, where), asked=control.look)
            params = {**row.params, **cell.request.params(row.params["releases"][cell.request.release])}
            try:
                result: dict[str, Any] = dict(await self._runs.work_on(job, params, budget, inner, lambda total: None))
            except BenchError as error:
                failed.append(f"{cell.label}: {error}")
                self._note(job, key, "failed", None, str(error))
                continue
            result["runs"] = result.get("runs", [result["run"]])
            if result["stopped"]:
                stopped, message = result["stopped"], f"{where}: {result['message']}"
                break
            results.append(result)
            self._note(job, key, "done", result, None)
        ledger = self._agents.ledger
        if failed and not stopped:
            rest = "" if len(failed) == 1 else f" {len(failed) - 1} more did not run either."
            message = f"{len(failed)} of {len(cells)} cells did not run. {failed[0]}{rest}"
        return {
            "cells": len(cells),
            "done": len(results),
            "not_run": failed,
            "runs": [run for result in results for run in result["runs"]],
            **{name: sum(result[name] for result in results) for name in ("answered", "failed", "reused")},
            **ledger.describe_spending(job),
            "stopped": stopped,
            "message": message,
        }

    def _note(self, job: str, key: str, state: str, result: dict[str, Any] | None, why: str | None) -> None:
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, [(key, state, result)], {key: why} if why else None))

    def _hash_release(self, release: str) -> str:
        """Return the hash of a release. For the release "working", the accepted items are first frozen."""
        return self._releases.get(release)[0].hash if release == WORKING_RELEASE else load_hash(self._db, release)

    def _estimate(self, plan: SweepPlan) -> SweepEstimate:
        runs_ = self.cells(plan)
        places = {name: run_inputs.load_places(self._db, name) for name in {cell.request.release for cell in runs_}}
        cells = []
        for cell in runs_:
            estimate = estimate_run(self._db, self._agents, cell.request, places[cell.request.release])
            stored = estimate.stored.traces if estimate.stored and estimate.questions else 0
            cells.append(CellEstimate(cell.label, cell.request, estimate, min(stored / max(estimate.questions, 1), 1.0)))
        to_do = [cell.estimate for cell in cells if cell.stored < 1]
        return SweepEstimate(cells, len(cells) - len(to_do), add_estimates(to_do))

    def _load_outcome(self, job: str) -> SweepOutcome:
        row = jobs.get(self._db, job)
        pieces = {piece.key: piece for piece in jobs.load_pieces(self._db, row.id)}
        cells = []
        for number, cell in enumerate(list_cells(plan_of(row.params))):
            piece = pieces.get(_format_key(number))
            ran = [runs.get(self._db, run) for run in piece.result["runs"]] if piece and piece.result else []
            state, why = (piece.state, piece.error) if piece else ("to do", None)
            cells.append(CellOutcome(cell.label, cell.at, state, why, [run.id for run in ran], summarise_runs(self._db, ran)))
        return SweepOutcome(select_headlines(sorted({name for cell in cells for name in cell.figures.by_metric})), cells)


def _say(control: Control, where: str, words: str) -> None:
    control.say(f"{where}: {words}")


def _format_key(number: int) -> str:
    return f"cell {number + 1:04}"
