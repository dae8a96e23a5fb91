"""Conformance: the definition of each metric, its reference, and the difference between the two."""

from datetime import UTC, datetime
from typing import NamedTuple

from eval.scoring.conformance import ConformanceRow, Parity, list_metrics, measure_parity
from workbench.background_cache import CachedStage, RunningWork
from workbench.roles import requires

__all__ = ["ConformanceRow", "ConformanceStage", "MeasuredParities", "Parity"]


class MeasuredParities(NamedTuple):
    """The parity of every metric that has a reference library."""

    of: dict[str, Parity]
    at: str
    """Time of the measurement: UTC, to the minute."""


class ConformanceStage(CachedStage):
    """Verbs on the metrics themselves."""

    MAX_RESULTS = 1

    @requires("see runs")
    def lines(self) -> list[ConformanceRow]:
        """Return every metric."""
        return list_metrics()

    @requires("see runs")
    def parity(self) -> RunningWork[MeasuredParities]:
        """Return the differences between metrics and their reference libraries; measured on first use, once per start of the
        app."""
        return self._cache.get("parity", lambda: MeasuredParities(measure_parity(), f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"))
