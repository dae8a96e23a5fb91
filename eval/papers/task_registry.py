"""List every kind of question in a workspace: its level, domain, origin, metric, seasons, the numbers of all questions and of
frozen questions, and how many systems score above 0 on it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.nouns import Level
from eval.reports.leaderboard import LEVELS, order_level


@dataclass(frozen=True, slots=True)
class RegisteredTask:
    """One kind of question in R-Eval's task registry."""

    task: str
    level: Level
    domain: str
    dataset: str
    metric: str
    """The main metric of the task, which is the first metric that the task declares."""
    context: str
    """Kind of source that the answers are in: documents, tables, web pages, ..."""
    is_refreshing: bool
    """Whether the questions are made from templates, so that new questions can be made from the current tables."""
    pool: int
    """Number of the task's questions that are not discarded."""
    frozen: int
    """Number of the task's questions in the newest release that contains any of them."""
    release: str
    """Id of the newest release that contains questions of the task; "" = no release contains any."""
    seasons: Sequence[str] = ()
    """Ids of the seasons that contain questions of the task, newest first."""
    tried: int = 0
    """Number of (system, agent) pairs that have a reward on the task."""
    feasible: int = 0
    """Number of (system, agent) pairs that have a reward above 0 on the task."""


@dataclass(frozen=True, slots=True)
class TaskFeasibility:
    """Whether one system with its agent can do one task, over all its runs."""

    system: str
    agent: str
    place: tuple[str, Level, str, str]
    """The task, as (task, level, domain, data set)."""
    n: int
    above: int
    """Number of answers to the task with a reward above 0."""


@dataclass(frozen=True, slots=True)
class TaskRegistry:
    """All kinds of questions of a workspace, with its seasons and the results of systems."""

    tasks: Sequence[RegisteredTask]
    seasons: Sequence[Mapping[str, Any]] = ()
    """The workspace's seasons as {"id", "seed", "n", "templates", "data_hash", "made_at"}, newest first."""
    feasible: Sequence[TaskFeasibility] = ()

    def number_tasks(self) -> list[tuple[str, RegisteredTask]]:
        """Return (R-Eval's id, task) for each task; the id consists of the number of the level and the number of the task
        within the level, e.g. 1-1 for the first task of level KS."""
        numbered: list[tuple[str, RegisteredTask]] = []
        counts: Counter[str] = Counter()
        for task in sorted(self.tasks, key=lambda task: (order_level(task.level), task.domain, task.dataset, task.task)):
            head = str(LEVELS.index(task.level) + 1) if task.level in LEVELS else f"L{task.level}"
            head = "0" if task.level is None else head
            counts[head] += 1
            numbered.append((f"{head}-{counts[head]}", task))
        return numbered
