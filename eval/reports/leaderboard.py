"""Compute R-Eval's leaderboard (Table 3 of the paper): the mean per task, the mean per domain over its tasks, the mean over all
tasks, and the ranks by each. Tasks have equal weight, whatever their number of questions."""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from core.nouns import Level
from eval.reports.results import order_mixed

K = TypeVar("K", bound=Hashable)
LEVELS = ("KS", "KU", "KA")
"""R-Eval's levels in the paper's order: knowledge seeking (KS), understanding (KU), application (KA)."""


class TaskKey(NamedTuple):
    """One task of R-Eval's leaderboard, with its domain and level."""

    task: str
    level: Level
    domain: str


def average_all(values: Sequence[float | None]) -> float | None:
    """Return the plain mean of the tasks' values. The mean is None if any value is missing, because means over different tasks
    are not comparable."""
    numbers = [value for value in values if value is not None]
    return sum(numbers) / len(numbers) if numbers and len(numbers) == len(values) else None


def average_domains(means: Mapping[TaskKey, float | None]) -> dict[str, float | None]:
    """Return a dict from domain to the unweighted mean over its tasks; None if a task has no value."""
    domains = sorted({key.domain for key in means})
    return {domain: average_all([value for key, value in means.items() if key.domain == domain]) for domain in domains}


def sum_levels(means: Mapping[TaskKey, float | None]) -> dict[Level, float | None]:
    """Return a dict from level to the sum over its tasks, by which R-Eval ranks systems at that level; None if a task has no
    value."""
    sums: dict[Level, float | None] = {}
    for level in dict.fromkeys(key.level for key in means):
        values = [value for key, value in means.items() if key.level == level]
        average = average_all(values)
        sums[level] = None if average is None else average * len(values)
    return sums


def rank_values(values: Mapping[K, float | None]) -> dict[K, float | None]:
    """Return a dict from key to the rank of its value, 1 = the highest; equal values share their mean rank, as in pandas."""
    numbers = [value for value in values.values() if value is not None]
    return {
        key: None if value is None else sum(other > value for other in numbers) + (numbers.count(value) + 1) / 2
        for key, value in values.items()
    }


def order_level(level: Level) -> tuple[int, tuple[int, float, str]]:
    """Return a sort key for levels: first the paper's levels in the paper's order, then all other levels."""
    return (LEVELS.index(level) if level in LEVELS else len(LEVELS)), order_mixed(level)
