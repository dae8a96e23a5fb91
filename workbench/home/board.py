"""The numbers of the first page: accepted and drafted items against targets, waiting work, the last releases and runs, and the
month's costs. They take only a few counts, however many items there are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from core.nouns import Level
from store.engine.database import Database
from store.items import board
from store.jobs import job_pages
from store.reviews import unsent_edits
from workbench.home.targets import TargetCell, own_levels, set_targets, targets
from workbench.roles import requires

MAX_LATEST = 5
"""Maximum number of listed releases and runs."""
Spread = Literal["cell", "domains", "tasks"]
"""Cells for which a target is set."""


@dataclass(frozen=True, slots=True)
class CellCounts:
    """Items of one cell by status, and the target number of accepted items."""

    accepted: int = 0
    drafted: int = 0
    refused: int = 0
    discarded: int = 0
    target: int | None = None


@dataclass(frozen=True, slots=True)
class BoardTask:
    """A column of the board."""

    task: str
    label: str
    level: Level


@dataclass(frozen=True, slots=True)
class ItemBoard:
    """Items by task, level and domain."""

    tasks: Sequence[BoardTask]
    domains: Sequence[str]
    cells: Mapping[tuple[str, Level], Mapping[str, CellCounts]]

    def cell(self, task: str, level: Level, domain: str) -> CellCounts:
        return self.cells.get((task, level), {}).get(domain, CellCounts())


class BoardStage:
    """Figures for the first page."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def is_empty(self) -> bool:
        """Return whether the workspace has neither documents nor items."""
        return board.is_empty(self._db)

    def cells(self) -> ItemBoard:
        """Return the cells of every domain with documents or items; a task appears at each level with items or a target, a task
        with its own level at that level."""
        known = own_levels()
        cells: dict[tuple[str, Level], dict[str, dict[str, int]]] = {}
        domains = set(board.list_domains(self._db))
        for task, level, domain, status, n in board.count_items(self._db):
            cells.setdefault((task, level), {}).setdefault(domain, {})[status] = n
            domains.add(domain)
        for (task, level, domain), target in targets(self._db).items():
            cells.setdefault((task, level), {}).setdefault(domain, {})["target"] = target
            domains.add(domain)
        names = {*cells, *((task, level) for task, level in known.items() if level is not None)}
        columns = sorted(names, key=lambda name: (name[0] not in known, name[1] is None, str(name[1]), name[0]))
        return ItemBoard(
            tasks=[BoardTask(task, task.replace("_", " "), level) for task, level in columns],
            domains=sorted(domains),
            cells={key: {domain: CellCounts(**counts) for domain, counts in row.items()} for key, row in cells.items()},
        )

    @requires(
        "set targets", lambda arguments: f"{arguments['task']} in {arguments['domain']}", notes=["level", "target", "spread"]
    )
    def set_target(self, task: str, level: Level, domain: str, target: int | None, spread: Spread = "cell") -> None:
        """Set the target number of accepted items of that cell; None = no target. With `spread` "domains" the target applies to
        every domain of the task and level, with "tasks" to every task and level of the domain. Raises BenchError on an invalid
        number."""
        cells = self.cells()
        places = [TargetCell(task, level, domain)]
        if spread == "domains":
            places = [TargetCell(task, level, other) for other in cells.domains]
        elif spread == "tasks":
            places = [TargetCell(column.task, column.level, domain) for column in cells.tasks]
        set_targets(self._db, places, target)

    def has_targets(self) -> bool:
        """Return whether any target number of items is set."""
        return bool(targets(self._db))

    def list_unsent_edits(self, person: str) -> list[unsent_edits.UnsentEdit]:
        """List the person's unsent edits, newest first."""
        return unsent_edits.list_unsent_edits(self._db, person) if person else []

    def list_unfinished_jobs(self) -> list[str]:
        """List the ids of the newest jobs that run or can be resumed."""
        return [job.id for job in job_pages.load_page(self._db, UNFINISHED, limit=MAX_LATEST)]

    def releases(self) -> list[board.ReleaseHeading]:
        """Return the newest releases."""
        return board.load_releases(self._db, MAX_LATEST)

    def runs(self) -> list[board.RunHeading]:
        """Return the newest runs, with the number of answered questions."""
        return board.load_runs(self._db, MAX_LATEST)

    @requires("see costs")
    def costs(self) -> list[job_pages.AgentCost]:
        """Return the cost of each agent's calls in this month (UTC); None = unknown."""
        since = datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0).isoformat(timespec="milliseconds")
        return job_pages.load_agent_costs(self._db, since)


UNFINISHED = ("running", "queued", "paused", "budget", "endpoint", "batch")
