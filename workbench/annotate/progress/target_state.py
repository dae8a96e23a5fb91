"""Measure how far each target (number of items of a task, level and domain) is reached: how many items are accepted, wait for
review or are missing, and when the target will be reached."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from core.nouns import Level
from store.items.draft_costs import DraftEffort
from store.reviews.progress import AcceptedSlot
from workbench.annotate.progress.effort import Effort, add_efforts, estimate_effort
from workbench.annotate.progress.forecast import Forecast, forecast
from workbench.annotate.progress.pace import read_date
from workbench.home.targets import TargetCell


@dataclass(frozen=True, slots=True)
class TargetState:
    """How far a target (for one task, level and domain) is reached, or several targets together."""

    wanted: int
    accepted: int
    """Number of accepted items; for each target, at most as many items as the target demands."""
    waiting: int
    """Number of drafts that wait for review; for each target, at most as many as it still needs."""
    forecast: Forecast
    effort: Effort

    @property
    def missing(self) -> int:
        """Return how many items of the target are neither accepted nor waiting for review."""
        return self.wanted - self.accepted - self.waiting


@dataclass(frozen=True, slots=True)
class TargetTable:
    """How far each target is reached, and all targets together."""

    cells: Mapping[TargetCell, TargetState]
    whole: TargetState


def measure_targets(
    targets: Mapping[TargetCell, int],
    counts: Iterable[tuple[str, Level, str, str, int]],
    accepted: Sequence[AcceptedSlot],
    today: date,
    efforts: Sequence[DraftEffort] = (),
) -> TargetTable:
    """Measure how far the targets are reached. `counts` are rows (task, level, domain, status, number of items); `efforts` are
    the costs and times of earlier drafts.

    The pace for all targets together counts only items that belong to targets not reached yet."""
    available = {(TargetCell(task, level, domain), status): n for task, level, domain, status, n in counts}
    paces = _count_by_day(accepted)
    cells = {}
    for place, wanted in targets.items():
        done = min(wanted, available.get((place, "accepted"), 0))
        drafted = available.get((place, "drafted"), 0)
        left = wanted - done
        effort = estimate_effort(left, drafted, *place, efforts)
        cells[place] = TargetState(wanted, done, min(left, drafted), forecast(left, paces.get(place, {}), today), effort)
    pace: dict[date, int] = {}
    for place, cell in cells.items():
        for day, n in paces.get(place, {}).items() if cell.forecast.left else ():
            pace[day] = pace.get(day, 0) + n
    states = list(cells.values())
    whole = TargetState(
        sum(one.wanted for one in states),
        sum(one.accepted for one in states),
        sum(one.waiting for one in states),
        forecast(sum(one.forecast.left for one in states), pace, today),
        add_efforts(one.effort for one in states if one.forecast.left),
    )
    return TargetTable(cells, whole)


def _count_by_day(accepted: Sequence[AcceptedSlot]) -> dict[TargetCell, dict[date, int]]:
    """Return a dict from (task, level, domain) to the number of items accepted on each day, in the server's time zone."""
    counts: dict[TargetCell, dict[date, int]] = {}
    for at, task, level, domain, items in accepted:
        days = counts.setdefault(TargetCell(task, level, domain), {})
        days[read_date(at)] = days.get(read_date(at), 0) + items
    return counts
