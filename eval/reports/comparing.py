"""Compare systems on the same questions, with the same bootstrap resamples: every pair with test, correction and effect size;
ranks with intervals; the smallest detectable differences; and warnings about runs with suspicious values."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from core.statistics.effects import error_of_mean, find_detectable_difference, odds, standardise_difference
from core.statistics.ranks import ranks
from core.statistics.resampling import draw
from core.statistics.statistics import PairedDifference, compare_columns, holm, mcnemar
from eval.metric import metrics, split_name
from eval.reports.results import RowKey, Rows, RunResult
from eval.reports.summary import list_names

DIFFERENCES_PER_BLOCK = 500
"""Number of pairs' differences that are computed in one block, to limit memory."""
MIN_EQUAL_QUESTIONS = 10
"""Least number of questions for a warning about equal passages, or equal values, for all questions; with so many questions,
equality is no coincidence."""


def is_quality(name: str) -> bool:
    """Check whether the name is that of a metric's main value, and higher values of the metric are better. Other parts of a
    metric, and values of a single judge, do not count."""
    metric, base, part = split_name(name)
    entry = metrics().get(metric)
    if entry is None or ".judge" in base or entry.higher_is_better is not True:
        return False
    return part in ("", entry.headline) or part.startswith("@")


def compare_all_runs(
    ids: Sequence[str],
    rows: Sequence[Rows],
    clusters: Mapping[str, str],
    seed: int,
    resamples: int,
    over: Sequence[str] | None = None,
) -> list[dict[str, Any]]:
    """Return the comparison of every two runs on every quality metric (not cost or length) for which both have values. All
    comparisons share the bootstrap resamples and one Holm correction."""
    if len(ids) < 2:
        return []
    keys, tables = lay_out_values(rows)
    groups = [clusters[key[0]] for key in keys]
    pairs = [
        (a, b, name)
        for a, b in combinations(range(len(ids)), 2)
        for name in tables
        if not (np.isnan(tables[name][:, a] - tables[name][:, b]).all())
    ]
    records: list[dict[str, Any]] = []
    for first in range(0, len(pairs), DIFFERENCES_PER_BLOCK):
        block = pairs[first : first + DIFFERENCES_PER_BLOCK]
        differences = np.column_stack([tables[name][:, a] - tables[name][:, b] for a, b, name in block])
        tested = compare_columns(differences, groups, resamples, seed, over=over)
        for column, ((a, b, name), paired) in enumerate(zip(block, tested, strict=True)):
            both = np.flatnonzero(~np.isnan(differences[:, column]))
            values = differences[both, column].tolist()
            is_binary = bool(np.isin(tables[name][both][:, [a, b]], (0.0, 1.0)).all())
            error = error_of_mean(values, [groups[place] for place in both])
            records.append(
                {
                    **record_pair(ids[a], ids[b], name, paired),
                    "effect": standardise_difference(values),
                    "odds": odds(paired.wins, paired.losses) if is_binary else None,
                    "mcnemar": mcnemar(paired.wins, paired.losses) if is_binary else None,
                    "detectable": find_detectable_difference(error),
                    **({"why": paired.why} if paired.why else {}),
                }
            )
    return correct_p_values(records)


def record_pair(a: str, b: str, metric: str, paired: PairedDifference) -> dict[str, Any]:
    """Return the comparison of runs `a` and `b` on a metric, with their paired difference, as JSON values."""
    figures = {name: getattr(paired, name) for name in ("low", "high", "p", "test", "wins", "ties", "losses")}
    return {"a": a, "b": b, "metric": metric, "n": paired.n, "difference": paired.mean, **figures}


def correct_p_values(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the comparisons with p values corrected by Holm's method."""
    corrected = holm([record["p"] for record in records])
    return [{**record, "p_corrected": p} for record, p in zip(records, corrected, strict=True)]


def lay_out_values(rows: Sequence[Rows]) -> tuple[list[RowKey], dict[str, Any]]:
    """Return two values: the questions in order, and a dict from quality metric to an array of values (questions, runs), with
    NaN for a missing value. A metric with values in only one run is left out."""
    keys = sorted({row.key for own in rows for row in own}, key=lambda key: (key[0], key[1] or ""))
    place = {key: i for i, key in enumerate(keys)}
    named = [{name for row in own for name in row.points} for own in rows]
    shared = sorted(name for name in set().union(*named) if is_quality(name) and sum(name in own for own in named) > 1)
    tables = {name: np.full((len(keys), len(rows)), np.nan) for name in shared}
    for column, own in enumerate(rows):
        for row in own:
            for name, point in row.points.items():
                if name in tables and point.value is not None:
                    tables[name][place[row.key], column] = point.value
    return keys, tables


def summarise_comparisons(comparisons: Sequence[Mapping[str, Any]]) -> str:
    """Return one sentence that says how many of the comparisons are significant."""
    if not comparisons:
        return "Nothing is compared: no two runs share a scored question."
    holding = sum(is_significant(comparison) for comparison in comparisons)
    are = "difference holds" if len(comparisons) == 1 else "differences hold"
    rest = "" if holding == len(comparisons) else "; the other differences are not decided"
    return f"{holding:,} of {len(comparisons):,} {are} at p < .05 after Holm's correction{rest}."


def is_significant(comparison: Mapping[str, Any]) -> bool:
    """Check whether a comparison's difference is significant: p < 0.05 after Holm's correction."""
    return comparison["p_corrected"] is not None and comparison["p_corrected"] < 0.05


def rank_runs(
    ids: Sequence[str],
    rows: Sequence[Rows],
    clusters: Mapping[str, str],
    seed: int,
    resamples: int,
    over: Sequence[str] | None = None,
) -> list[dict[str, Any]]:
    """Return the rank of each run by each metric with an interval, on the questions for which every run has a value."""
    if len(ids) < 2:
        return []
    keys, tables = lay_out_values(rows)
    records: list[dict[str, Any]] = []
    for name, table in tables.items():
        columns = np.flatnonzero(~np.isnan(table).all(axis=0)).tolist()
        shared = np.flatnonzero(~np.isnan(table[:, columns]).any(axis=1))
        groups = [clusters[keys[place][0]] for place in shared]
        base = {"metric": name, "n": len(shared), "of": len(columns)}
        if len(set(groups)) < 2:
            why = "undefined, because fewer than two clusters of questions have a value of every run"
            records += [{**base, "run": ids[i], "rank": None, "low": None, "high": None, "why": why} for i in columns]
            continue
        drawn = draw(table[shared][:, columns], groups, resamples, seed, over)
        places = zip(columns, ranks(drawn.means, drawn.resampled), strict=True)
        records += [{**base, "run": ids[i], **rank._asdict()} for i, rank in places]
    return records


def summarise_detectable(comparisons: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return, by metric, the smallest true difference that these questions can detect with a power of 0.8 (p < .05,
    uncorrected): the median over the pairs of runs, with the number of questions."""
    by_metric: dict[str, list[Mapping[str, Any]]] = {}
    for comparison in comparisons:
        by_metric.setdefault(comparison["metric"], []).append(comparison)
    records: dict[str, dict[str, Any]] = {}
    for name, own in sorted(by_metric.items()):
        values = [comparison["detectable"] for comparison in own if comparison["detectable"] is not None]
        median = float(np.median(values)) if values else None
        records[name] = {"difference": median, "n": int(np.median([comparison["n"] for comparison in own])), "power": 0.8}
        if not values:
            records[name]["why"] = "undefined, because no difference varies"
    return records


def compare_failures(ids: Sequence[str], rows: Sequence[Rows]) -> list[dict[str, Any]]:
    """Return the pairs of runs that fail at different rates on the same questions (exact McNemar test, Holm's correction)."""
    failed = [{row.key: row.failed for row in own} for own in rows]
    tested: list[dict[str, Any]] = []
    for a, b in combinations(range(len(ids)), 2):
        shared = failed[a].keys() & failed[b].keys()
        more = sum(failed[a][key] and not failed[b][key] for key in shared)
        less = sum(failed[b][key] and not failed[a][key] for key in shared)
        if more + less:
            counts = {"failed_a": sum(failed[a][key] for key in shared), "failed_b": sum(failed[b][key] for key in shared)}
            tested.append({"a": ids[a], "b": ids[b], "n": len(shared), **counts, "p": mcnemar(more, less)})
    return [record for record in correct_p_values(tested) if is_significant(record)]


def compare_versions(rows: Sequence[Rows]) -> list[dict[str, Any]]:
    """Return the metrics that scored some of the questions that several runs share by different versions, as {"metric", "n",
    "differ"}: the number of these questions, and of those with several versions. The version of a score names the nugget set
    or question set that a person wrote, and the votes of the judges."""
    versions: dict[str, set[str]] = {}
    for row in (row for own in rows for row in own):
        for name, point in row.points.items():
            versions.setdefault(name, set()).add(point.version)
    bases = {split_name(name).base: name for name, found in sorted(versions.items(), reverse=True) if len(found) > 1}
    records = []
    for base, name in sorted(bases.items()):
        by_key: dict[RowKey, list[str]] = {}
        for row in (row for own in rows for row in own if name in row.points):
            by_key.setdefault(row.key, []).append(row.points[name].version)
        shared = [found for found in by_key.values() if len(found) > 1]
        if differ := sum(len(set(found)) > 1 for found in shared):
            records.append({"metric": base, "n": len(shared), "differ": differ})
    return records


def find_alarms(results: Sequence[RunResult], rows: Sequence[Rows]) -> list[dict[str, Any]]:
    """Return warnings about runs that retrieved the same passages for all questions, or in which a metric has the same value
    for all answers."""
    alarms: list[dict[str, Any]] = []
    for result, own in zip(results, rows, strict=True):
        n = result.same_passages
        if n and n >= MIN_EQUAL_QUESTIONS:
            words = f"retrieval gave the same passages for all {n} questions: its index or its query is wrong"
            alarms.append({"run": result.run.id, "alarm": "same passages", "message": words})
        for name in filter(is_quality, list_names([row.points for row in own])):
            points = [row.points[name] for row in own if name in row.points]
            values: list[float] = [point.value for point in points if point.value is not None]
            if len(values) >= MIN_EQUAL_QUESTIONS and len(set(values)) == 1:
                words = f"{name} is {values[0]:g} for all {len(values)} answers: its spread and every effect are undefined"
                alarms.append({"run": result.run.id, "alarm": "all equal", "metric": name, "message": words})
    return alarms
