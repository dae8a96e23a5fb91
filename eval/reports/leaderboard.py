"""R-Eval's leaderboard (Table 3 of the paper): a task's mean, a domain's mean over its tasks, the mean over all tasks, and the
places by each. Tasks weigh the same, however many questions they have. Nothing is rounded but what is given rounded."""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from core.nouns import Level
from eval.reports.results import order_mixed

K = TypeVar("K", bound=Hashable)
LEVELS = ("KS", "KU", "KA")
"""Knowledge seeking, understanding, application: the paper's order."""


class TaskKey(NamedTuple):
    """One task of the leaderboard."""

    task: str
    level: Level
    domain: str


def average_all(values: Sequence[float | None]) -> float | None:
    """Plain mean; None where a value is missing, since a mean of some tasks compares with no mean of all."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def average_domains(means: Mapping[TaskKey, float | None]) -> dict[str, float | None]:
    """Each domain's unweighted mean over its tasks, by name."""
    domains = sorted({key.domain for key in means})
    return {domain: average_all([value for key, value in means.items() if key.domain == domain]) for domain in domains}


def sum_levels(means: Mapping[TaskKey, float | None]) -> dict[Level, float | None]:
    """The sum of a level's tasks, by which systems are ranked at it."""
    found: dict[Level, float | None] = {}
    for level in dict.fromkeys(key.level for key in means):
        values = [value for key, value in means.items() if key.level == level]
        average = average_all(values)
        found[level] = None if average is None else average * len(values)
    return found


def rank_values(values: Mapping[K, float | None]) -> dict[K, float | None]:
    """1 = the highest; equal values share the mean of their places (pandas' rank by average). One without a value has none."""
    known = [value for value in values.values() if value is not None]
    return {
        key: None if value is None else sum(other > value for other in known) + (known.count(value) + 1) / 2
        for key, value in values.items()
    }


def order_level(level: Level) -> tuple[int, tuple[int, float, str]]:
    """A sort key: the paper's levels first, in its order, any other after them."""
    return (LEVELS.index(level) if level in LEVELS else len(LEVELS)), order_mixed(level)
