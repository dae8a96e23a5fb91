"""Conformance: what each metric measures, what it is held equal to, and how far it is from that, measured beside the page."""

from datetime import UTC, datetime
from typing import NamedTuple

from eval.scoring.conformance import ConformanceRow, Parity, list_metrics, measure_parity
from store.engine.database import Database
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act

__all__ = ["ConformanceRow", "ConformanceStage", "MeasuredParities", "Parity"]


class MeasuredParities(NamedTuple):
    """All parities, and when they were measured."""

    of: dict[str, Parity]
    at: str
    """UTC, to the minute."""


class ConformanceStage:
    """Verbs on the metrics themselves."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = BackgroundCache(most=1)

    @act("see runs")
    def lines(self) -> list[ConformanceRow]:
        """Every metric."""
        return list_metrics()

    @act("see runs")
    def parity(self) -> RunningWork[MeasuredParities]:
        """How far those with a reference library are from it; measured when first asked for, once per start of the app."""
        return self._kept.get("parity", _measure)

    def close(self) -> None:
        """Wait for what is being measured."""
        self._kept.close()


def _measure() -> MeasuredParities:
    return MeasuredParities(measure_parity(), f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC")
