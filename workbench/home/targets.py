"""The target number of accepted items for each task, level and domain. A lead sets these numbers."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from builders.task import tasks
from core.errors import BenchError
from core.nouns import Level
from store.engine import settings
from store.engine.database import Database

SETTING = "targets"
"""Setting with [[task, level, domain, number], ...]. The older form {"task/domain": number} refers to the task's own level."""
MAX_TARGET = 1_000_000


class TargetCell(NamedTuple):
    """One cell of the board."""

    task: str
    level: Level
    domain: str


def targets(database: Database) -> dict[TargetCell, int]:
    """Return a new dictionary with the target numbers of accepted items."""
    kept: Any = settings.get(database, SETTING, [])
    if isinstance(kept, Mapping):
        parted = [(*key.partition("/")[::2], wanted) for key, wanted in kept.items()]
        return {TargetCell(task, own_levels().get(task), domain): wanted for task, domain, wanted in parted}
    return {TargetCell(task, level, domain): wanted for task, level, domain, wanted in kept}


def set_targets(database: Database, places: Iterable[TargetCell], wanted: int | None) -> None:
    """Set the target number for each of those cells; None = no target. Raises BenchError on an invalid number."""
    if wanted is not None and not 1 <= wanted <= MAX_TARGET:
        raise BenchError(f"A target of {wanted} is not possible: give a number from 1 to {MAX_TARGET:,}.")
    kept = targets(database)
    for place in places:
        kept.pop(place, None)
        if wanted is not None:
            kept[place] = wanted
    settings.put(database, SETTING, [[*other, n] for other, n in kept.items()])


def own_levels() -> dict[str, Level]:
    """Return every task for which items are drafted -> its level."""
    return {name: task.level for name, task in tasks().items()}
