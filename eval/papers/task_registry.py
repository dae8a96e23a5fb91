"""The task registry: every kind of question with its level, domain, origin, metric, number of questions, number of frozen
questions, seasons, and the number of systems that score above 0 on it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.nouns import Level
from eval.reports.leaderboard import LEVELS, order_level


@dataclass(frozen=True, slots=True)
class RegisteredTask:
    """One row of the registry."""

    task: str
    level: Level
    domain: str
    dataset: str
    metric: str
    """First metric of the task."""
    context: str
    """Source from which a system answers."""
    is_refreshing: bool
    """Whether questions come from templates, so that new ones can be made from the current tables."""
    pool: int
    """Number of questions that are not discarded."""
    frozen: int
    """Number of these questions in the newest release that contains any."""
    release: str
    """Id of that release; "" = no release contains any."""
    seasons: Sequence[str] = ()
    """Season ids, newest first."""
    tried: int = 0
    """Number of pairs of a system and an agent with a reward on the task."""
    feasible: int = 0
    """Number of these pairs with a reward above 0."""


@dataclass(frozen=True, slots=True)
class TaskFeasibility:
    """The result of one system with its agent on one task, over all its runs."""

    system: str
    agent: str
    place: tuple[str, Level, str, str]
    """Task, level, domain, data set."""
    n: int
    above: int
    """Number of answers with a reward above 0."""


@dataclass(frozen=True, slots=True)
class TaskRegistry:
    """A workspace's tasks."""

    tasks: Sequence[RegisteredTask]
    seasons: Sequence[Mapping[str, Any]] = ()
    """{"id", "seed", "n", "templates", "data_hash", "made_at"}, newest first."""
    feasible: Sequence[TaskFeasibility] = ()

    def number_tasks(self) -> list[tuple[str, RegisteredTask]]:
        """Return each task with R-Eval's id: the level's number and the task's number within it; 1-1 = the first of KS."""
        numbered: list[tuple[str, RegisteredTask]] = []
        counts: Counter[str] = Counter()
        for task in sorted(self.tasks, key=lambda task: (order_level(task.level), task.domain, task.dataset, task.task)):
            head = str(LEVELS.index(task.level) + 1) if task.level in LEVELS else f"L{task.level}"
            head = "0" if task.level is None else head
            counts[head] += 1
            numbered.append((f"{head}-{counts[head]}", task))
        return numbered
