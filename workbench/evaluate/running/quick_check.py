"""The quick check: a stratified handful of a release on the floors, the ceiling and one system of choice, in minutes and for
little. Each system is a run of its own, stored like any other."""

from collections.abc import Sequence
from typing import Any

from core.catalog import pick
from core.errors import BenchError
from core.nouns import Run
from eval.metric import join_name, metrics
from eval.reports.summary import summarise_answers
from eval.scoring.scoring import MetricValue
from eval.system import systems
from store.engine.database import Database
from store.items import items
from store.jobs import job_pages, jobs
from store.runs import run_inputs, run_pages, runs
from workbench.evaluate.running.questions import stratified
from workbench.evaluate.running.run_asked import RunRequest, check
from workbench.evaluate.running.run_estimate import estimate, totals_of
from workbench.kept import BackgroundCache
from workbench.roles import act
from workbench.setup.agents import Agents

SIZE = 12
"""Questions, unless told otherwise."""
LARGEST = 100
FLOORS = ("echo", "closed_book", "oracle")
"""Two floors and the ceiling; those that ask an agent are left out where there is none."""
CHOSEN = "vanilla"
SHOWN = ("exact_match", "token_f1", "rouge_l", "s_f1", "evidence_recall", "seconds")
"""Metrics of the table, as far as they were scored; Results has them all."""


class QuickCheckStage:
    """Verbs of the quick check."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._db, self._agents = database, agents
        self._slow = BackgroundCache(threads=2)

    @act("see runs", "release")
    def runs(self, release: str, *, agent: str | None, system: str, size: int, seed: int) -> list[RunRequest]:
        """What is asked for: the floors, then the system of choice. Raises BenchError when it does not fit together."""
        if not 1 <= size <= LARGEST:
            raise BenchError(f"A quick check of {size} questions is none: give a number from 1 to {LARGEST}.")
        pick(systems(), system, "system")
        names = list(dict.fromkeys([*FLOORS, system]))
        wanted = [name for name in names if agent is not None or not systems()[name].needs_agent]
        asked = [
            RunRequest(
                release=release,
                system=name,
                sample=size,
                seed=seed,
                agent=agent if systems()[name].needs_agent else None,
                retriever="bm25" if name == "echo" or systems()[name].needs_retriever else None,
            )
            for name in wanted
        ]
        for one in asked:
            check(one, self._agents)
        return asked

    @act("see runs")
    def preview(self, asked: Sequence[RunRequest], wait: float = 0.25) -> dict[str, Any] | None:
        """{"items": [{"id", "level", "domain", "language", "question"}], "estimates": one a run (run_estimate.py),
        "total": their sums}; None while it is being reckoned."""
        return self._slow.get(f"{run_inputs.fingerprint(self._db)} {asked!r}", lambda: self._preview(asked), wait).value

    @act("see runs", "ids")
    def outcome(self, ids: Sequence[str], wait: float = 0.4) -> dict[str, Any] | None:
        """`table`, reckoned in the background: None while it is."""
        return self._slow.get(f"table {run_inputs.fingerprint(self._db)} {ids!r}", lambda: self.table(ids), wait).value

    @act("see runs", "ids")
    def table(self, ids: Sequence[str]) -> dict[str, Any]:
        """What those jobs came to: {"metrics": [names], "rows": [{"job", "run", "system", "family", "agent", "answered",
        "failed", "seconds", "offline": [..], "cells": {metric: {"mean", "low", "high", "n", "why"}}}]}. A run that has not
        begun has no row."""
        rows = [row for job in ids for row in self._rows(job)]
        there = [name for name in SHOWN if any(metric_of(full) == name for row in rows for full in row["cells"])]
        chosen = {full: None for name in there for row in rows for full in row["cells"] if metric_of(full) == name}
        return {"metrics": list(chosen), "rows": rows}

    @act("see runs", "ids")
    def cost(self, ids: Sequence[str]) -> tuple[int, float | None]:
        """(calls, US dollars or None when a price is not known) of those jobs so far."""
        costs = job_pages.load_costs(self._db, ids).values()
        prices = [cost.cost for cost in costs]
        return sum(cost.calls for cost in costs), None if None in prices else sum(p for p in prices if p is not None)

    @act("see runs", "ids")
    def ended(self, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Job -> (answered, failed) so far; a job without any is left out."""
        return run_pages.count_ended(self._db, ids)

    def close(self) -> None:
        """Wait for what is being reckoned."""
        self._slow.close()

    def _preview(self, asked: Sequence[RunRequest]) -> dict[str, Any]:
        release, size, seed = asked[0].release, asked[0].sample or SIZE, asked[0].seed
        places = run_inputs.load_places(self._db, release)
        chosen = stratified(places, size, seed)
        found = items.fetch_revisions(self._db.rows, [(p.id, p.revision, "accepted") for p in chosen])
        estimates = [estimate(self._db, self._agents, one, places) for one in asked]
        names = ("id", "level", "domain", "language", "question")
        shown = [{name: getattr(item, name) for name in names} for item in found]
        return {"items": shown, "estimates": estimates, "total": totals_of(estimates)}

    def _rows(self, job: str) -> list[dict[str, Any]]:
        row = jobs.get(self._db, job)
        return [self._row(row.id, made) for made, _ in run_pages.load_job_runs(self._db, row.id)]

    def _row(self, job: str, run: Run) -> dict[str, Any]:
        points: dict[tuple[str, str | None], dict[str, MetricValue]] = {}
        for score in runs.load_scores(self._db, run.id):
            points.setdefault((score.item, score.variant), {})[score.metric] = MetricValue(
                score.value, score.version, score.why
            )
        made = summarise_answers(list(points.values()), [item for item, _ in points], seed=0)
        cells = {
            name: {"mean": s.mean, "low": s.low, "high": s.high, "n": s.n, "why": s.why}
            for name, s in made.items()
            if metric_of(name) in SHOWN
        }
        stops = run_pages.count_stops(self._db, [run.id])
        failed = [stop for stop in stops if stop.kind != "answered"]
        return {
            "job": job,
            "run": run.id,
            "system": systems()[run.system.name].label,
            "family": systems()[run.system.name].family,
            "agent": run.agent,
            "answered": sum(s.n for s in stops) - sum(s.n for s in failed),
            "failed": sum(s.n for s in failed),
            "seconds": run_pages.load_seconds(self._db, [run.id])[0],
            "offline": list(run.offline),
            "cells": cells,
        }


def metric_of(name: str) -> str | None:
    """The metric whose one number that is: its headline, an offline judge's too; None for other parts."""
    plain = name.removesuffix(".offline")
    return next((base for base, metric in metrics().items() if join_name(base, metric.headline) == plain), None)
