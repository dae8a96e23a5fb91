"""The first screen's numbers: what is accepted and drafted against what is wanted, what waits, what was frozen and run last,
what the month cost. A handful of counts, however many items there are."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from core.catalog import catalog
from core.errors import BenchError
from store import board, job_pages, scratch, settings
from store.database import Database

TARGETS = "targets"
"""The setting: {"task/domain": number of accepted items that are wanted}."""
MOST = 1_000_000
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
        """{"tasks": [{"task", "label", "level"}], "domains": [..], "cells": {task: {domain: {"accepted", "drafted", "refused",
        "discarded", "target"}}}}: every domain with documents or items; a task when it has items or a target, else those of
        levels."""
        targets: Mapping[str, int] = settings.get(self._db, TARGETS, {})
        cells: dict[str, dict[str, dict[str, Any]]] = {}
        domains = set(board.domains(self._db))
        for task, domain, status, n in board.counts(self._db):
            cell = cells.setdefault(task, {}).setdefault(domain, {"target": None})
            cell[status] = n
            domains.add(domain)
        for key, target in targets.items():
            task, _, domain = key.partition("/")
            cells.setdefault(task, {}).setdefault(domain, {})["target"] = target
            domains.add(domain)
        known = tasks()
        names = [name for name, level in known.items() if level is not None or name in cells]
        names += sorted(cells.keys() - set(names))
        names.sort(key=lambda name: (known.get(name) is None, str(known.get(name))))
        return {
            "tasks": [{"task": n, "label": n.replace("_", " "), "level": known.get(n)} for n in names],
            "domains": sorted(domains), "cells": cells,
        }  # fmt: skip

    def set_target(self, task: str, domain: str, target: int | None) -> None:
        """So many accepted items are wanted there; None = no number. Raises BenchError on a number that is none."""
        if target is not None and not 1 <= target <= MOST:
            raise BenchError(f"A target of {target} cannot be: give a number from 1 to {MOST:,}.")
        kept = dict(settings.get(self._db, TARGETS, {}))
        kept.pop(f"{task}/{domain}", None)
        settings.put(self._db, TARGETS, kept if target is None else kept | {f"{task}/{domain}": target})

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

    def costs(self) -> list[dict[str, Any]]:
        """What each agent's calls of this month (UTC) came to; a cost of None is not known."""
        since = datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0).isoformat(timespec="milliseconds")
        return [cost._asdict() for cost in job_pages.agent_costs(self._db, since)]


UNFINISHED = ("running", "queued", "paused", "budget", "endpoint")


def tasks() -> dict[str, Any]:
    """Every task that items are drafted for -> its level."""
    from builders.task import Task

    return {name: task.level for name, task in catalog("builders.tasks", "TASK", Task).items()}
