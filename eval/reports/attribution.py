"""Where answers are lost: each question of a run beside the same agent's answers with the gold evidence (oracle) and with no
context (closed_book). Wrong answers are retrieval misses, evidence ignored or wrong despite evidence; right ones may have
needed none."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from eval.reports.results import ResultRow, Rows, order_mixed

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
"""The runs that it needs, by the same agent on the same release."""
THRESHOLD = 0.5
_RECALL = re.compile(r"evidence_recall@(\d+)")


@dataclass(frozen=True, slots=True)
class Attribution:
    """One run's questions by where their answers were won or lost."""

    metric: str
    threshold: float
    """An answer with at least this value of the metric counts as right."""
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
        counts = Counter(self.of.values())
        return {state: counts[state] for state in STATES}


def attribute_answers(rows: Rows, oracle: Rows, closed_book: Rows, metric: str, threshold: float = THRESHOLD) -> Attribution:
    """Returns the state of each question of `rows`.
    Evidence was found when the passages hit every gold span (evidence_recall at its deepest cut is 1). A question that lacks
    a value is not known, never guessed."""
    with_gold = {row.key: row for row in oracle}
    without = {row.key: row for row in closed_book}

    def is_right(row: ResultRow | None) -> bool | None:
        point = row.points.get(metric) if row else None
        return None if point is None or point.value is None else point.value >= threshold

    def find_state(row: ResultRow) -> State:
        if row.failed:
            return "failed"
        answer = is_right(row)
        other = is_right((without if answer else with_gold).get(row.key))
        if answer is None or other is None:
            return "not known"
        if answer:
            return "right without evidence" if other else "right with evidence"
        if not other:
            return "wrong despite evidence"
        found_all = _has_found_all(row)
        return "not known" if found_all is None else "evidence ignored" if found_all else "retrieval miss"

    states = {row.key: find_state(row) for row in rows}
    levels: dict[Any, Counter[str]] = {}
    for row in rows:
        levels.setdefault(row.level, Counter())[states[row.key]] += 1
    ordered = [(level, dict(levels[level])) for level in sorted(levels, key=order_mixed)]
    return Attribution(metric, threshold, states, ordered)


def _has_found_all(row: ResultRow) -> bool | None:
    """Returns it by the deepest cut that was scored; None = retrieval was not measured."""
    cuts = {int(match[1]): row.points[name].value for name in row.points if (match := _RECALL.fullmatch(name))}
    recalls = {k: value for k, value in cuts.items() if value is not None}
    return recalls[max(recalls)] >= 1.0 if recalls else None
