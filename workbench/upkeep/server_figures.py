"""Figures of the workspace for the operator of the server. They are measured at most once a minute, regardless of the number of
requests, with separate readers, so that no writer waits."""

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
    """The figures at one moment."""

    items: Mapping[str, int]
    """Number of items by status."""
    jobs: Mapping[str, int]
    """Number of jobs by state."""
    decisions_today: int
    """Number of decisions since midnight UTC."""
    calls: LedgerTotals
    database_bytes: int | None
    """Bytes of the database file, or None for a workspace in memory, as for the next two fields."""
    log_bytes: int | None
    """Bytes of DuckDB's write-ahead log."""
    free_bytes: int | None
    """Free bytes on the workspace's disk."""
    last_backup: float | None
    """Time of the last backup in seconds since 1970; None = no backup in the log."""
    measured_at: float
    """Time of the measurement in seconds since 1970."""
    seconds: float
    """Duration of the measurement in seconds."""


class ServerFigures:
    """Measures the workspace and caches the figures for a while."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._db, self._clock = database, clock
        self._lock = threading.Lock()
        self._last: WorkspaceFigures | None = None

    @requires("see figures of the server")
    def load(self) -> WorkspaceFigures:
        """Return the figures, at most MAX_AGE_SECONDS old."""
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
    """Return the size in bytes; 0 for a file that does not exist."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
