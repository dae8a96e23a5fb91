"""The task registry: every kind of question, at which level of which domain, where it is from, how it is scored, how many there
are and how many are frozen, in which seasons, and which systems can do it at all: those above 0 on the benchmark."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.nouns import Level
from eval.reports.leaderboard import LEVELS, order_level


@dataclass(frozen=True, slots=True)
class RegisteredTask:
    """A line of the registry."""

    task: str
    level: Level
    domain: str
    dataset: str
    metric: str
    """Its first metric."""
    context: str
    """What a system answers it from."""
    is_refreshing: bool
    """Made from templates, so that new questions and answers come from the tables as they are; others exist once."""
    pool: int
    """Questions that nobody discarded."""
    frozen: int
    """Those of them that the newest release with any of them holds."""
    release: str
    """That release; "" = none holds any."""
    seasons: Sequence[str] = ()
    """Ids, newest first."""
    tried: int = 0
    """Pairs of a system and an agent that were run on it and rewarded."""
    feasible: int = 0
    """Those of them with more than 0."""


@dataclass(frozen=True, slots=True)
class TaskFeasibility:
    """What one system with its agent reached at one task, all its runs together."""

    system: str
    agent: str
    place: tuple[str, Level, str, str]
    """Task, level, domain, data set."""
    n: int
    above: int
    """Answers with more than 0."""


@dataclass(frozen=True, slots=True)
class TaskRegistry:
    """A workspace's tasks."""

    tasks: Sequence[RegisteredTask]
    seasons: Sequence[Mapping[str, Any]] = ()
    """{"id", "seed", "n", "templates", "data_hash", "made_at"}, newest first."""
    feasible: Sequence[TaskFeasibility] = ()

    def number_tasks(self) -> list[tuple[str, RegisteredTask]]:
        """Returns each task with R-Eval's id: the level's number and the task's in it; 1-1 = the first of KS."""
        numbered: list[tuple[str, RegisteredTask]] = []
        counts: Counter[str] = Counter()
        for task in sorted(self.tasks, key=lambda task: (order_level(task.level), task.domain, task.dataset, task.task)):
            head = str(LEVELS.index(task.level) + 1) if task.level in LEVELS else f"L{task.level}"
            head = "0" if task.level is None else head
            counts[head] += 1
            numbered.append((f"{head}-{counts[head]}", task))
        return numbered
