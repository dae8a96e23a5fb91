"""Systems against each other on the same questions, from one resampling: every pair with test, correction and effect; ranks as
intervals; what could have been seen; and what looks wrong with a run before anybody believes its figures."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from core.statistics.effects import error_of_mean, find_detectable_difference, odds, standardise_difference
from core.statistics.ranks import ranks
from core.statistics.resampling import draw
from core.statistics.statistics import compare_columns, holm, mcnemar
from eval.metric import metrics
from eval.reports.metric_names import split_name
from eval.reports.results import ResultRow, RunResult
from eval.reports.summary import list_names

Key = tuple[str, str | None]
"""Item, and variant or None."""
DIFFERENCES_PER_BLOCK = 500
"""Differences laid out at a time."""
MIN_EQUAL_QUESTIONS = 10
"""Questions from which on the same passages for all of them, or the same value, are no accident."""


def is_quality(name: str) -> bool:
    """Whether more of it is better and it is a metric's own figure, no part of it and no single judge's."""
    metric, base, part = split_name(name)
    known = metrics().get(metric)
    own = part == "" or part.startswith("@")
    return own and ".judge" not in base and known is not None and known.higher_is_better is True


def compare_all_runs(
    ids: Sequence[str],
    rows: Sequence[Sequence[ResultRow]],
    clusters: Mapping[str, str],
    seed: int,
    resamples: int,
    over: Sequence[str] | None = None,
) -> list[dict[str, Any]]:
    """Every pair of runs on every metric of quality (costs and length are no contest) that both have values of, corrected
    together by Holm; all of them drawn together."""
    if len(ids) < 2:
        return []
    keys, tables = lay_out_values(rows)
    groups = [clusters[key[0]] for key in keys]
    wanted = [
        (a, b, name)
        for a, b in combinations(range(len(ids)), 2)
        for name in tables
        if not (np.isnan(tables[name][:, a] - tables[name][:, b]).all())
    ]
    found: list[dict[str, Any]] = []
    for first in range(0, len(wanted), DIFFERENCES_PER_BLOCK):
        block = wanted[first : first + DIFFERENCES_PER_BLOCK]
        differences = np.column_stack([tables[name][:, a] - tables[name][:, b] for a, b, name in block])
        tested = compare_columns(differences, groups, resamples, seed, over=over)
        for column, ((a, b, name), one) in enumerate(zip(block, tested, strict=True)):
            there = np.flatnonzero(~np.isnan(differences[:, column]))
            values = differences[there, column].tolist()
            is_binary = _is_binary(tables[name][there][:, [a, b]])
            found.append(
                {
                    "a": ids[a],
                    "b": ids[b],
                    "metric": name,
                    "n": one.n,
                    "difference": one.mean,
                    "low": one.low,
                    "high": one.high,
                    "p": one.p,
                    "test": one.test,
                    "wins": one.wins,
                    "ties": one.ties,
                    "losses": one.losses,
                    "effect": standardise_difference(values),
                    "odds": odds(one.wins, one.losses) if is_binary else None,
                    "mcnemar": mcnemar(one.wins, one.losses) if is_binary else None,
                    "detectable": find_detectable_difference(error_of_mean(values, [groups[place] for place in there])),
                    **({"why": one.why} if one.why else {}),
                }
            )
    corrected = holm([one["p"] for one in found])
    return [{**one, "p_corrected": p} for one, p in zip(found, corrected, strict=True)]


def lay_out_values(rows: Sequence[Sequence[ResultRow]]) -> tuple[list[Key], dict[str, Any]]:
    """(questions in order, per metric of quality that two runs or more have a table questions x runs; NaN = no value)."""
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
    """What may be said of all of them."""
    if not comparisons:
        return "Nothing is compared: no two runs share a scored question."
    holding = sum(is_significant(one) for one in comparisons)
    are = "difference holds" if len(comparisons) == 1 else "differences hold"
    rest = "" if holding == len(comparisons) else "; the rest are not decided"
    return f"{holding:,} of {len(comparisons):,} {are} at p < .05 after Holm's correction{rest}."


def is_significant(comparison: Mapping[str, Any]) -> bool:
    """Whether a difference is told from 0 after Holm's correction."""
    return comparison["p_corrected"] is not None and comparison["p_corrected"] < 0.05


def rank_runs(
    ids: Sequence[str],
    rows: Sequence[Sequence[ResultRow]],
    clusters: Mapping[str, str],
    seed: int,
    resamples: int,
    over: Sequence[str] | None = None,
) -> list[dict[str, Any]]:
    """Per metric and run that has it: its place with an interval, on the questions that all those runs have a value for."""
    if len(ids) < 2:
        return []
    keys, tables = lay_out_values(rows)
    found: list[dict[str, Any]] = []
    for name, table in tables.items():
        columns = np.flatnonzero(~np.isnan(table).all(axis=0)).tolist()
        shared = np.flatnonzero(~np.isnan(table[:, columns]).any(axis=1))
        groups = [clusters[keys[place][0]] for place in shared]
        base = {"metric": name, "n": len(shared), "of": len(columns)}
        if len(set(groups)) < 2:
            why = "undefined, because fewer than two clusters of questions have a value of every run"
            found += [{**base, "run": ids[i], "rank": None, "low": None, "high": None, "why": why} for i in columns]
            continue
        drawn = draw(table[shared][:, columns], groups, resamples, seed, over)
        found += [
            {**base, "run": ids[i], **one._asdict()}
            for i, one in zip(columns, ranks(drawn.means, drawn.resampled), strict=True)
        ]
    return found


def summarise_detectable(comparisons: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By metric: the smallest true difference that these questions find four times in five (p < .05, one pair alone): the
    middle one of its pairs, and of how many questions."""
    by_metric: dict[str, list[Mapping[str, Any]]] = {}
    for one in comparisons:
        by_metric.setdefault(one["metric"], []).append(one)
    found: dict[str, dict[str, Any]] = {}
    for name, own in sorted(by_metric.items()):
        known = [one for one in own if one["detectable"] is not None]
        n = int(np.median([one["n"] for one in own]))
        if known:
            found[name] = {"difference": float(np.median([one["detectable"] for one in known])), "n": n, "power": 0.8}
        else:
            found[name] = {"difference": None, "n": n, "power": 0.8, "why": "undefined, because no difference varies"}
    return found


def compare_failures(ids: Sequence[str], rows: Sequence[Sequence[ResultRow]]) -> list[dict[str, Any]]:
    """Pairs of runs whose answers fail at different rates on the same questions: exact McNemar, corrected by Holm."""
    failed = [{row.key: row.failed for row in own} for own in rows]
    tested: list[dict[str, Any]] = []
    for a, b in combinations(range(len(ids)), 2):
        shared = failed[a].keys() & failed[b].keys()
        more = sum(failed[a][key] and not failed[b][key] for key in shared)
        less = sum(failed[b][key] and not failed[a][key] for key in shared)
        if more + less:
            counts = {"failed_a": sum(failed[a][key] for key in shared), "failed_b": sum(failed[b][key] for key in shared)}
            tested.append({"a": ids[a], "b": ids[b], "n": len(shared), **counts, "p": mcnemar(more, less)})
    corrected = holm([one["p"] for one in tested])
    return [{**one, "p_corrected": p} for one, p in zip(tested, corrected, strict=True) if p is not None and p < 0.05]


def find_alarms(results: Sequence[RunResult], rows: Sequence[Sequence[ResultRow]]) -> list[dict[str, Any]]:
    """What no run should show: the same passages for every question, or one value of a metric for every answer."""
    found: list[dict[str, Any]] = []
    for result, own in zip(results, rows, strict=True):
        if result.same_passages and result.same_passages >= MIN_EQUAL_QUESTIONS:
            what = f"retrieval gave the same passages for all {result.same_passages} questions: its index or its query is wrong"
            found.append({"run": result.run.id, "alarm": "same passages", "message": what})
        for name in filter(is_quality, list_names([row.points for row in own])):
            points = [row.points[name] for row in own if name in row.points]
            given: list[float] = [point.value for point in points if point.value is not None]
            if len(given) >= MIN_EQUAL_QUESTIONS and len(set(given)) == 1:
                what = f"{name} is {given[0]:g} for all {len(given)} answers: its spread and every effect are undefined"
                found.append({"run": result.run.id, "alarm": "all equal", "metric": name, "message": what})
    return found


def _is_binary(values: Any) -> bool:
    """Whether a metric gives 0 and 1 alone."""
    return bool(np.isin(values, (0.0, 1.0)).all())
