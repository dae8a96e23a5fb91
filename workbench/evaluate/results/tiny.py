"""Freeze tiny releases, and show how often decisions on them are wrong. The package eval/tiny computes the results, only from
stored scores."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.catalog import pick
from core.errors import BenchError
from core.nouns import Item
from core.quality.tiny import DEFAULT_SEED, DEFAULT_SIZE, KEY
from eval.page import Page
from eval.reports.renderer import renderers
from eval.tiny.agreement import decide_pairs, lay_out_scores, measure_agreement, measure_trials
from eval.tiny.layout import NOTES, build_page
from store.engine.database import Database
from store.releases import releases
from store.runs import runs, traces
from workbench.background_cache import CachedStage, RunningWork
from workbench.evaluate.results.reports import MIMES
from workbench.release import tiny
from workbench.release.releases import ReleaseStage
from workbench.release.tiny import FinishedScores, TinyRelease
from workbench.roles import requires

__all__ = ["NOTES", "TinyStage"]


class _Whole(NamedTuple):
    """The record of a tiny release, and the release that it was made from."""

    record: Mapping[str, Any]
    items: Sequence[Item]
    found: FinishedScores


class TinyStage(CachedStage):
    """Methods with which the app and the command line make tiny releases and show how often they are wrong."""

    def __init__(self, database: Database, releases: ReleaseStage) -> None:
        super().__init__(database)
        self._releases = releases

    @requires("freeze releases", "name", notes=["of"])
    def freeze(
        self, name: str, of: str, size: int = DEFAULT_SIZE, metric: str | None = None, seed: int = DEFAULT_SEED
    ) -> TinyRelease:
        """Freeze a release with `size` (40 to 100) items of the release `of`, chosen by the scores of its finished runs so that
        they stand for all of its items; the corpus stays whole. `metric` = None takes the metric that most runs have. The seed
        draws the random samples to compare with. Raises BenchError if the release does not have more items."""
        release, content = self._releases.get(of)
        return tiny.freeze_tiny(self._db, name, release, content, size, metric, seed)

    @requires("freeze releases", "name", is_logged=False)
    def start_freeze(self, name: str, of: str, size: int, metric: str | None, seed: int) -> RunningWork[TinyRelease]:
        """Freeze a release as `freeze` does, in the background; return the state of this work, which a repeated call with the
        same values returns too."""
        return self._cache.get(("freeze", name, of, size, metric, seed), lambda: self.freeze(name, of, size, metric, seed))

    @requires("see runs", "of")
    def list_metrics(self, of: str) -> list[str]:
        """Return the metrics by which items of the release can be chosen: those of its runs that measure quality on a scale."""
        return tiny.list_scaled_metrics(self._db, [run.id for run in runs.list_runs(self._db, of)])

    @requires("see releases", "release")
    def is_tiny(self, release: str) -> bool:
        """Return whether the release is a tiny one."""
        return KEY in releases.get(self._db, release).manifest

    @requires("see runs", "names")
    def report(self, names: Sequence[str], form: str = "table") -> str:
        """Return how often decisions on the tiny release that `names` contains are wrong, as text in the format `form`. Raises
        BenchError if the release is not tiny, or if the workspace does not have the release that it was made from."""
        [name] = names
        return pick(renderers(), form, "format").render(self._build(self._load(name)))

    def file(self, names: Sequence[str], form: str) -> tuple[str, str]:
        """Return (name, MIME type) for a file with the tables about the tiny release."""
        return f"tiny-{names[0]}{renderers()[form].ending}", MIMES[form]

    @requires("see runs", "names")
    def page(self, names: Sequence[str]) -> RunningWork[Page]:
        """Return the tables about the tiny release that `names` contains, computed in the background. Raises BenchError as
        `report` does."""
        [name] = names
        whole = self._load(name)
        state = tuple((run, traces.fingerprint(self._db, run)) for run in whole.found.names)
        return self._cache.get(("tiny", name, *state), lambda: self._build(whole))

    def _load(self, name: str) -> _Whole:
        record = releases.get(self._db, name).manifest.get(KEY)
        if record is None:
            raise BenchError(f"The release {name} is not tiny: make a tiny one with freeze --tiny-of.")
        of = record["of"]
        release = releases.get(self._db, of["name"], of["hash"])
        members = self._releases.members(of["name"], of["hash"])
        found = tiny.load_finished_scores(self._db, release, record["metric"] or None)
        return _Whole(record, tiny.select_pool(members.items, found.scores), found)

    def _build(self, whole: _Whole) -> Page:
        record, items, found = whole
        report = measure_agreement(items, found.scores, record["size"], record["seed"])
        fresh = None
        later = found.names.keys() - {one["run"] for one in record["systems"]}
        if later and report.chosen:
            table = lay_out_scores(items, found.scores)
            decided = decide_pairs(table, range(len(items)))
            fresh = measure_trials(table, [(later, record["weights"])], decided)
        return build_page(record, report, found.names, fresh)
