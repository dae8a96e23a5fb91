"""Sweeps: many runs around one base, worked in order by one job with one budget. A cell that ran before, in a sweep or by
itself, is the same run: its answers are found, not asked again."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from core.errors import BenchError
from core.nouns import Run
from eval.reports.layout import select_headlines
from eval.reports.summary import summarise_answers
from eval.scoring.scoring import MetricValue
from store.engine.database import Database
from store.jobs import job_pages, jobs
from store.releases.releases import WORKING_RELEASE, load_hash
from store.runs import run_inputs, run_pages, runs
from workbench.control import Control
from workbench.evaluate.running.run_asked import RunRequest, check
from workbench.evaluate.running.run_estimate import estimate, totals_of
from workbench.evaluate.running.runs import RunStage
from workbench.evaluate.sweeps.sweep_plan import SweepPlan, SweepRun, cells, plan_of
from workbench.evaluate.sweeps.sweep_presets import SWEEPS
from workbench.kept import BackgroundCache
from workbench.release.releases import ReleaseStage
from workbench.roles import act
from workbench.setup.agents import Agents

KIND = "sweep"


class SweepStage:
    """Verbs on sweeps."""

    def __init__(self, database: Database, agents: Agents, releases: ReleaseStage, runs: RunStage) -> None:
        self._db, self._agents, self._releases, self._runs = database, agents, releases, runs
        self._slow = BackgroundCache(threads=1)

    @act("see runs")
    def presets(self) -> dict[str, tuple[str, str]]:
        """Name -> (label, what it varies) of the papers' sweeps."""
        return {name: (preset.label, preset.about) for name, preset in SWEEPS.items()}

    @act("see runs", "name")
    def preset(self, name: str, asked: RunRequest, agents: Sequence[str], models: Sequence[str]) -> SweepPlan:
        """A paper's sweep of what is asked for, over those agents and embedding models."""
        return SWEEPS[name].make(asked, agents, models)

    @act("see runs")
    def cells(self, plan: SweepPlan) -> list[SweepRun]:
        """The runs that a plan comes to, the base first. Raises BenchError when it is none, or one of them cannot be."""
        found = cells(plan)
        for cell in found:
            try:
                check(cell.asked, self._agents)
            except BenchError as error:
                raise BenchError(f"The cell {cell.label}: {error}") from error
        return found

    @act("see runs")
    def estimate(self, plan: SweepPlan, wait: float = 0.25) -> dict[str, Any] | None:
        """What it will come to: {"cells": [{"label", "asked", "estimate", "there": share of its answers that are stored}],
        "there": cells that are there already, "total": what the others come to (run_estimate.totals_of), "calls_there": calls
        that are not made again}; None while it is being reckoned. Raises BenchError when it cannot begin."""
        key = f"estimate {run_inputs.fingerprint(self._db)} {plan!r}"
        return self._slow.get(key, lambda: self._estimate(plan), wait).value

    @act("run systems", lambda given: f"a sweep on {given['plan'].release}")
    def plan(self, plan: SweepPlan) -> str:
        """The id of the job for that sweep: the unfinished one of the same plan, or a new one. Raises BenchError when it cannot
        begin."""
        found = self.cells(plan)
        hashes = {name: self._hash(name) for name in sorted({cell.asked.release for cell in found})}
        named = [name for cell in found for name in (cell.asked.agent, *cell.asked.judges) if name]
        params = {**plan.record(), "releases": hashes, **self._agents.pinned(dict.fromkeys(named))}
        return jobs.find_or_create(self._db, KIND, params, budget=plan.base.budget, total=len(found))

    @act("run systems", is_logged=False)
    def planned(self, plan: SweepPlan, ticket: str, wait: float = 0.5) -> str | None:
        """As plan, for a page: None while the releases are still being read. One ticket is planned once."""
        return self._slow.get(f"plan {ticket}", lambda: self.plan(plan), wait).value

    @act("see runs")
    def listed(self, limit: int = 50) -> list[dict[str, Any]]:
        """The last sweeps, newest first: {"job", "name", "release", "shape", "state", "cells", "done", "at"}."""
        found = job_pages.load_page(self._db, kinds=[KIND], limit=limit)
        done = job_pages.count_finished_pieces(self._db, found)
        return [
            {
                "job": row.id,
                "name": row.params["name"],
                "release": row.params["release"],
                "shape": row.params["shape"],
                "state": row.state,
                "cells": row.total,
                "done": done[row.id],
                "at": row.created,
            }
            for row in found
        ]

    @act("see runs", "job")
    def asked(self, job: str) -> SweepPlan:
        """What that sweep was. Raises BenchError when the job is none."""
        row = jobs.get(self._db, job)
        if row.kind != KIND:
            raise BenchError(f"Job {row.id} is no sweep: look at it on the jobs page.")
        return plan_of(row.params)

    @act("see runs", "job")
    def outcome(self, job: str, wait: float = 0.4) -> dict[str, Any] | None:
        """What its cells came to so far: {"metrics": [names], "cells": [{"label", "at", "state", "why", "runs", "answered",
        "failed", "offline", "values": {metric: {"mean", "low", "high", "n", "why"}}}]}; state: to do, done, failed. Repeats of
        a cell are one, clustered by item. None while it is being reckoned."""
        return self._slow.get(f"outcome {run_inputs.fingerprint(self._db)} {job}", lambda: self._outcome(job), wait).value

    def close(self) -> None:
        """Wait for what is being reckoned."""
        self._slow.close()

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        """Cell after cell; one that cannot run is told with its reason, and the others go on."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        found = await asyncio.to_thread(cells, plan_of(row.params))
        budget = self._agents.budget(row.budget, job)
        ended = {piece.key: piece.result for piece in jobs.load_pieces(self._db, job) if piece.state == "done"}
        results: list[Mapping[str, Any]] = []
        failed: list[str] = []
        stopped, message = None, ""
        for number, cell in enumerate(found):
            key = _key(number)
            if key in ended:
                results.append(ended[key])
                continue
            if control.look():
                stopped, message = "cancelled", f"Stopped before cell {number + 1} of {len(found)}."
                break
            where = f"Cell {number + 1} of {len(found)} ({cell.label})"
            control.say(f"{where}.")
            inner = Control(say=partial(_told, control, where), asked=control.look)
            params = {**row.params, **cell.asked.params(row.params["releases"][cell.asked.release])}
            try:
                result = await self._runs.answered(job, params, budget, inner, lambda total: None)
            except BenchError as error:
                failed.append(f"{cell.label}: {error}")
                self._note(job, number, "failed", None, str(error))
                continue
            result = {**result, "runs": result.get("runs", [result["run"]])}
            if result["stopped"]:
                stopped, message = result["stopped"], f"{where}: {result['message']}"
                break
            results.append(result)
            self._note(job, number, "done", result, None)
        ledger = self._agents.ledger
        if failed and not stopped:
            rest = "" if len(failed) == 1 else f" {len(failed) - 1} more did not run either."
            message = f"{len(failed)} of {len(found)} cells did not run. {failed[0]}{rest}"
        return {
            "cells": len(found),
            "done": len(results),
            "not_run": failed,
            "runs": [run for r in results for run in r["runs"]],
            "answered": sum(r["answered"] for r in results),
            "failed": sum(r["failed"] for r in results),
            "reused": sum(r["reused"] for r in results),
            "calls": ledger.calls(job),
            "cost_usd": ledger.cost(job),
            "stopped": stopped,
            "message": message,
        }

    def _note(self, job: str, number: int, state: str, result: Mapping[str, Any] | None, why: str | None) -> None:
        piece = (_key(number), state, None if result is None else dict(result))
        errors = {_key(number): why} if why else None
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, [piece], errors))

    def _hash(self, release: str) -> str:
        """Of a release; what is accepted now is frozen as the working one first."""
        return self._releases.get(release)[0].hash if release == WORKING_RELEASE else load_hash(self._db, release)

    def _estimate(self, plan: SweepPlan) -> dict[str, Any]:
        found = self.cells(plan)
        places = {name: run_inputs.load_places(self._db, name) for name in {cell.asked.release for cell in found}}
        rows: list[dict[str, Any]] = []
        for cell in found:
            made = estimate(self._db, self._agents, cell.asked, places[cell.asked.release])
            share = min(made["reuse"]["traces"] / made["questions"], 1.0) if made["reuse"] and made["questions"] else 0.0
            rows.append({"label": cell.label, "asked": cell.asked, "estimate": made, "there": share})
        to_do = [row["estimate"] for row in rows if row["there"] < 1]
        there = [row["estimate"]["calls"] for row in rows if row["there"] == 1]
        return {
            "cells": rows,
            "there": len(there),
            "total": totals_of(to_do),
            "calls_there": None if None in there else sum(there),
        }

    def _outcome(self, job: str) -> dict[str, Any]:
        row = jobs.get(self._db, job)
        pieces = {piece.key: piece for piece in jobs.load_pieces(self._db, row.id)}
        rows = []
        for number, cell in enumerate(cells(plan_of(row.params))):
            piece = pieces.get(_key(number))
            made = [runs.get(self._db, run) for run in piece.result["runs"]] if piece and piece.result else []
            rows.append(
                {
                    "label": cell.label,
                    "at": [dict(at) for at in cell.at],
                    "why": piece.error if piece else None,
                    "state": piece.state if piece else "to do",
                    "runs": [run.id for run in made],
                    **self._values(made),
                }
            )
        return {"metrics": select_headlines(sorted({name for one in rows for name in one["values"]})), "cells": rows}

    def _values(self, made: Sequence[Run]) -> dict[str, Any]:
        """Figures of one cell's runs together."""
        points: dict[tuple[str, str, str | None], dict[str, MetricValue]] = {}
        for run in made:
            for score in runs.load_scores(self._db, run.id):
                key = (run.id, score.item, score.variant)
                points.setdefault(key, {})[score.metric] = MetricValue(score.value, score.version, score.why)
        stops = run_pages.count_stops(self._db, [run.id for run in made])
        answered = sum(stop.n for stop in stops if stop.kind == "answered")
        figures = summarise_answers(list(points.values()), [item for _, item, _ in points], seed=0)
        return {
            "answered": answered,
            "failed": sum(stop.n for stop in stops) - answered,
            "offline": sorted({mark for run in made for mark in run.offline}),
            "values": {
                name: {"mean": s.mean, "low": s.low, "high": s.high, "n": s.n, "why": s.why} for name, s in figures.items()
            },
        }


def _told(control: Control, where: str, said: str) -> None:
    control.say(f"{where}: {said}")


def _key(number: int) -> str:
    return f"cell {number + 1:04}"
