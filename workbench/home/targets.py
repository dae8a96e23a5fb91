"""Store how many accepted items a lead wants for each task, level and domain (targets)."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from builders.task import tasks
from core.errors import BenchError
from core.nouns import Level
from store.engine import settings
from store.engine.database import Database

SETTING = "targets"
"""Key of the workspace setting with the targets, as [[task, level, domain, number], ...]. In the older form {"task/domain":
number}, each target is for the usual level of the task."""
MAX_TARGET = 1_000_000


class TargetCell(NamedTuple):
    """A task, level and domain for which a target can be set."""

    task: str
    level: Level
    domain: str


def targets(database: Database) -> dict[TargetCell, int]:
    """Return a dict from (task, level, domain) to the target number of accepted items."""
    kept: Any = settings.get(database, SETTING, [])
    if isinstance(kept, Mapping):
        parted = [(*key.partition("/")[::2], wanted) for key, wanted in kept.items()]
        return {TargetCell(task, own_levels().get(task), domain): wanted for task, domain, wanted in parted}
    return {TargetCell(task, level, domain): wanted for task, level, domain, wanted in kept}


def set_targets(database: Database, places: Iterable[TargetCell], wanted: int | None) -> None:
    """Set the target number of accepted items for each (task, level, domain) in `places`; None removes the target. Raises
    BenchError if the number is invalid."""
    if wanted is not None and not 1 <= wanted <= MAX_TARGET:
        raise BenchError(f"A target of {wanted} is not possible: give a number from 1 to {MAX_TARGET:,}.")
    kept = targets(database)
    for place in places:
        kept.pop(place, None)
        if wanted is not None:
            kept[place] = wanted
    settings.put(database, SETTING, [[*other, n] for other, n in kept.items()])


def own_levels() -> dict[str, Level]:
    """Return a dict from each task whose items can be drafted to the level at which they are usually drafted."""
    return {name: task.level for name, task in tasks().items()}
