"""Compute a report that compares runs: means by level, domain or other groups, HawkBench's averages beside plain ones,
comparisons of every pair of runs on the same items, and retrieval by the overlap between question and evidence. All values come
from stored traces and scores, unrounded."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from core.errors import BenchError
from core.statistics.clusters import Clusters, clusters
from core.statistics.resampling import MIN_POISSON_CLUSTERS, RESAMPLES
from core.statistics.statistics import compare_pairs
from eval.metric import split_name
from eval.reports.calibration import JudgedAnswer, is_calibrated, list_kinds, pair_with_people, record_judge, record_status
from eval.reports.comparing import (
    compare_all_runs,
    compare_failures,
    compare_versions,
    find_alarms,
    rank_runs,
    record_pair,
    summarise_comparisons,
    summarise_detectable,
)
from eval.reports.estimates import estimate_means
from eval.reports.latency import measure_latency
from eval.reports.notes import list_not_taken, list_notes
from eval.reports.results import ResultRow, Rows, RunResult, build_rows, group_rows, order_mixed
from eval.reports.run_names import name_runs
from eval.reports.summary import FigureSummary, average_points, compute_bounds, list_names, summarise_groups

OVERLAP_ENDS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Bounds (0..1) of the groups of questions by their overlap with the evidence; the last group includes 1.0."""


@dataclass(frozen=True)
class Report:
    """The comparison of several runs, with all computed values."""

    results: Sequence[RunResult]
    rows: Sequence[Rows]
    """For each run, a list of its rows (one row per trace)."""
    by: Sequence[str]
    seed: int
    resamples: int
    clusters: Clusters
    """Clusters of all runs' items, i.e. items that are not independent and are resampled together."""
    order: Sequence[str]
    """Clusters in the order in which they are resampled; all values of the report use the same resamples."""
    overall: Sequence[Sequence[Mapping[str, Any]]] = ()
    """For each run, its cells over all answers (one cell per metric)."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """A dict from CRAG's question type to its weight, for weights other than 1."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The report as JSON."""

    @cached_property
    def names(self) -> list[str]:
        """Return a short unique name for each run."""
        return name_runs([result.run for result in self.results])

    @property
    def notes(self) -> list[str]:
        """Return the notes that are shown before the tables."""
        return list_notes(self.names, self.results, self.data)

    @property
    def footnotes(self) -> list[str]:
        """Return the footnotes of a table of mean scores. They name the parameters that an agent's endpoint did not accept."""
        return list_not_taken(self.names, self.results)

    def summaries(self, rows: Rows) -> dict[str, FigureSummary]:
        """Return a dict from full metric name to the summary over some rows of one run. If there are so many clusters that each
        is resampled independently, only the clusters of these rows are resampled."""
        return self.summaries_of([rows], self.order if len(self.order) < MIN_POISSON_CLUSTERS else None)[0]

    def summaries_of(self, groups: Sequence[Rows], over: Sequence[str] | None) -> list[dict[str, FigureSummary]]:
        """Return, for each group of rows, a dict from metric to its summary, from the same resamples of the clusters in `over`
        (None = the clusters of the groups)."""
        answers = [([row.points for row in rows], self.clusters_of(rows)) for rows in groups]
        return summarise_groups(answers, self.seed, self.resamples, over)

    def clusters_of(self, rows: Rows) -> list[str]:
        return [self.clusters.of[row.item] for row in rows]

    def hawkbench(self, run: int, level: Any, metric: str) -> float | None:
        """Return HawkBench's average of a metric at one level: the plain mean of the run's domain means."""
        cells = average_cells([row for row in self.rows[run] if row.level == level])
        means = [own[metric] for own in cells.values() if metric in own]
        return float(np.mean(means)) if means else None

    def compare_runs(self, a: int, b: int, metric: str, rows_a: Rows, rows_b: Rows) -> Mapping[str, Any] | None:
        """Return the paired difference between runs `a` and `b` on the questions for which both have a value, or None if there
        are no such questions."""
        scored = ({row.key: row.points[metric].value for row in rows if metric in row.points} for rows in (rows_a, rows_b))
        values_a, values_b = ({key: value for key, value in own.items() if value is not None} for own in scored)
        differences = {key: value - values_b[key] for key, value in values_a.items() if key in values_b}
        if not differences:
            return None
        groups = [self.clusters.of[item] for item, _ in differences]
        paired = compare_pairs(list(differences.values()), groups, self.resamples, self.seed)
        return record_pair(self.results[a].run.id, self.results[b].run.id, metric, paired)


def build_report(
    results: Sequence[RunResult],
    by: Sequence[str] = ("level", "domain"),
    seed: int = 0,
    resamples: int = RESAMPLES,
    cluster: str = "document",
    weights: Mapping[str, float] = MappingProxyType({}),
) -> Report:
    """Return the report on the runs. Raises BenchError if there are no runs, or if a name in `by` or `cluster` is unknown.
    `cluster` says what is resampled as a unit: the questions of an item, or of its evidence documents too
    (core/statistics/clusters.py)."""
    if not results:
        raise BenchError("A report needs at least one run: name one.")
    rows = [build_rows(result) for result in results]
    items = {row.item: result.items[row.item] for result, own in zip(results, rows, strict=True) for row in own}
    together = clusters({id_: [span.document for span in item.evidence] for id_, item in items.items()}, cluster)
    order = list(dict.fromkeys(together.of[item] for item in sorted(items)))
    report = Report(results, rows, tuple(by), seed, resamples, together, order, weights=dict(weights))
    figures = [_compute_figures(report, own) for own in rows]
    ids = [result.run.id for result in results]
    comparisons = compare_all_runs(ids, rows, together.of, seed, resamples, order)
    data = {
        "runs": [_record_run(report, number, own) for number, own in enumerate(figures)],
        "comparisons": comparisons,
        "by": list(by),
        "seed": seed,
        "resamples": resamples,
        "summary": summarise_comparisons(comparisons),
        "ranks": rank_runs(ids, rows, together.of, seed, resamples, order),
        "detectable": summarise_detectable(comparisons),
        "failure_rates": compare_failures(ids, rows),
        "versions": compare_versions(rows),
        "alarms": find_alarms(results, rows),
        "clusters": {"by": together.by, "n": together.n, "largest": together.largest},
    }
    return replace(report, data=data, overall=[own.overall for own in figures])


def regroup_report(report: Report, by: Sequence[str]) -> Report:
    """Return the report on the same runs, grouped by the names in `by`. Values that do not depend on the grouping are not
    computed again."""
    bare = replace(report, by=tuple(by))
    cells = report.overall if not by else [_compute_figures(bare, rows, cells_alone=True).cells for rows in report.rows]
    triples = zip(report.data["runs"], cells, report.results, strict=True)
    runs = [{**run, "cells": _mark_calibrated(result, own)} for run, own, result in triples]
    return replace(bare, data={**report.data, "runs": runs, "by": list(by)})


def leave_out_items(report: Report, items: Collection[str]) -> Report:
    """Return the report on the same runs without the answers to these items. Raises BenchError if no answer is left."""

    def reduce(result: RunResult) -> RunResult:
        kept = [trace for trace in result.traces if trace.item not in items]
        scores = [score for score in result.scores if score.item not in items]
        return replace(result, traces=kept, scores=scores, asked=None, tiny={})

    results = [reduce(result) for result in report.results]
    if not any(result.traces for result in results):
        raise BenchError("No answer is left without these questions: report on all of them.")
    return build_report(results, report.by, report.seed, report.resamples, weights=report.weights)


class _Figures(NamedTuple):
    """The means of one run with their intervals, overall and by group, from the same resamples."""

    cells: Sequence[Mapping[str, Any]]
    overall: Sequence[Mapping[str, Any]]
    overlap: Sequence[Mapping[str, Any]]


def _compute_figures(report: Report, rows: Rows, cells_alone: bool = False) -> _Figures:
    groups = group_rows(rows, report.by)
    slices = {} if cells_alone else _slice_by_overlap(rows)
    every = [*groups.values(), *([] if cells_alone else [rows]), *slices.values()]
    summaries = report.summaries_of(every, report.order)
    names = list_names([row.points for row in rows])
    cells = [
        cell
        for (key, members), own in zip(groups.items(), summaries, strict=False)
        for cell in _record_cells(dict(zip(report.by, key, strict=True)), members, own, names)
    ]
    if cells_alone:
        return _Figures(cells, (), ())
    overlap = [
        {"from": low, "to": high, "metric": name, **summary.record()}
        for (low, high), own in zip(slices, summaries[len(groups) + 1 :], strict=True)
        for name, summary in own.items()
    ]
    return _Figures(cells, _record_cells({}, rows, summaries[len(groups)], names) if rows else [], overlap)


def _record_run(report: Report, number: int, figures: _Figures) -> dict[str, Any]:
    result, rows = report.results[number], report.rows[number]
    failures = Counter(trace.stop for trace in result.traces if trace.answer is None)
    run, points = result.run, [row.points for row in rows]
    means = average_points(points)
    estimates = []
    if result.tiny:
        weights, means_shown = result.tiny["weights"], {cell["metric"]: cell for cell in figures.overall}
        estimates = estimate_means(rows, weights, report.clusters.of, report.seed, report.resamples, means_shown)
    return {
        "run": run.id,
        "system": run.system.name,
        "settings": dict(run.system.settings),
        "agent": run.agent,
        "retriever": run.config.get("retriever"),
        "release": run.release,
        "repetition": run.repetition,
        "offline": list(run.offline),
        "judges": _record_judges(report, number),
        "n": len(rows),
        "latency": measure_latency(result),
        "build_seconds": result.build_seconds,
        "building": result.building and dict(result.building),
        **({"estimates": {"of": result.tiny["of"], "means": estimates}} if result.tiny else {}),
        **({"models": [dict(model) for model in result.models]} if result.models else {}),
        "failures": dict(sorted(failures.items())),
        "not_run": [dict(entry) for entry in result.not_run],
        "not_taken": result.not_taken,
        "cells": _mark_calibrated(result, figures.cells),
        "averages": {"hawkbench": _average_as_hawkbench(rows), "plain": {name: means.get(name) for name in list_names(points)}},
        "overlap": list(figures.overlap),
    }


def _record_judges(report: Report, number: int) -> list[dict[str, Any]]:
    """Return the calibration records of a run's judges, one per kind of human marks; a judge without human marks also has one
    record."""
    result, rows = report.results[number], report.rows[number]
    records: list[dict[str, Any]] = []
    for judge in result.judges:
        scores = [
            JudgedAnswer(row.item, row.variant, row.language, point.value)
            for row in rows
            if (point := row.points.get(judge.base)) is not None and point.value is not None
        ]
        kinds = list_kinds(judge, result.marks)
        records += [] if kinds else [record_status(judge)]
        for kind in kinds:
            values = pair_with_people(judge, kind, scores, result.marks)
            records.append(record_judge(judge, kind, values, report.clusters.of.__getitem__, report.seed, report.resamples))
    return records


def _mark_calibrated(result: RunResult, cells: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the cells; those of judged metrics also say whether the metric's judges are calibrated."""
    marks = {name: is_calibrated(name, result.judges) for name in {cell["metric"] for cell in cells}}
    marked = {name: {} if mark is None else {"calibrated": mark} for name, mark in marks.items()}
    return [{**cell, **marked[cell["metric"]]} for cell in cells]


def _record_cells(
    key: Mapping[str, Any], rows: Rows, summaries: Mapping[str, FigureSummary], names: Sequence[str]
) -> list[dict[str, Any]]:
    """Return one cell (a JSON record) per metric for a group of answers; if all answers of the group failed, the cells have no
    values."""
    failed = sum(row.failed for row in rows)
    cells = []
    for name in [n for n in names if n in summaries] or names:
        summary = summaries.get(name, FigureSummary(None, 0, None, None, why="every answer failed"))
        lost = sum(row.failed and name not in row.points for row in rows)
        bounds = compute_bounds(name, summary, lost)
        cells.append({**key, "metric": name, **summary.record(), "failed": failed, "bounds": bounds})
    return cells


def average_cells(rows: Rows) -> dict[tuple[Any, ...], dict[str, float]]:
    """Return {(domain, level): {metric: mean}}, unrounded. (HawkBench multiplies each mean by 100 and rounds it to two decimals
    before averaging; here, values are rounded only when they are displayed in a table.)"""
    groups = group_rows(rows, ("domain", "level"))
    return {key: average_points([row.points for row in members]) for key, members in groups.items()}


def _average_as_hawkbench(rows: Rows) -> dict[str, dict[str, float]]:
    """Return, by metric, HawkBench's averages: for each level the mean of its domain means, and under "overall" the mean of all
    (domain, level) cells. Only items with a level count."""
    by_metric: dict[str, dict[str, list[float]]] = {}
    cells = average_cells([row for row in rows if row.level is not None])
    for (_, level), means in sorted(cells.items(), key=lambda pair: order_mixed(pair[0][1])):
        for metric, mean in means.items():
            by_metric.setdefault(metric, {}).setdefault(str(level), []).append(mean)
    return {
        metric: {level: float(np.mean(means)) for level, means in levels.items()}
        | {"overall": float(np.mean([mean for means in levels.values() for mean in means]))}
        for metric, levels in sorted(by_metric.items())
    }


def _slice_by_overlap(rows: Rows) -> dict[tuple[float, float], list[ResultRow]]:
    """Return the rows grouped by the overlap between question and evidence, as a dict from (low, high) to rows that have only
    the ranking metrics."""
    slices: dict[tuple[float, float], list[ResultRow]] = {}
    for low, high in pairwise(OVERLAP_ENDS):
        members = [row for row in rows if row.overlap is not None and (low <= row.overlap < high or row.overlap == high == 1)]
        slices[low, high] = [
            replace(row, points={n: point for n, point in row.points.items() if split_name(n).part.startswith("@")})
            for row in members
        ]
    return slices
