"""Compute the results (means with intervals) of one run, or of several runs as one, from their stored scores."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.nouns import Run
from eval.reports.summary import FigureSummary, summarise_answers
from eval.scoring.scoring import MetricValue
from store.engine.database import Database
from store.runs import run_pages, runs

__all__ = ["FigureSummary", "RunFigures", "summarise_runs"]


class RunFigures(NamedTuple):
    """Numbers of answers and results of one run, or of several runs as one."""

    answered: int
    failed: int
    offline: Sequence[str]
    """The steps that the offline agent did for the runs: draft, answer, judge."""
    by_metric: Mapping[str, FigureSummary]


def summarise_runs(database: Database, together: Sequence[Run]) -> RunFigures:
    """Return the numbers of answers and the results, computed over all answers of the given runs. The answers to one item count
    as one cluster, because they are not independent."""
    answers: dict[tuple[str, str, str | None], dict[str, MetricValue]] = {}
    for run in together:
        for score in runs.load_scores(database, run.id):
            scores = answers.setdefault((run.id, score.item, score.variant), {})
            scores[score.metric] = MetricValue(score.value, score.version, score.why)
    stops = run_pages.count_stops(database, [run.id for run in together])
    answered = sum(stop.n for stop in stops if stop.kind == "answered")
    return RunFigures(
        answered,
        sum(stop.n for stop in stops) - answered,
        sorted({mark for run in together for mark in run.offline}),
        summarise_answers(list(answers.values()), [item for _, item, _ in answers], seed=0),
    )
