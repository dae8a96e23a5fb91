"""Show how runs answer conversations, by turn and as a whole. The package eval/conversations computes the results, only from
stored answers and scores."""

from collections.abc import Sequence

from core.catalog import pick
from core.errors import BenchError
from core.nouns import Run
from core.quality.conversations import read_turn
from eval.conversations.layout import NOTES, build_page
from eval.conversations.outcomes import ConversationResult, measure_run
from eval.metric import metrics, split_name
from eval.page import Page
from eval.reports.renderer import renderers
from eval.reports.run_names import name_runs
from store.engine.database import Database
from store.runs import runs, traces
from workbench.background_cache import CachedStage, RunningWork
from workbench.evaluate.results.reports import MIMES
from workbench.release.releases import ReleaseStage
from workbench.roles import requires

__all__ = ["DEFAULT_METRIC", "DEFAULT_THRESHOLD", "NOTES", "ConversationStage"]

DEFAULT_METRIC, DEFAULT_THRESHOLD = "in_accuracy", 1.0


class ConversationStage(CachedStage):
    """Methods with which the app and the command line show the outcomes of conversations."""

    def __init__(self, database: Database, releases: ReleaseStage) -> None:
        super().__init__(database)
        self._releases = releases

    @requires("see runs", "ids")
    def report(
        self, ids: Sequence[str], form: str = "table", metric: str = DEFAULT_METRIC, threshold: float = DEFAULT_THRESHOLD
    ) -> str:
        """Return the tables about the runs' conversations as text in one of the formats of reports. An answer is right if the
        metric is at least the threshold. Raises BenchError if no release of the runs has conversations, or if a run has no
        score of the metric."""
        return pick(renderers(), form, "format").render(self._build(self._load_runs(ids), metric, threshold))

    def file(self, ids: Sequence[str], form: str) -> tuple[str, str]:
        """Return (name, MIME type) of a file with the tables about the runs' conversations."""
        return "-".join(["conversations", *(id_[:6] for id_ in ids)]) + renderers()[form].ending, MIMES[form]

    @requires("see runs", "ids")
    def page(self, ids: Sequence[str], metric: str = DEFAULT_METRIC, threshold: float = DEFAULT_THRESHOLD) -> RunningWork[Page]:
        """Return the tables about the runs' conversations; they are computed in the background. Raises BenchError if no release
        of the runs has conversations."""
        chosen = self._load_runs(ids)
        state = tuple((run.id, traces.fingerprint(self._db, run.id)) for run in chosen)
        return self._cache.get(("conversations", metric, threshold, *state), lambda: self._build(chosen, metric, threshold))

    def _load_runs(self, ids: Sequence[str]) -> list[Run]:
        if not ids:
            raise BenchError("The table on conversations needs a run, but none was named: give the ids of one or more runs.")
        return list({run.id: run for run in (runs.get(self._db, name) for name in ids)}.values())

    def _build(self, chosen: Sequence[Run], metric: str, threshold: float) -> Page:
        results = [(name, self._measure(run, metric, threshold)) for name, run in zip(name_runs(chosen), chosen, strict=True)]
        found = [(name, result) for name, result in results if result is not None]
        if not found:
            named = ", ".join(dict.fromkeys(run.release for run in chosen))
            raise BenchError(f"The release {named} has no conversations of these runs' questions: import or draft some first.")
        return build_page([result for _, result in found], [name for name, _ in found])

    def _measure(self, run: Run, metric: str, threshold: float) -> ConversationResult | None:
        """Return the outcomes of the run's conversations, or None if its release has none of its questions."""
        content = self._releases.members(run.release, run.release_hash)
        asked = {item for item, variant in runs.load_questions(self._db, run.id) if variant is None}
        turns = [item for item in content.items if item.id in asked and read_turn(item.labels)]
        if not turns:
            return None
        scores = runs.load_scores(self._db, run.id)
        names = list(dict.fromkeys(score.metric for score in scores))
        if metric not in names and not run.config["settings"].get("user"):
            known = ", ".join(name for name in names if _is_quality(name)) or "none yet"
            raise BenchError(f"Run {run.id} has no scores of {metric!r}: name another metric, of {known}.")
        own = {trace.item: trace for trace in runs.load_traces(self._db, run.id) if trace.variant is None}
        return measure_run(run, turns, own, scores, list(filter(_is_quality, names)), metric, threshold)


def _is_quality(name: str) -> bool:
    """Return whether the full name is that of the main value of a metric whose scale has both ends, so not a cost. The main
    values of a metric of retrieval have the number of passages as their part, such as "@5"."""
    split = split_name(name)
    metric = metrics().get(split.metric)
    if metric is None or metric.low is None or metric.high is None:
        return False
    return split.part in ("", metric.headline) or (split.part[:1] == "@" and split.part[1:].isdecimal())
