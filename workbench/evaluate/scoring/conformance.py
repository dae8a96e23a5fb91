"""Describe each metric: its definition, the publication that it comes from, and how it differs from that publication."""

from datetime import UTC, datetime
from typing import NamedTuple

from eval.scoring.conformance import ConformanceRow, Parity, list_metrics, measure_parity
from workbench.background_cache import CachedStage, RunningWork
from workbench.roles import requires

__all__ = ["ConformanceRow", "ConformanceStage", "MeasuredParities", "Parity"]


class MeasuredParities(NamedTuple):
    """How closely each metric agrees with the library that it follows, if there is one."""

    of: dict[str, Parity]
    at: str
    """Time at which the agreement was measured, in UTC to the minute."""


class ConformanceStage(CachedStage):
    """Methods with which the app describes the metrics themselves."""

    MAX_RESULTS = 1

    @requires("see runs")
    def lines(self) -> list[ConformanceRow]:
        """Return every metric with its definition, the publication that it comes from, and how it differs from that
        publication."""
        return list_metrics()

    @requires("see runs")
    def parity(self) -> RunningWork[MeasuredParities]:
        """Return how far the metrics differ from the libraries that they follow. The difference is measured when it is first
        requested, once per start of the app."""
        return self._cache.get("parity", lambda: MeasuredParities(measure_parity(), f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"))
