"""Build reports that compare runs side by side, only from stored data. The command line and the screen show the same report. A
report is built once for the same runs and scores, and then cached."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from core.catalog import pick
from core.errors import BenchError
from core.ids import canonical_json
from core.nouns import Item, Run
from core.quality.construction import build_construction
from core.quality.crag import QUESTION_TYPES, explain_label_fault
from core.quality.tiny import KEY as TINY
from core.text.text import count_tokens
from eval.page import Page
from eval.preset import Preset, presets
from eval.reports.attribution import COMPANIONS, FAILURE_THRESHOLD, Attribution, attribute_answers
from eval.reports.layout import build_page, build_page_without
from eval.reports.notes import list_judge_notes
from eval.reports.renderer import renderers
from eval.reports.report import Report, build_report, leave_out_items, regroup_report
from eval.reports.results import RunResult, build_rows
from eval.settings import read_number
from store.engine import settings
from store.engine.database import Database
from store.items import draft_costs, task_registry
from store.items.language_pairs import KEY as PAIRS
from store.releases import releases
from store.releases.absence_twins import KEY as TWINS
from store.releases.releases import ReleaseMembers
from store.runs import grades, run_pages, runs, traces
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.evaluate.results.relabelling import LabelComparison, compare_labels
from workbench.evaluate.results.run_board import CellDifference, RunBoard, RunLine, build_board, compare_cells, list_lines
from workbench.evaluate.running.companions import find_companions, request_missing_companions
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.scoring.human_marks import JudgeKey, count_marks_by_judge, judgings_of, marks_of
from workbench.evaluate.scoring.studies import Studies
from workbench.evaluate.scoring.task_registry import load_registry
from workbench.release.certified import AnsweredCount, count_answered, load_flagged
from workbench.release.counterfactual import KEY as COUNTERFACTUAL
from workbench.release.errata import describe_erratum
from workbench.release.releases import ReleaseStage
from workbench.roles import requires

DEFAULT_BY = ("level", "domain")
WEIGHTS_SETTING = "crag_weights"
"""Key of the workspace setting with the weights of CRAG's question types."""
MIMES = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "latex": "application/x-tex",
    "markdown": "text/markdown",
    "table": "text/plain",
}
SpecialView = Literal["absence", "conversations", "counterfactual", "crosslingual"]
VIEW_OF_PART: Mapping[str, SpecialView] = MappingProxyType(
    {TWINS: "absence", COUNTERFACTUAL: "counterfactual", PAIRS: "crosslingual"}
)
"""Dict from a key of a release's manifest to the view of Results about this part."""
NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})


class ReportStage:
    """Methods with which the app and the command line report on runs."""

    def __init__(self, database: Database, releases: ReleaseStage, studies: Studies) -> None:
        self._db, self._releases, self._studies = database, releases, studies
        self._cache = BackgroundCache()
        self._wording_cache = BackgroundCache(threads=2)
        """Cache of tables about questions that were asked in several wordings. Comparing meanings takes minutes the first time,
        and must not delay other tables."""
        self._report_cache = BackgroundCache(max_results=2)
        """Cache of whole reports with all rows of their runs. The cache contains only a few reports, because reports are
        large."""

    @requires("see runs", "ids")
    def list_special_views(self, ids: Sequence[str]) -> set[SpecialView]:
        """Return the views of Results that only some releases have, and that apply to at least one of these runs."""
        chosen = [runs.get(self._db, id_) for id_ in ids]
        parts = {part for run in chosen for part in releases.list_parts(self._db, run.release_hash, list(VIEW_OF_PART))}
        asked_in_turn = any("history" in run.config.get("settings", {}) for run in chosen)
        found: set[SpecialView] = {VIEW_OF_PART[part] for part in parts}
        return found | ({"conversations"} if asked_in_turn else set())

    @requires("see runs", "ids")
    def report(
        self,
        ids: Sequence[str],
        *,
        by: Sequence[str] | None = None,
        form: str,
        preset: str | None = None,
        settings: Mapping[str, Any] = NO_SETTINGS,
        without_shortcuts: Sequence[str] = (),
    ) -> str:
        """Return a report on the runs as text. `ids` are ids of runs, or their first 6 or more characters. If `preset` is
        given, the report is a table or figure as in a paper, which `settings` adapt. A preset about drafts or tasks covers the
        whole workspace, so `ids` must then be empty. `without_shortcuts` adds scores that leave out the questions that these
        shortcuts answer; the name "any" stands for all shortcuts. Raises BenchError if `ids` or `settings` do not fit the
        preset, or if a release has no certificate with these shortcuts."""
        renderer = pick(renderers(), form, "format")
        layout = pick(presets(), preset, "preset") if preset else None
        if layout and without_shortcuts:
            raise BenchError(f"{preset} shows all questions: leave out --preset or --without-shortcuts.")
        if settings and layout is None:
            raise BenchError(f"A report without a preset has no setting {next(iter(settings))!r}: name a preset with --preset.")
        if layout and layout.of in ("drafts", "tasks"):
            if ids:
                subject = "drafts" if layout.of == "drafts" else "questions"
                raise BenchError(f"{preset} reports on this workspace's {subject}, not on runs: give no run.")
            if layout.of == "drafts":
                return renderer.render(
                    layout.draw(build_construction(draft_costs.load_drafts(self._db), by or ("level",)), settings)
                )
            return renderer.render(layout.draw(load_registry(self._db), settings))
        if not ids:
            raise BenchError(f"{preset or 'A report'} reports on runs, but no run was named: give the ids of one or more runs.")
        full_ids = self._full_ids(ids)
        if layout and layout.of == "wordings":
            return renderer.render(layout.draw(self._studies.load(full_ids), settings))
        report = self._load_report(full_ids, tuple(DEFAULT_BY if by is None else by))
        if without_shortcuts:
            return renderer.render(build_page_without(report, self._load_flagged(full_ids, without_shortcuts)))
        return renderer.render(_draw(layout, report, settings) if layout else build_page(report))

    def file(self, ids: Sequence[str], *, form: str, preset: str | None = None) -> tuple[str, str]:
        """Return (name, MIME type) of a file that contains a report on the given runs."""
        return "-".join([preset or "report", *(id_[:6] for id_ in ids)]) + renderers()[form].ending, MIMES[form]

    @requires("see runs")
    def runs(self, release: str | None = None) -> list[RunLine]:
        """Return all runs, or only those on the given release, newest first, each with its progress."""
        by_id = {run.id: run for run in runs.list_runs(self._db, release)}
        return list_lines([(by_id[tally.run], tally) for tally in traces.load_tallies(self._db, release) if tally.run in by_id])

    @requires("see runs")
    def release_names(self) -> list[str]:
        """Return the names of the releases that have runs, beginning with the release of the newest run."""
        return list(dict.fromkeys(run.release for run in reversed(runs.list_runs(self._db))))

    @requires("see runs", "ids")
    def board(
        self, ids: Sequence[str], by: Sequence[str] = DEFAULT_BY, without_shortcuts: Sequence[str] = ()
    ) -> RunningWork[RunBoard]:
        """Return the leaderboard of the runs, with results by group of questions and comparisons of runs. `without_shortcuts`
        leaves out the questions that at least one of these shortcuts answers. The name "any" stands for all shortcuts."""
        full_ids = self._full_ids(ids)
        flagged = self._load_flagged(full_ids, without_shortcuts) if without_shortcuts else frozenset()

        def make() -> RunBoard:
            report = self._load_report(full_ids, tuple(by))
            report = leave_out_items(report, flagged) if flagged else report
            costs = {id_: traces.load_price(self._db, id_) for id_ in full_ids}
            return build_board(report, regroup_report(report, ()), {line.run.id: line for line in self.runs()}, costs)

        return self._cache.get(("board", self._state_of(full_ids), tuple(by), flagged), make)

    @requires("see runs", "ids")
    def count_answered(self, ids: Sequence[str]) -> list[AnsweredCount]:
        """Return the number of questions that each shortcut answers in the releases of these runs, according to their newest
        certificates; [] if a release has no certificate."""
        return count_answered(self._db, [runs.get(self._db, id_) for id_ in ids])

    @requires("see runs", lambda arguments: f"{arguments['a']} and {arguments['b']}")
    def differences(self, a: str, b: str, metric: str, by: Sequence[str] = DEFAULT_BY) -> RunningWork[list[CellDifference]]:
        """Return for each group of questions the metric's difference, run `a` minus run `b`, on the questions that both runs
        answered."""
        ids = self._full_ids([a, b])
        key = ("difference", self._state_of(ids), metric, tuple(by))
        return self._cache.get(key, lambda: compare_cells(self._load_report(ids, tuple(by)), metric, by))

    @requires("see runs", "ids")
    def attributions(
        self, ids: Sequence[str], metric: str, threshold: float = FAILURE_THRESHOLD
    ) -> RunningWork[dict[str, Attribution | str]]:
        """Return a dict from run to the stages, such as retrieval, at which the run loses correct answers, or to the reason why
        this cannot be computed. The computation needs a run of oracle and a run of closed_book, with the same agent on the same
        release."""
        chosen = [runs.get(self._db, id_) for id_ in ids]
        companions = {run.id: find_companions(self._db, run) for run in chosen}
        named = list(
            dict.fromkeys(id_ for run in chosen for id_ in (run.id, *(other.id for other in companions[run.id].values())))
        )

        def make() -> dict[str, Attribution | str]:
            rows = {result.run.id: build_rows(result) for result in self._load_results(named)}
            attributions: dict[str, Attribution | str] = {}
            for run in chosen:
                missing = [name for name in COMPANIONS if name not in companions[run.id]]
                if missing:
                    attributions[run.id] = (
                        "Not available: needs an oracle and a closed_book run by the same agent on the same "
                        f"questions; {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not there yet."
                    )
                else:
                    oracle, closed = (rows[companions[run.id][name].id] for name in COMPANIONS)
                    attributions[run.id] = attribute_answers(rows[run.id], oracle, closed, metric, threshold)
            return attributions

        return self._cache.get(("attributions", tuple(ids), self._state_of(named), metric, threshold), make)

    @requires("see runs", "run")
    def request_missing_companions(self, run: str) -> list[RunRequest]:
        """Return requests for those runs of oracle and closed_book that `attributions` needs and that are missing. The list is
        empty if both runs are stored, or if the run has no agent."""
        return request_missing_companions(self._db, runs.get(self._db, run))

    @requires("see runs", lambda arguments: f"{arguments['a']} and {arguments['b']}")
    def compare_labels(self, a: str, b: str, metric: str) -> RunningWork[LabelComparison]:
        """Return the score difference between runs `a` and `b`, which are on different releases, divided into the effect of
        changed gold answers and the effect of the systems. Raises BenchError if the comparison cannot be computed."""
        ids = self._full_ids([a, b])
        if len(ids) < 2:
            raise BenchError(
                "Separating the effects of labels and systems needs two different runs, but one run was given twice: "
                "name another run."
            )

        def make() -> LabelComparison:
            first, second = (runs.get(self._db, id_) for id_ in ids)
            old, new = (self._releases.members(run.release, run.release_hash) for run in (first, second))
            return compare_labels(self._db, first, second, (old, new), metric)

        return self._cache.get(("relabelled", self._state_of(ids), metric), make)

    @requires("see runs", "ids")
    def preset(self, ids: Sequence[str], name: str, settings: Mapping[str, Any] = NO_SETTINGS) -> RunningWork[Page]:
        """Return a table or figure as in a paper, filled with the data of these runs. Raises BenchError if the runs have no
        data for it, or if it does not have one of the settings."""
        layout, full_ids, chosen = pick(presets(), name, "preset"), self._full_ids(ids), canonical_json(dict(settings))
        if layout.of == "tasks":
            stamp = task_registry.fingerprint(self._db)
            return self._cache.get((name, stamp), lambda: layout.draw(load_registry(self._db), settings))
        if layout.of == "wordings":
            state = self._studies.state_of(full_ids)
            return self._wording_cache.get(
                ("wordings", state, name, chosen), lambda: layout.draw(self._studies.load(full_ids), settings)
            )
        key = ("preset", self._state_of(full_ids), name, chosen)
        return self._cache.get(key, lambda: _draw(layout, self._load_report(full_ids, DEFAULT_BY), settings))

    @requires("see runs")
    def weights(self) -> dict[str, float]:
        """Return a dict from CRAG question type to its weight in weighted means. A weight is 1 if nobody has set it."""
        return _fill_weights(settings.get(self._db, WEIGHTS_SETTING, {}))

    @requires("set the rules of the work", "weights")
    def set_weights(self, weights: Mapping[str, float]) -> None:
        """Store the weights of CRAG's question types. Raises BenchError if CRAG has no such type, if a weight is negative or
        not a number, or if all weights are 0."""
        for name, weight in weights.items():
            if why := explain_label_fault("question_type", name):
                raise BenchError(f"A weight {why}.")
            read_number({name: weight}, name, 1.0)
        if weights and not any(_fill_weights(weights).values()):
            raise BenchError("All weights are 0: give at least one question type a weight.")
        settings.put(self._db, WEIGHTS_SETTING, {name: float(weight) for name, weight in weights.items() if weight != 1})

    def preset_labels(self, of: str = "runs") -> dict[str, str]:
        """Return a dict from preset to label, for presets that report on `of`: "runs", or "wordings" (runs that asked questions
        in several wordings)."""
        return {name: preset.label for name, preset in presets().items() if preset.of == of}

    def _load_report(self, ids: tuple[str, ...], by: tuple[str, ...]) -> Report:
        """Return the report on the runs. The report is built once for each state of the runs' data. If only `by` differs from
        an earlier call, the cached report is grouped anew and not built again."""
        key = ("report", self._state_of(ids))
        report = self._report_cache.wait_for(key, lambda: build_report(self._load_results(ids), by, weights=self.weights()))
        return report if tuple(report.by) == by else self._report_cache.wait_for((*key, by), lambda: regroup_report(report, by))

    def _load_flagged(self, ids: Sequence[str], shortcuts: Sequence[str]) -> frozenset[str]:
        return load_flagged(self._db, [runs.get(self._db, id_) for id_ in ids], shortcuts)

    def _full_ids(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(runs.get(self._db, name).id for name in names))

    def _state_of(self, ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Return a cache key for the data of a report on these runs. The key changes whenever a trace, a score or a weight is
        stored, or a grading batch is closed."""
        weights = canonical_json(settings.get(self._db, WEIGHTS_SETTING, {}))
        return tuple((id_, f"{traces.fingerprint(self._db, id_)} {grades.fingerprint(self._db)} {weights}") for id_ in ids)

    def _load_results(self, ids: Sequence[str]) -> list[RunResult]:
        mark_counts, contents = count_marks_by_judge(self._db), dict[str, _ReleaseContent]()
        chosen = [runs.get(self._db, id_) for id_ in ids]
        for run in chosen:
            if run.release_hash not in contents:
                members = self._releases.members(run.release, run.release_hash)
                manifest = releases.get(self._db, run.release, run.release_hash).manifest
                erratum = describe_erratum(self._db, run.release_hash)
                contents[run.release_hash] = _summarise_content(members, erratum, manifest.get(TINY, {}))
        return [self._load_result(run, contents[run.release_hash], mark_counts) for run in chosen]

    def _load_result(self, run: Run, content: "_ReleaseContent", mark_counts: Mapping[JudgeKey, int]) -> RunResult:
        marks = marks_of(self._db, run.id)
        return RunResult(
            run=run,
            traces=traces.load_trace_outcomes(self._db, run.id),
            scores=runs.load_scores(self._db, run.id),
            items=content.items,
            kinds=content.kinds,
            not_run=run.config.get("not_run", ()),
            same_passages=traces.count_shared_passages(self._db, run.id),
            build_seconds=run_pages.load_build_seconds(self._db, run.id),
            building=run_pages.load_building_cost(self._db, run.id),
            models=run_pages.load_models(self._db, run.id),
            windows=run_pages.load_windows(self._db, run.id),
            marks=marks,
            judges=judgings_of(self._db, run, marks, mark_counts),
            context_tokens=content.context_tokens,
            asked=len(runs.load_questions(self._db, run.id)),
            erratum=content.erratum,
            tiny=content.tiny,
            judge_not_taken=traces.load_not_taken(self._db, [run.id])[1],
        )


class _ReleaseContent(NamedTuple):
    """The parts of a release that reports need; all runs on the release share them."""

    items: Mapping[str, Item]
    kinds: Mapping[str, str]
    context_tokens: Mapping[str, int]
    erratum: str
    tiny: Mapping[str, Any]


def _summarise_content(members: ReleaseMembers, erratum: str, tiny: Mapping[str, Any]) -> _ReleaseContent:
    tokens = {document.id: count_tokens(document.text, document.language) for document in members.documents}
    return _ReleaseContent(
        {item.id: item for item in members.items},
        {variant.id: variant.kind for variant in members.variants},
        {item.id: sum(tokens[name] for name in item.given if name in tokens) for item in members.items},
        erratum,
        tiny,
    )


def _draw(preset: Preset, report: Report, settings: Mapping[str, Any]) -> Page:
    """Return the table or figure that the preset makes from the report, with notes on the judges that gave the scores."""
    page = preset.draw(report, settings)
    notes = list_judge_notes(report.names, report.data)
    return replace(page, notes=[*page.notes, *(note for note in notes if note not in page.notes)])


def _fill_weights(weights: Mapping[str, float]) -> dict[str, float]:
    return {**dict.fromkeys(QUESTION_TYPES, 1.0), **weights}
