"""The quick check: a small stratified sample of a release on the floors, the ceiling and one chosen system, in minutes and at
low cost. Each system is a separate run, stored like any other."""

from collections.abc import Sequence
from typing import NamedTuple

from core.catalog import pick
from core.errors import BenchError
from core.nouns import Item, Run
from eval.metric import join_name, metrics
from eval.system import systems
from store.engine.database import Database
from store.items import items
from store.jobs import job_pages, jobs
from store.runs import run_inputs, run_pages
from workbench.background_cache import CachedStage, RunningWork
from workbench.evaluate.running.questions import draw_stratified
from workbench.evaluate.running.run_estimate import EstimateTotals, RunEstimate, add_estimates, estimate_run
from workbench.evaluate.running.run_request import RunRequest, check_request
from workbench.evaluate.scoring.run_figures import RunFigures, summarise_runs
from workbench.roles import requires
from workbench.setup.agents import Agents

DEFAULT_QUESTIONS = 12
MAX_QUESTIONS = 100
FLOORS = ("echo", "closed_book", "oracle")
"""Systems for two lower bounds and an upper bound; without an agent, only systems that need no agent run."""
DEFAULT_SYSTEM = "vanilla"
TABLE_METRICS = ("exact_match", "token_f1", "rouge_l", "s_f1", "evidence_recall", "seconds")
"""Metrics of the table, if they were scored; the page Results shows all metrics."""


class QuickCheckPreview(NamedTuple):
    """The questions and the cost of a quick check."""

    items: Sequence[Item]
    estimates: Sequence[RunEstimate]
    """Estimate of each run."""
    total: EstimateTotals


class QuickCheckRow(NamedTuple):
    """One system's run."""

    run: str
    label: str
    """Name of the system on the screen."""
    figures: RunFigures
    """Figures of the run, limited to TABLE_METRICS."""


class QuickCheckTable(NamedTuple):
    """The systems of a quick check side by side; a run that has not started has no row."""

    metrics: Sequence[str]
    rows: Sequence[QuickCheckRow]


class QuickCheckStage(CachedStage):
    """Verbs of the quick check."""

    THREADS = 2

    def __init__(self, database: Database, agents: Agents) -> None:
        super().__init__(database)
        self._agents = agents

    @requires("see runs", "release")
    def build_requests(self, release: str, *, agent: str | None, system: str, size: int, seed: int) -> list[RunRequest]:
        """Build the runs of a quick check: the floors, then the chosen system. Raises BenchError when one of the runs is
        impossible."""
        if not 1 <= size <= MAX_QUESTIONS:
            raise BenchError(f"A quick check cannot have {size} questions: give a number from 1 to {MAX_QUESTIONS}.")
        pick(systems(), system, "system")
        requests = [
            RunRequest(
                release=release,
                system=name,
                sample=size,
                seed=seed,
                agent=agent if systems()[name].needs_agent else None,
                retriever="bm25" if name == "echo" or systems()[name].needs_retriever else None,
            )
            for name in dict.fromkeys([*FLOORS, system])
            if agent is not None or not systems()[name].needs_agent
        ]
        for request in requests:
            check_request(request, self._agents)
        return requests

    @requires("see runs")
    def preview(self, requests: Sequence[RunRequest], wait: float = 0.25) -> RunningWork[QuickCheckPreview]:
        """Estimate the questions and the cost of those runs."""
        return self._cache.get(f"{run_inputs.fingerprint(self._db)} {requests!r}", lambda: self._build_preview(requests), wait)

    @requires("see runs", "ids")
    def compare_in_background(self, ids: Sequence[str]) -> RunningWork[QuickCheckTable]:
        """Compare as `compare` does, in the background for a page."""
        return self._cache.get(f"table {run_inputs.fingerprint(self._db)} {ids!r}", lambda: self.compare(ids))

    @requires("see runs", "ids")
    def compare(self, ids: Sequence[str]) -> QuickCheckTable:
        """Compare the runs of those jobs, system by metric."""
        rows = [self._build_row(run) for id_ in ids for run, _ in run_pages.load_job_runs(self._db, jobs.get(self._db, id_).id)]
        names = {
            name: None
            for metric in TABLE_METRICS
            for row in rows
            for name in row.figures.by_metric
            if find_headlined_metric(name) == metric
        }
        return QuickCheckTable(list(names), rows)

    @requires("see runs", "ids")
    def cost(self, ids: Sequence[str]) -> tuple[int, float | None]:
        """Return (calls, US dollars, or None when a price is unknown) of those jobs so far."""
        costs = job_pages.load_costs(self._db, ids).values()
        prices = [cost.cost for cost in costs]
        return sum(cost.calls for cost in costs), None if None in prices else sum(p for p in prices if p is not None)

    @requires("see runs", "ids")
    def count_answers(self, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return job -> (answered, failed) so far; a job without answers is omitted."""
        return run_pages.count_ended(self._db, ids)

    def _build_preview(self, requests: Sequence[RunRequest]) -> QuickCheckPreview:
        first = requests[0]
        places = run_inputs.load_places(self._db, first.release)
        sample = draw_stratified(places, first.sample or DEFAULT_QUESTIONS, first.seed)
        estimates = [estimate_run(self._db, self._agents, request, places) for request in requests]
        worded = items.fetch_revisions(self._db.rows, [(place.id, place.revision, "accepted") for place in sample])
        return QuickCheckPreview(worded, estimates, add_estimates(estimates))

    def _build_row(self, run: Run) -> QuickCheckRow:
        figures = summarise_runs(self._db, [run])
        shown = {name: figure for name, figure in figures.by_metric.items() if find_headlined_metric(name) in TABLE_METRICS}
        return QuickCheckRow(run.id, systems()[run.system.name].label, figures._replace(by_metric=shown))


def find_headlined_metric(name: str) -> str | None:
    """Find the metric whose headline is `name`, including an offline judge's, or None for its other parts."""
    plain = name.removesuffix(".offline")
    return next((base for base, metric in metrics().items() if join_name(base, metric.headline) == plain), None)
