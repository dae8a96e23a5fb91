"""The first screen's numbers: what is accepted and drafted against what is wanted, what waits, what was frozen and run last,
what the month cost. A handful of counts, however many items there are."""

from datetime import UTC, datetime
from typing import Any

from core.nouns import Level
from store import board, job_pages, scratch
from store.database import Database
from workbench.home.targets import Place, own_levels, set_target, targets
from workbench.roles import act

LATEST = 5
"""Releases and runs that are shown."""


class BoardStage:
    """What everybody wants to know first."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def is_empty(self) -> bool:
        """Whether nothing has come in yet: no document, no item."""
        return board.is_empty(self._db)

    def cells(self) -> dict[str, Any]:
        """{"tasks": [{"task", "label", "level"}], "domains": [..], "cells": {(task, level): {domain: {"accepted", "drafted",
        "refused", "discarded", "target"}}}}: every domain with documents or items; a task at each level that it has items or a
        target at, and those of levels at their own."""
        known = own_levels()
        cells: dict[tuple[str, Level], dict[str, dict[str, Any]]] = {}
        domains = set(board.domains(self._db))
        for task, level, domain, status, n in board.counts(self._db):
            cells.setdefault((task, level), {}).setdefault(domain, {"target": None})[status] = n
            domains.add(domain)
        for (task, level, domain), target in targets(self._db).items():
            cells.setdefault((task, level), {}).setdefault(domain, {})["target"] = target
            domains.add(domain)
        names = {*cells, *((task, level) for task, level in known.items() if level is not None)}
        columns = sorted(names, key=lambda name: (name[0] not in known, name[1] is None, str(name[1]), name[0]))
        return {
            "tasks": [{"task": task, "label": task.replace("_", " "), "level": level} for task, level in columns],
            "domains": sorted(domains), "cells": cells,
        }  # fmt: skip

    @act("set targets", lambda given: f"{given['task']} in {given['domain']}", notes=["level", "target"])
    def set_target(self, task: str, level: Level, domain: str, target: int | None) -> None:
        """So many accepted items are wanted there; None = no number. Raises BenchError on a number that is none."""
        set_target(self._db, Place(task, level, domain), target)

    def scratch(self, person: str) -> list[dict[str, Any]]:
        """What that person has typed and not submitted, the newest first: {"item", "question", "saved_at"}."""
        found = scratch.of_person(self._db, person) if person else []
        return [{"item": one.item, "question": one.question, "saved_at": one.at} for one in found]

    def unfinished(self) -> list[str]:
        """Ids of the newest jobs that run or can go on."""
        return [job.id for job in job_pages.page(self._db, UNFINISHED, limit=LATEST)]

    def releases(self) -> list[dict[str, Any]]:
        """The newest releases: {"name", "created"}."""
        return [{"name": name, "created": created} for name, created in board.releases(self._db, LATEST)]

    def runs(self) -> list[dict[str, Any]]:
        """The newest runs, with how many questions have an answer."""
        return [row._asdict() for row in board.runs(self._db, LATEST)]

    @act("see costs")
    def costs(self) -> list[dict[str, Any]]:
        """What each agent's calls of this month (UTC) came to; a cost of None is not known."""
        since = datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0).isoformat(timespec="milliseconds")
        return [cost._asdict() for cost in job_pages.agent_costs(self._db, since)]


UNFINISHED = ("running", "queued", "paused", "budget", "endpoint")
