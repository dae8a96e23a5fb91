"""Where answers are lost: each question of a run beside the same agent's answers with the gold evidence (oracle) and with
no context (closed_book). Wrong answers are retrieval misses, evidence ignored or wrong despite evidence; right ones may have
needed none."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from eval.reports.results import ResultRow, order_mixed

State = Literal[
    "right with evidence",
    "right without evidence",
    "retrieval miss",
    "evidence ignored",
    "wrong despite evidence",
    "failed",
    "not known",
]
STATES: tuple[State, ...] = get_args(State)
COMPANIONS = ("oracle", "closed_book")
"""The runs that it takes, by the same agent on the same release."""
THRESHOLD = 0.5
_RECALL = re.compile(r"evidence_recall@(\d+)")


@dataclass(frozen=True, slots=True)
class Attribution:
    """One run's questions by what became of them."""

    metric: str
    threshold: float
    """From this value of the metric on an answer counts as right."""
    of: Mapping[tuple[str, str | None], State]
    """(item, variant) -> state."""
    by_level: Sequence[tuple[Any, Mapping[str, int]]]
    """(level, {state: questions}), levels in order."""

    @property
    def n(self) -> int:
        return len(self.of)

    @property
    def counts(self) -> dict[str, int]:
        """All levels together."""
        found = Counter(self.of.values())
        return {state: found[state] for state in STATES}


def attribute_answers(
    rows: Sequence[ResultRow],
    oracle: Sequence[ResultRow],
    closed_book: Sequence[ResultRow],
    metric: str,
    threshold: float = THRESHOLD,
) -> Attribution:
    """Of each question of `rows`: right means at or above the threshold. Evidence was found when the passages hit every gold
    span (evidence_recall at its deepest cut is 1). What lacks a value is not known, and no guess."""
    with_gold = {row.key: row for row in oracle}
    without = {row.key: row for row in closed_book}
    of = {row.key: _state(row, with_gold.get(row.key), without.get(row.key), metric, threshold) for row in rows}
    levels: dict[Any, Counter[str]] = {}
    for row in rows:
        levels.setdefault(row.level, Counter())[of[row.key]] += 1
    ordered = [(level, dict(levels[level])) for level in sorted(levels, key=order_mixed)]
    return Attribution(metric, threshold, of, ordered)


def _state(row: ResultRow, oracle: ResultRow | None, closed_book: ResultRow | None, metric: str, threshold: float) -> State:
    if row.failed:
        return "failed"
    is_right = _is_right(row, metric, threshold)
    if is_right is None:
        return "not known"
    if is_right:
        knew = _is_right(closed_book, metric, threshold)
        return "not known" if knew is None else "right without evidence" if knew else "right with evidence"
    could = _is_right(oracle, metric, threshold)
    if could is None:
        return "not known"
    if not could:
        return "wrong despite evidence"
    found = _all_found(row)
    return "not known" if found is None else "evidence ignored" if found else "retrieval miss"


def _is_right(row: ResultRow | None, metric: str, threshold: float) -> bool | None:
    point = row.points.get(metric) if row else None
    return None if point is None or point.value is None else point.value >= threshold


def _all_found(row: ResultRow) -> bool | None:
    """By the deepest cut that was scored; None = retrieval was not measured."""
    cuts = {int(match[1]): row.points[name].value for name in row.points if (match := _RECALL.fullmatch(name))}
    known = {k: value for k, value in cuts.items() if value is not None}
    return known[max(known)] >= 1.0 if known else None
