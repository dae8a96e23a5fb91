"""Run a quick check of one system on a small sample of a release, in minutes and at low cost. Three further systems run too,
which give two lower bounds and an upper bound. Each system's run is stored like any other run."""

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
"""Systems that give two lower bounds and one upper bound of the scores. If no agent is chosen, only systems that need none are
run."""
DEFAULT_SYSTEM = "vanilla"
TABLE_METRICS = ("exact_match", "token_f1", "rouge_l", "s_f1", "evidence_recall", "seconds")
"""Metrics that the table of a quick check shows, provided that they were scored. The page Results shows all metrics."""


class QuickCheckPreview(NamedTuple):
    """The questions that a quick check would ask, and the estimated cost of asking them."""

    items: Sequence[Item]
    estimates: Sequence[RunEstimate]
    """Estimates, one for each run of the quick check."""
    total: EstimateTotals


class QuickCheckRow(NamedTuple):
    """One system's run in the table of a quick check."""

    run: str
    label: str
    """Name of the system that the screen shows."""
    figures: RunFigures
    """Figures of the run for the metrics in TABLE_METRICS."""


class QuickCheckTable(NamedTuple):
    """The systems of a quick check side by side; a run that has not started has no row."""

    metrics: Sequence[str]
    rows: Sequence[QuickCheckRow]


class QuickCheckStage(CachedStage):
    """Methods with which the app plans, estimates and compares the runs of a quick check."""

    THREADS = 2

    def __init__(self, database: Database, agents: Agents) -> None:
        super().__init__(database)
        self._agents = agents

    @requires("see runs", "release")
    def build_requests(self, release: str, *, agent: str | None, system: str, size: int, seed: int) -> list[RunRequest]:
        """Return the requests for the runs of a quick check: the lower-bound and upper-bound systems, then the chosen system.
        Raises BenchError if one of the runs is impossible."""
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
        """Return the questions of the requested runs and their estimated cost."""
        return self._cache.get(f"{run_inputs.fingerprint(self._db)} {requests!r}", lambda: self._build_preview(requests), wait)

    @requires("see runs", "ids")
    def compare_in_background(self, ids: Sequence[str]) -> RunningWork[QuickCheckTable]:
        """Compare the runs like `compare`, but in the background, so that a page does not wait."""
        return self._cache.get(f"table {run_inputs.fingerprint(self._db)} {ids!r}", lambda: self.compare(ids))

    @requires("see runs", "ids")
    def compare(self, ids: Sequence[str]) -> QuickCheckTable:
        """Return the runs of the given jobs as a table with a row for each system and a column for each metric."""
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
        """Return (number of calls, cost in US dollars) of the given jobs so far. The cost is None if any price is unknown."""
        costs = job_pages.load_costs(self._db, ids).values()
        prices = [cost.cost for cost in costs]
        return sum(cost.calls for cost in costs), None if None in prices else sum(p for p in prices if p is not None)

    @requires("see runs", "ids")
    def count_answers(self, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return a dict from job to (number of answers, number of failures) so far. Jobs without answers are left out."""
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
    """Return the metric whose main value has the name `name`, with or without the suffix of an offline judge; None if the name
    stands for another value of a metric."""
    plain = name.removesuffix(".offline")
    return next((base for base, metric in metrics().items() if join_name(base, metric.headline) == plain), None)
