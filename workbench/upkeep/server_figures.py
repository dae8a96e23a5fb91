"""Measure the workspace for the person who runs the server: numbers of items, jobs and calls, sizes, and the time of the last
backup. The numbers are measured at most once a minute, however many requests there are, and with separate connections for
reading, so that nobody who writes has to wait."""

import shutil
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from core.nouns import Status
from store.engine.database import Database
from store.jobs import server_counts
from store.jobs.jobs import JobState
from store.jobs.server_counts import LedgerTotals
from workbench.roles import requires

MAX_AGE_SECONDS = 60.0
"""Age in seconds at which the figures are measured again."""


@dataclass(frozen=True, slots=True)
class WorkspaceFigures:
    """Figures about the workspace (numbers of items and jobs, sizes and so on), measured at one moment."""

    items: Mapping[str, int]
    """Dict from status (accepted, drafted and so on) to the number of items."""
    jobs: Mapping[str, int]
    """Dict from state (queued, running and so on) to the number of jobs."""
    decisions_today: int
    """Number of decisions since midnight UTC."""
    calls: LedgerTotals
    database_bytes: int | None
    """Size of the database file in bytes, or None if the workspace is in memory."""
    log_bytes: int | None
    """Size of DuckDB's write-ahead log in bytes, or None if the workspace is in memory."""
    free_bytes: int | None
    """Free bytes on the disk of the workspace, or None if it is in memory."""
    last_backup: float | None
    """Time of the last backup in seconds since 1970, or None if the log records no backup."""
    measured_at: float
    """Time of the measurement in seconds since 1970."""
    seconds: float
    """Number of seconds that the measurement took."""


class ServerFigures:
    """Measures figures about the workspace, and caches them for MAX_AGE_SECONDS."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._db, self._clock = database, clock
        self._lock = threading.Lock()
        self._last: WorkspaceFigures | None = None

    @requires("see figures of the server")
    def load(self) -> WorkspaceFigures:
        """Return the figures about the workspace, which are at most MAX_AGE_SECONDS old."""
        with self._lock:
            if self._last is None or not 0 <= self._clock() - self._last.measured_at < MAX_AGE_SECONDS:
                self._last = self._measure()
            return self._last

    def _measure(self) -> WorkspaceFigures:
        now, began, path = self._clock(), time.perf_counter(), self._db.path
        today = datetime.fromtimestamp(now, UTC).date().isoformat()
        backup = server_counts.find_last_act(self._db, "back the workspace up")
        return WorkspaceFigures(
            items=dict.fromkeys(get_args(Status), 0) | server_counts.count_statuses(self._db),
            jobs=dict.fromkeys(get_args(JobState), 0) | server_counts.count_job_states(self._db),
            decisions_today=server_counts.count_decisions(self._db, today),
            calls=server_counts.sum_calls(self._db),
            database_bytes=None if path is None else find_size(path),
            log_bytes=None if path is None else find_size(Path(f"{path}.wal")),
            free_bytes=None if path is None else shutil.disk_usage(path.parent).free,
            last_backup=None if backup is None else datetime.fromisoformat(backup).timestamp(),
            measured_at=now,
            seconds=time.perf_counter() - began,
        )


def find_size(path: Path) -> int:
    """Return the size of the file in bytes, or 0 if the file does not exist."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
