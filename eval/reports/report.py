"""Compares runs: cells by level, domain or what was asked for, HawkBench's averages beside the plain ones, every pair of
runs on the same items, retrieval sliced by overlap. Everything comes from stored traces and scores; nothing is rounded
here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from core.errors import BenchError
from core.statistics.clusters import Clusters, clusters
from core.statistics.resampling import MIN_POISSON_CLUSTERS, RESAMPLES
from core.statistics.statistics import compare_pairs
from eval.reports.calibration import ScoredAnswer, is_calibrated, list_kinds, pair_with_people, record_judge, record_status
from eval.reports.comparing import (
    compare_all_runs,
    compare_failures,
    find_alarms,
    rank_runs,
    summarise_comparisons,
    summarise_detectable,
)
from eval.reports.latency import measure_latency
from eval.reports.metric_names import split_name
from eval.reports.results import ResultRow, RunResult, build_rows, group_rows, order_mixed
from eval.reports.summary import FigureSummary, average_points, compute_bounds, list_names, summarise_groups

Key = tuple[str, str | None]
"""Item, and variant or None."""
BINS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Ends of the overlap slices; the last one holds 1.0."""


@dataclass(frozen=True)
class Report:
    """Runs, laid side by side."""

    results: Sequence[RunResult]
    rows: Sequence[Sequence[ResultRow]]
    """By run, one a trace."""
    by: Sequence[str]
    seed: int
    resamples: int
    clusters: Clusters
    """Of the items of all runs together: what is drawn as one."""
    order: Sequence[str]
    """The clusters, in the order in which they are drawn: every figure of the report comes from the same draws."""
    overall: Sequence[Sequence[Mapping[str, Any]]] = ()
    """By run, its cells over all answers."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """CRAG's question types -> weight, where it is not 1."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The contract's JSON."""

    def summaries(self, rows: Sequence[ResultRow]) -> dict[str, FigureSummary]:
        """Figures of some rows of one run, by full metric name. Where clusters are so many that each is drawn by itself, those
        of the rows alone are."""
        return self.summaries_of([rows], self.order if len(self.order) < MIN_POISSON_CLUSTERS else None)[0]

    def summaries_of(self, groups: Sequence[Sequence[ResultRow]], over: Sequence[str] | None) -> list[dict[str, FigureSummary]]:
        """The same of each group, from one resampling of the clusters in `over`, None = of the groups' own."""
        answers = [([row.points for row in rows], self.clusters_of(rows)) for rows in groups]
        return summarise_groups(answers, self.seed, self.resamples, over)

    def clusters_of(self, rows: Sequence[ResultRow]) -> list[str]:
        """The cluster of each."""
        return [self.clusters.of[row.item] for row in rows]

    def hawkbench(self, run: int, level: Any, metric: str) -> float | None:
        """HawkBench's average of one level: the plain mean of its domains' means."""
        cells = average_cells([row for row in self.rows[run] if row.level == level])
        found = [means[metric] for means in cells.values() if metric in means]
        return float(np.mean(found)) if found else None

    def compare_runs(
        self, a: int, b: int, metric: str, rows_a: Sequence[ResultRow], rows_b: Sequence[ResultRow]
    ) -> Mapping[str, Any] | None:
        """The paired difference a - b on the answers that both have a value for; None when there is none."""
        return _compare_runs(self, a, b, metric, rows_a, rows_b)


def build_report(
    results: Sequence[RunResult],
    by: Sequence[str] = ("level", "domain"),
    seed: int = 0,
    resamples: int = RESAMPLES,
    cluster: str = "document",
    weights: Mapping[str, float] = MappingProxyType({}),
) -> Report:
    """`cluster` says what is drawn as one: the questions of an item, or also of its evidence documents
    (core/statistics/clusters.py).
    Raises BenchError without any run or on an unknown name in `by` or `cluster`."""
    if not results:
        raise BenchError("A report needs at least one run: name one.")
    rows = [build_rows(result) for result in results]
    asked = {row.item: result.items[row.item] for result, own in zip(results, rows, strict=True) for row in own}
    together = clusters({id_: [span.document for span in item.evidence] for id_, item in asked.items()}, cluster)
    order = list(dict.fromkeys(together.of[item] for item in sorted(asked)))
    bare = Report(results, rows, tuple(by), seed, resamples, together, order, weights=dict(weights))
    figures = [_figures(bare, own) for own in rows]
    made = [_run(bare, number, found) for number, found in enumerate(figures)]
    ids = [result.run.id for result in results]
    comparisons = compare_all_runs(ids, rows, together.of, seed, resamples, order)
    data = {
        "runs": made,
        "comparisons": comparisons,
        "by": list(by),
        "seed": seed,
        "resamples": resamples,
        "summary": summarise_comparisons(comparisons),
        "ranks": rank_runs(ids, rows, together.of, seed, resamples, order),
        "detectable": summarise_detectable(comparisons),
        "failure_rates": compare_failures(ids, rows),
        "alarms": find_alarms(results, rows),
        "clusters": {"by": together.by, "n": together.n, "largest": together.largest},
    }
    return replace(bare, data=data, overall=[found.overall for found in figures])


def regroup_report(report: Report, by: Sequence[str]) -> Report:
    """The same runs by other names; what does not depend on them is taken over."""
    bare = replace(report, by=tuple(by))
    cells = report.overall if not by else [_figures(bare, rows, cells_alone=True).cells for rows in report.rows]
    runs = [
        {**run, "cells": _judged_cells(result, own)}
        for run, own, result in zip(report.data["runs"], cells, report.results, strict=True)
    ]
    return replace(bare, data={**report.data, "runs": runs, "by": list(by)})


class _Figures(NamedTuple):
    """All means of one run with their intervals, from one resampling."""

    cells: Sequence[Mapping[str, Any]]
    overall: Sequence[Mapping[str, Any]]
    overlap: Sequence[Mapping[str, Any]]


def _figures(report: Report, rows: Sequence[ResultRow], cells_alone: bool = False) -> _Figures:
    groups = group_rows(rows, report.by)
    slices = {} if cells_alone else _by_overlap(rows)
    every = [*groups.values(), *([] if cells_alone else [rows]), *slices.values()]
    found = report.summaries_of(every, report.order)
    names = list_names([row.points for row in rows])
    cells = [
        cell
        for (key, members), own in zip(groups.items(), found, strict=False)
        for cell in _cells(dict(zip(report.by, key, strict=True)), members, own, names)
    ]
    if cells_alone:
        return _Figures(cells, (), ())
    overlap = [
        {"from": low, "to": high, "metric": name, **summary.record()}
        for (low, high), own in zip(slices, found[len(groups) + 1 :], strict=True)
        for name, summary in own.items()
    ]
    return _Figures(cells, _cells({}, rows, found[len(groups)], names) if rows else [], overlap)


def _run(report: Report, number: int, figures: _Figures) -> dict[str, Any]:
    result, rows = report.results[number], report.rows[number]
    failures: dict[str, int] = {}
    for trace in result.traces:
        if trace.answer is None:
            failures[trace.stop] = failures.get(trace.stop, 0) + 1
    run = result.run
    return {
        "run": run.id,
        "system": run.system.name,
        "settings": dict(run.system.settings),
        "agent": run.agent,
        "retriever": run.config.get("retriever"),
        "release": run.release,
        "repetition": run.repetition,
        "offline": list(run.offline),
        "judges": _judges(report, number),
        "n": len(rows),
        "latency": measure_latency(result),
        "build_seconds": result.build_seconds,
        "building": result.building and dict(result.building),
        "failures": dict(sorted(failures.items())),
        "not_run": [dict(entry) for entry in result.not_run],
        "cells": _judged_cells(result, figures.cells),
        "averages": {"hawkbench": _hawkbench(rows), "plain": _plain_means(rows)},
        "overlap": list(figures.overlap),
    }


def _judges(report: Report, number: int) -> list[dict[str, Any]]:
    """Each judge of a run against people, a line a kind of mark; one that nobody looked at has its line too."""
    result, rows = report.results[number], report.rows[number]
    found: list[dict[str, Any]] = []
    for one in result.judgings:
        scores = [
            ScoredAnswer(row.item, row.variant, row.language, point.value)
            for row in rows
            if (point := row.points.get(one.base)) is not None and point.value is not None
        ]
        bearing = list_kinds(one, result.marks)
        found += [] if bearing else [record_status(one)]
        for kind in bearing:
            both = pair_with_people(one, kind, scores, result.marks)
            found.append(record_judge(one, kind, both, report.clusters.of.__getitem__, report.seed, report.resamples))
    return found


def _judged_cells(result: RunResult, cells: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Figures that a judge gave say whether it is calibrated."""
    known = {cell["metric"]: is_calibrated(cell["metric"], result.judgings) for cell in cells}
    return [{**cell, **({} if known[cell["metric"]] is None else {"calibrated": known[cell["metric"]]})} for cell in cells]


def _cells(
    key: Mapping[str, Any], rows: Sequence[ResultRow], summaries: Mapping[str, FigureSummary], names: Sequence[str]
) -> list[dict[str, Any]]:
    """One a metric; a group whose every trace failed still has its line, without a metric's value."""
    failed = sum(row.failed for row in rows)
    cells = []
    for name in [n for n in names if n in summaries] or names:
        summary = summaries.get(name, FigureSummary(None, 0, None, None, why="every answer failed"))
        lost = sum(row.failed and name not in row.points for row in rows)
        figures = {**summary.record(), "failed": failed, "bounds": compute_bounds(name, summary, lost)}
        cells.append({**key, "metric": name, **figures})
    return cells


def average_cells(rows: Sequence[ResultRow]) -> dict[tuple[Any, ...], dict[str, float]]:
    """{(domain, level): {metric: mean}}, unrounded. (HawkBench rounds each cell to two decimals of a hundred before it
    averages; here rounding is left to a preset's layout.)"""
    groups = group_rows(rows, ("domain", "level"))
    return {key: average_points([row.points for row in members]) for key, members in groups.items()}


def _hawkbench(rows: Sequence[ResultRow]) -> dict[str, dict[str, float]]:
    """Per metric: each level's mean over its domains' means, and `overall`, the mean over all cells. Items with a level
    alone."""
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


def _plain_means(rows: Sequence[ResultRow]) -> dict[str, float | None]:
    """Per metric: the mean over all answers."""
    answers = [row.points for row in rows]
    means = average_points(answers)
    return {name: means.get(name) for name in list_names(answers)}


def _by_overlap(rows: Sequence[ResultRow]) -> dict[tuple[float, float], list[ResultRow]]:
    """Retrieval by how much of the question's wording stands in its evidence: the rows of each slice, ranking metrics alone."""
    found: dict[tuple[float, float], list[ResultRow]] = {}
    for low, high in pairwise(BINS):
        members = [row for row in rows if row.overlap is not None and (low <= row.overlap < high or row.overlap == high == 1)]
        found[low, high] = [
            replace(row, points={n: point for n, point in row.points.items() if split_name(n).part.startswith("@")})
            for row in members
        ]
    return found


def _compare_runs(
    report: Report, a: int, b: int, metric: str, rows_a: Sequence[ResultRow], rows_b: Sequence[ResultRow]
) -> Mapping[str, Any] | None:
    values = _differences(metric, rows_a, rows_b)
    return _record(report, a, b, metric, values) if values else None


def _differences(metric: str, rows_a: Sequence[ResultRow], rows_b: Sequence[ResultRow]) -> dict[Key, float]:
    """a - b of every answer that both have a value for, in the order of a."""
    other = {row.key: row.points[metric].value for row in rows_b if metric in row.points}
    pairs = [(row.key, row.points[metric].value, other[row.key]) for row in rows_a if metric in row.points and row.key in other]
    return {key: x - y for key, x, y in pairs if x is not None and y is not None}


def _record(report: Report, a: int, b: int, metric: str, values: Mapping[Key, float]) -> dict[str, Any]:
    found = compare_pairs(list(values.values()), [report.clusters.of[key[0]] for key in values], report.resamples, report.seed)
    return {
        "a": report.results[a].run.id,
        "b": report.results[b].run.id,
        "metric": metric,
        "n": len(values),
        "difference": found.mean,
        "low": found.low,
        "high": found.high,
        "p": found.p,
        "test": found.test,
        "wins": found.wins,
        "ties": found.ties,
        "losses": found.losses,
    }
