"""The type that all parts of the workbench share which make tables of runs for the page Results."""

from collections.abc import Sequence
from typing import Protocol

from eval.page import Page
from workbench.background_cache import RunningWork


class TablesOfRuns(Protocol):
    """A part of the workbench that makes tables of runs (or of a release)."""

    def page(self, ids: Sequence[str], /) -> RunningWork[Page]:
        """Return the tables of these runs, computed in the background."""

    def file(self, ids: Sequence[str], form: str, /) -> tuple[str, str]:
        """Return (name, MIME type) of a file with the tables in the format `form`."""

    def report(self, ids: Sequence[str], form: str, /) -> str:
        """Return the tables as text in the format `form`."""
