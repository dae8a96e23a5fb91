"""The target of each task, level and domain: the number of items that are accepted, wait or are missing, and the forecast."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from core.nouns import Level
from store.reviews.progress import AcceptedSlot, DraftEffort
from workbench.annotate.progress.effort import Effort, add_efforts, estimate_effort
from workbench.annotate.progress.forecast import Forecast, forecast
from workbench.annotate.progress.pace import read_date
from workbench.home.targets import TargetCell


@dataclass(frozen=True, slots=True)
class TargetState:
    """One cell with a target, or several together."""

    wanted: int
    accepted: int
    """Number of accepted items; each cell counts at most up to its target."""
    waiting: int
    """Number of drafts that wait for review; each cell counts at most the missing items."""
    forecast: Forecast
    effort: Effort

    @property
    def missing(self) -> int:
        """Return the number of items that are neither accepted nor drafted."""
        return self.wanted - self.accepted - self.waiting


@dataclass(frozen=True, slots=True)
class TargetTable:
    """All targets."""

    cells: Mapping[TargetCell, TargetState]
    whole: TargetState


def measure_targets(
    targets: Mapping[TargetCell, int],
    counts: Iterable[tuple[str, Level, str, str, int]],
    accepted: Sequence[AcceptedSlot],
    today: date,
    efforts: Sequence[DraftEffort] = (),
) -> TargetTable:
    """Measure the progress towards the targets. `counts` are items by (task, level, domain, status); `efforts` are the stored
    costs and times of drafts.

    The total pace is the pace of the cells that are not full."""
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
    """Count the accepted items of each cell by day in the server's time zone."""
    counts: dict[TargetCell, dict[date, int]] = {}
    for at, task, level, domain, items in accepted:
        days = counts.setdefault(TargetCell(task, level, domain), {})
        days[read_date(at)] = days.get(read_date(at), 0) + items
    return counts
