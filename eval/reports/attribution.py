"""Find the cause of each wrong answer of a run, by comparison with the same agent's answers from the gold evidence (system
oracle) and without any context (system closed_book). A wrong answer is classified as a retrieval miss, as ignored evidence, or
as wrong despite evidence; a right answer may be classified as not needing evidence."""

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
"""Systems whose runs are needed for the comparison, with the same agent on the same release."""
FAILURE_THRESHOLD = 0.5
_RECALL = re.compile(r"evidence_recall@(\d+)")


@dataclass(frozen=True, slots=True)
class Attribution:
    """The questions of one run, each with the cause of its right or wrong answer."""

    metric: str
    threshold: float
    """Least value of the metric at which an answer counts as right."""
    of: Mapping[tuple[str, str | None], State]
    """A dict from (item, variant) to the state of the question, which is the cause of the wrong or right answer."""
    by_level: Sequence[tuple[Any, Mapping[str, int]]]
    """(level, {state: number of questions}) for each level, in order."""

    @property
    def n(self) -> int:
        return len(self.of)

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of questions in each state, over all levels."""
        counts = Counter(self.of.values())
        return {state: counts[state] for state in STATES}


def attribute_answers(
    rows: Rows, oracle: Rows, closed_book: Rows, metric: str, threshold: float = FAILURE_THRESHOLD
) -> Attribution:
    """Return the state (cause of a right or wrong answer) of each question in `rows`, from the same agent's rows of the systems
    oracle and closed_book. Evidence counts as found if the passages hit every gold span. If a value needed for this decision is
    missing, the state is "not known"."""
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
    """Check whether the retrieved passages hit all gold evidence, at the largest scored k; None = retrieval was not
    measured."""
    cuts = {int(match[1]): row.points[name].value for name in row.points if (match := _RECALL.fullmatch(name))}
    recalls = {k: value for k, value in cuts.items() if value is not None}
    return recalls[max(recalls)] >= 1.0 if recalls else None
