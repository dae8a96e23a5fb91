"""What is wanted of each task, level and domain: how much of it is accepted, how much waits, how much is missing, and when all
of it is there at this pace."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from core.nouns import Level
from store.reviews.progress import AcceptedSlot, DraftEffort
from workbench.annotate.progress.effort import Effort, effort, together
from workbench.annotate.progress.forecast import Forecast, forecast
from workbench.home.targets import TargetCell


@dataclass(frozen=True, slots=True)
class Filled:
    """One cell with a target, or several together."""

    wanted: int
    accepted: int
    """No cell counts beyond its own target."""
    waiting: int
    """Drafts that wait for review; of each cell no more than it still needs."""
    forecast: Forecast
    effort: Effort

    @property
    def missing(self) -> int:
        """Neither accepted nor drafted."""
        return self.wanted - self.accepted - self.waiting


@dataclass(frozen=True, slots=True)
class TargetTable:
    """All targets."""

    cells: Mapping[TargetCell, Filled]
    whole: Filled


def wanted(
    targets: Mapping[TargetCell, int],
    counts: Iterable[tuple[str, Level, str, str, int]],
    accepted: Sequence[AcceptedSlot],
    today: date,
    efforts: Sequence[DraftEffort] = (),
) -> TargetTable:
    """`counts` are items by (task, level, domain, status); `efforts` what drafts took. The pace of all together is that of the
    cells that are not full."""
    there = {(TargetCell(task, level, domain), status): n for task, level, domain, status, n in counts}
    paces = _by_day(accepted)
    cells = {place: _filled(place, n, there, paces.get(place, {}), today, efforts) for place, n in targets.items()}
    open_: dict[date, int] = {}
    for place, cell in cells.items():
        if cell.forecast.left:
            for day, n in paces.get(place, {}).items():
                open_[day] = open_.get(day, 0) + n
    every = cells.values()
    left = sum(cell.forecast.left for cell in every)
    return TargetTable(
        cells,
        Filled(
            sum(cell.wanted for cell in every),
            sum(cell.accepted for cell in every),
            sum(cell.waiting for cell in every),
            forecast(left, open_, today),
            together(cell.effort for cell in every if cell.forecast.left),
        ),
    )


def _filled(
    place: TargetCell,
    wanted: int,
    there: Mapping[tuple[TargetCell, str], int],
    pace: Mapping[date, int],
    today: date,
    efforts: Sequence[DraftEffort],
) -> Filled:
    accepted = min(wanted, there.get((place, "accepted"), 0))
    drafted = there.get((place, "drafted"), 0)
    left = wanted - accepted
    return Filled(wanted, accepted, min(left, drafted), forecast(left, pace, today), effort(left, drafted, *place, efforts))


def _by_day(accepted: Sequence[AcceptedSlot]) -> dict[TargetCell, dict[date, int]]:
    """Days of the server's time zone."""
    found: dict[TargetCell, dict[date, int]] = {}
    for at, task, level, domain, items in accepted:
        day = datetime.fromisoformat(f"{at}0:00+00:00").astimezone().date()
        days = found.setdefault(TargetCell(task, level, domain), {})
        days[day] = days.get(day, 0) + items
    return found
