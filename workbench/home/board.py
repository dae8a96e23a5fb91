"""Compute the numbers on the first page: accepted and drafted items beside their targets, unfinished work, the latest releases
and runs, and the month's costs. A small number of database queries is enough, so many items take no longer than a few."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from core.nouns import Level
from store.engine.database import Database
from store.items import board
from store.jobs import job_pages
from store.reviews import unsent_edits
from workbench.annotate.desk.guidelines import name_task
from workbench.home.targets import TargetCell, own_levels, set_targets, targets
from workbench.roles import requires

MAX_LATEST = 5
"""Maximum number of releases, runs and unfinished jobs that the first page lists."""
Spread = Literal["cell", "domains", "tasks"]
"""The cells of the table to which a new target applies: one cell, all domains of a row, or all tasks of a domain."""


@dataclass(frozen=True, slots=True)
class CellCounts:
    """Numbers of items of one task, level and domain by status, and the target number of accepted items (None if there is no
    target)."""

    accepted: int = 0
    drafted: int = 0
    refused: int = 0
    discarded: int = 0
    target: int | None = None


@dataclass(frozen=True, slots=True)
class BoardTask:
    """A task at one level: one column of the table on the first page."""

    task: str
    label: str
    level: Level


@dataclass(frozen=True, slots=True)
class ItemBoard:
    """Number of items by task, level and domain, for the table on the first page."""

    tasks: Sequence[BoardTask]
    domains: Sequence[str]
    cells: Mapping[tuple[str, Level], Mapping[str, CellCounts]]

    def cell(self, task: str, level: Level, domain: str) -> CellCounts:
        return self.cells.get((task, level), {}).get(domain, CellCounts())


class BoardStage:
    """Methods that return the numbers on the first page and set targets."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def is_empty(self) -> bool:
        """Return whether the workspace has neither documents nor items."""
        return board.is_empty(self._db)

    def cells(self) -> ItemBoard:
        """Count items by task, level and domain. The result includes domains that have documents, items or targets, and each
        task at its own level and at every level with items or a target."""
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
            tasks=[BoardTask(task, name_task(task), level) for task, level in columns],
            domains=sorted(domains),
            cells={key: {domain: CellCounts(**counts) for domain, counts in row.items()} for key, row in cells.items()},
        )

    @requires(
        "set targets", lambda arguments: f"{arguments['task']} in {arguments['domain']}", notes=["level", "target", "spread"]
    )
    def set_target(self, task: str, level: Level, domain: str, target: int | None, spread: Spread = "cell") -> None:
        """Set how many accepted items a task, level and domain should have; None removes the target. If `spread` is "domains",
        the target applies to every domain of the task and level; if it is "tasks", to every task and level of the domain.
        Raises BenchError if the number is invalid."""
        cells = self.cells()
        places = [TargetCell(task, level, domain)]
        if spread == "domains":
            places = [TargetCell(task, level, other) for other in cells.domains]
        elif spread == "tasks":
            places = [TargetCell(column.task, column.level, domain) for column in cells.tasks]
        set_targets(self._db, places, target)

    def has_targets(self) -> bool:
        """Return whether any task, level and domain has a target number of items."""
        return bool(targets(self._db))

    def list_unsent_edits(self, person: str) -> list[unsent_edits.UnsentEdit]:
        """List the person's unsent edits, newest first."""
        return unsent_edits.list_unsent_edits(self._db, person) if person else []

    def list_unfinished_jobs(self) -> list[str]:
        """List the ids of the newest jobs that are running or can be continued."""
        return [job.id for job in job_pages.load_page(self._db, UNFINISHED, limit=MAX_LATEST)]

    def releases(self) -> list[board.ReleaseHeading]:
        """Return the newest releases, at most MAX_LATEST of them."""
        return board.load_releases(self._db, MAX_LATEST)

    def runs(self) -> list[board.RunHeading]:
        """Return the newest runs, each with the number of questions that the system has answered."""
        return board.load_runs(self._db, MAX_LATEST)

    @requires("see costs")
    def costs(self) -> list[job_pages.AgentCost]:
        """Return the cost of each agent's calls in the current month (UTC); a cost is None if it is unknown."""
        since = datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0).isoformat(timespec="milliseconds")
        return job_pages.load_agent_costs(self._db, since)


UNFINISHED = ("running", "queued", "paused", "budget", "endpoint", "batch")
