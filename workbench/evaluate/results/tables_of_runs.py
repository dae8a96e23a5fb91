"""What all parts of the workbench share which make tables of runs for the page Results."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar

from core.catalog import pick
from core.errors import BenchError
from core.nouns import Run, Trace
from eval.page import Page
from eval.reports.renderer import renderers
from store.engine.database import Database
from store.runs import runs, traces
from workbench.background_cache import CachedStage, RunningWork
from workbench.evaluate.results.reports import MIMES
from workbench.release.releases import ReleaseStage
from workbench.roles import requires

C = TypeVar("C")


class TablesOfRuns(Protocol):
    """A part of the workbench that makes tables of runs (or of a release)."""

    def page(self, ids: Sequence[str], /) -> RunningWork[Page]:
        """Return the tables of these runs, computed in the background."""

    def file(self, ids: Sequence[str], form: str, /) -> tuple[str, str]:
        """Return (name, MIME type) of a file with the tables in the format `form`."""

    def report(self, ids: Sequence[str], form: str, /) -> str:
        """Return the tables as text in the format `form`."""


class RunTableStage(CachedStage, Generic[C]):
    """Base class of stages whose tables are computed from the stored answers of runs. C is what a stage chooses of each run."""

    NAME: ClassVar[str]
    """First word in the names of the files with the tables."""
    SUBJECT: ClassVar[str]
    """Name of the tables, with which the message begins that a run is missing."""

    def __init__(self, database: Database, releases: ReleaseStage) -> None:
        super().__init__(database)
        self._releases = releases

    @requires("see runs", "ids")
    def report(self, ids: Sequence[str], form: str = "table") -> str:
        """Return the tables about the runs as text in one of the formats of reports. Raises BenchError if there is nothing to
        show of these runs."""
        return pick(renderers(), form, "format").render(self._build(self._choose(self._load_runs(ids))))

    def file(self, ids: Sequence[str], form: str) -> tuple[str, str]:
        """Return (name, MIME type) of a file with the tables about the runs."""
        return "-".join([self.NAME, *(id_[:6] for id_ in ids)]) + renderers()[form].ending, MIMES[form]

    @requires("see runs", "ids")
    def page(self, ids: Sequence[str]) -> RunningWork[Page]:
        """Return the tables about the runs; they are computed in the background. Raises BenchError if there is nothing to show
        of these runs."""
        chosen = self._choose(self._load_runs(ids))
        state = tuple((name, traces.fingerprint(self._db, name)) for name in self._list_traced(chosen))
        return self._cache.get((self.NAME, *state), lambda: self._build(chosen))

    @abstractmethod
    def _choose(self, every: Sequence[Run]) -> Sequence[C]:
        """Return what the tables are about."""

    @abstractmethod
    def _list_traced(self, chosen: Sequence[C]) -> Iterable[str]:
        """Return the names under which the answers are stored that the tables are computed from."""

    @abstractmethod
    def _build(self, chosen: Sequence[C]) -> Page:
        """Compute the tables."""

    def _load_runs(self, ids: Sequence[str]) -> list[Run]:
        """Return the runs with these ids, each once."""
        if not ids:
            raise BenchError(f"{self.SUBJECT} needs a run, but none was named: give the ids of one or more runs.")
        return list({run.id: run for run in (runs.get(self._db, name) for name in ids)}.values())

    def _load_asked(self, run: Run) -> set[str]:
        """Return the ids of the items whose own question the run asked."""
        return {item for item, variant in runs.load_questions(self._db, run.id) if variant is None}

    def _load_answers(self, run: Run) -> dict[str, Trace]:
        """Return a dict from item to the run's answer to its own question."""
        return {trace.item: trace for trace in runs.load_traces(self._db, run.id) if trace.variant is None}
