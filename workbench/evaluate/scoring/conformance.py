"""Conformance: what each metric measures, what it is compared with, and how far it is from that."""

from datetime import UTC, datetime
from typing import NamedTuple

from eval.scoring.conformance import ConformanceRow, Parity, list_metrics, measure_parity
from workbench.kept import CachedStage, RunningWork
from workbench.roles import act

__all__ = ["ConformanceRow", "ConformanceStage", "MeasuredParities", "Parity"]


class MeasuredParities(NamedTuple):
    """The parity of every metric that has a reference library."""

    of: dict[str, Parity]
    at: str
    """When they were measured: UTC, to the minute."""


class ConformanceStage(CachedStage):
    """Verbs on the metrics themselves."""

    MAX_RESULTS = 1

    @act("see runs")
    def lines(self) -> list[ConformanceRow]:
        """Every metric."""
        return list_metrics()

    @act("see runs")
    def parity(self) -> RunningWork[MeasuredParities]:
        """How far metrics are from their reference libraries; measured on first use, once per start of the app."""
        return self._cache.get("parity", lambda: MeasuredParities(measure_parity(), f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"))
