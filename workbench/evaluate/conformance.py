"""Conformance: what each metric measures, what it is held equal to, and how far it is from that, measured beside the page."""

from datetime import UTC, datetime
from typing import NamedTuple

from eval.conformance import Line, Parity, lines, measured
from store.database import Database
from workbench.kept import Kept, Working
from workbench.roles import act

__all__ = ["ConformanceStage", "Line", "Measured", "Parity"]


class Measured(NamedTuple):
    """All parities, and when they were measured."""

    of: dict[str, Parity]
    at: str
    """UTC, to the minute."""


class ConformanceStage:
    """Verbs on the metrics themselves."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = Kept(most=1)

    @act("see runs")
    def lines(self) -> list[Line]:
        """Every metric."""
        return lines()

    @act("see runs")
    def parity(self) -> Working[Measured]:
        """How far those with a reference library are from it; measured when first asked for, once per start of the app."""
        return self._kept.get("parity", _measure)

    def close(self) -> None:
        """Wait for what is being measured."""
        self._kept.close()


def _measure() -> Measured:
    return Measured(measured(), f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC")
