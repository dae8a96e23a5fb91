"""Reports: runs side by side, from what is stored alone. What the command line prints and what the screen shows are one Report,
made once for the same runs and scores and then kept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from core.catalog import pick
from core.errors import BenchError
from core.ids import canonical_json
from core.nouns import Item, Run
from core.quality.construction import build_construction
from core.quality.crag import QUESTION_TYPES, explain_label_fault
from core.text.text import count_tokens
from eval.page import Page
from eval.preset import Preset, presets
from eval.reports.attribution import COMPANIONS, THRESHOLD, Attribution, attribute_answers
from eval.reports.layout import build_page, list_judge_notes
from eval.reports.renderer import renderers
from eval.reports.report import Report, build_report, regroup_report
from eval.reports.results import RunResult, build_rows
from eval.running.settings import read_number
from store.engine import settings
from store.engine.database import Database
from store.items import task_registry
from store.releases.releases import ReleaseMembers
from store.reviews import progress
from store.runs import grades, run_pages, runs, traces
from workbench.evaluate.results.board_of_runs import RunBoard, RunLine, board_of, differences_of, lines_of
from workbench.evaluate.results.relabelled import Relabelled, relabelled
from workbench.evaluate.running.companions import companions, lacking
from workbench.evaluate.running.run_asked import RunRequest
from workbench.evaluate.scoring.human_marks import Judged, judgings_of, marks_of, people_on
from workbench.evaluate.scoring.studied import Studies
from workbench.evaluate.scoring.task_registry import registry_of
from workbench.kept import BackgroundCache, RunningWork
from workbench.release.releases import ReleaseStage
from workbench.roles import act

BY = ("level", "domain")
WEIGHTS = "crag_weights"
"""Key of the setting that holds them."""
MIMES = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "latex": "application/x-tex",
    "table": "text/plain",
}


class ReportStage:
    """Verbs on reports."""

    def __init__(self, database: Database, releases: ReleaseStage, studies: Studies) -> None:
        self._db, self._releases, self._studies = database, releases, studies
        self._kept = BackgroundCache()
        self._worded = BackgroundCache(threads=2)
        """Tables over wordings: one that compares meanings takes minutes the first time, and holds up no other."""
        self._loaded = BackgroundCache(most=2)
        """Whole Reports with every row of their runs: large, so few of them."""

    @act("see runs", "ids")
    def report(
        self,
        ids: Sequence[str],
        *,
        by: Sequence[str] | None = None,
        form: str,
        preset: str | None = None,
        settings: Mapping[str, Any] = MappingProxyType({}),
    ) -> str:
        """The report of those runs (ids or their first 6 or more characters) as text; `preset` draws a paper's own layout, as
        `settings` say. One of drafts or tasks is of the workspace and takes no run. Raises BenchError when `ids` or settings do
        not fit it."""
        renderer = pick(renderers(), form, "format")
        drawn = pick(presets(), preset, "preset") if preset else None
        if settings and drawn is None:
            raise BenchError(f"A report without a preset has no setting {next(iter(settings))!r}: name one with --preset.")
        if drawn and drawn.of == "drafts":
            if ids:
                raise BenchError(f"{preset} is of this workspace's drafts, not of runs: give no run.")
            return renderer.render(drawn.draw(build_construction(progress.load_drafts(self._db), by or ("level",)), settings))
        if drawn and drawn.of == "tasks":
            if ids:
                raise BenchError(f"{preset} is of this workspace's questions, not of runs: give no run.")
            return renderer.render(drawn.draw(registry_of(self._db), settings))
        if not ids:
            raise BenchError(f"{preset or 'A report'} is of runs, and none was named: give the id of one or more.")
        if drawn and drawn.of == "wordings":
            return renderer.render(drawn.draw(self._studies.now(self._ids(ids)), settings))
        made = self._report(self._ids(ids), tuple(BY if by is None else by))
        return renderer.render(_drawn(drawn, made, settings) if drawn else build_page(made))

    def file(self, ids: Sequence[str], *, form: str, preset: str | None = None) -> tuple[str, str]:
        """(name, MIME type) of a file that holds such a report."""
        return "-".join([preset or "report", *(id_[:6] for id_ in ids)]) + renderers()[form].ending, MIMES[form]

    @act("see runs")
    def runs(self, release: str | None = None) -> list[RunLine]:
        """Every run, newest first, with how far it is."""
        found = {run.id: run for run in runs.list_runs(self._db, release)}
        return lines_of([(found[tally.run], tally) for tally in traces.load_tallies(self._db, release) if tally.run in found])

    @act("see runs")
    def release_names(self) -> list[str]:
        """Releases that have runs, the newest run's first."""
        return list(dict.fromkeys(run.release for run in reversed(runs.list_runs(self._db))))

    @act("see runs", "ids")
    def board(self, ids: Sequence[str], by: Sequence[str] = BY) -> RunningWork[RunBoard]:
        """Leaderboard, cells and comparisons of those runs, when they are there."""
        found = self._ids(ids)
        return self._kept.get(("board", self._state(found), tuple(by)), lambda: self._board(found, tuple(by)))

    @act("see runs", lambda given: f"{given['a']} and {given['b']}")
    def differences(self, a: str, b: str, metric: str, by: Sequence[str] = BY) -> RunningWork[list[dict[str, Any]]]:
        """By cell: the paired difference a - b on the answers of both, when it is there."""
        ids = self._ids([a, b])
        key = ("difference", self._state(ids), metric, tuple(by))
        return self._kept.get(key, lambda: differences_of(self._report(ids, tuple(by)), metric, by))

    @act("see runs", "ids")
    def attributions(
        self, ids: Sequence[str], metric: str, threshold: float = THRESHOLD
    ) -> RunningWork[dict[str, Attribution | str]]:
        """Run -> where its answers are lost, or, without an oracle and a closed_book run of the same agent on the same release,
        why that cannot be told; when it is there."""
        found = [runs.get(self._db, id_) for id_ in ids]
        beside = {run.id: companions(self._db, run) for run in found}
        named = dict.fromkeys(id_ for run in found for id_ in (run.id, *(one.id for one in beside[run.id].values())))

        def made() -> dict[str, Attribution | str]:
            rows = {result.run.id: build_rows(result) for result in self._results(list(named))}
            told: dict[str, Attribution | str] = {}
            for run in found:
                missing = [name for name in COMPANIONS if name not in beside[run.id]]
                if missing:
                    told[run.id] = (
                        "Not available: needs an oracle and a closed_book run by the same agent on the same "
                        f"questions; {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not there yet."
                    )
                else:
                    oracle, closed = (rows[beside[run.id][name].id] for name in COMPANIONS)
                    told[run.id] = attribute_answers(rows[run.id], oracle, closed, metric, threshold)
            return told

        return self._kept.get(("attributions", tuple(ids), self._state(list(named)), metric, threshold), made)

    @act("see runs", "run")
    def attribution_lacks(self, run: str) -> list[RunRequest]:
        """The runs to ask for before that can be told; none where they are there, or the run had no agent."""
        return lacking(self._db, runs.get(self._db, run))

    @act("see runs", lambda given: f"{given['a']} and {given['b']}")
    def relabelled(self, a: str, b: str, metric: str) -> RunningWork[Relabelled]:
        """From run a on its release to run b on its own: what moved because of labels, what because of systems, when it is
        there. Raises BenchError where that cannot be told."""
        ids = self._ids([a, b])
        if len(ids) < 2:
            raise BenchError("Two different runs are needed to tell labels from systems: name another one.")

        def made() -> Relabelled:
            first, second = (runs.get(self._db, id_) for id_ in ids)
            contents = [self._releases.members(run.release, run.release_hash) for run in (first, second)]
            return relabelled(self._db, first, second, (contents[0], contents[1]), metric)

        return self._kept.get(("relabelled", self._state(ids), metric), made)

    @act("see runs", "ids")
    def preset(self, ids: Sequence[str], name: str, settings: Mapping[str, Any] = MappingProxyType({})) -> RunningWork[Page]:
        """A paper's table or figure of those runs, as it is set, when it is there. Raises BenchError when they hold nothing for
        it, or it has no such setting."""
        drawn, found = pick(presets(), name, "preset"), self._ids(ids)
        if drawn.of == "tasks":
            stamp = task_registry.fingerprint(self._db)
            return self._kept.get((name, stamp), lambda: drawn.draw(registry_of(self._db), settings))
        if drawn.of == "wordings":
            key = ("wordings", self._studies.state(found), name, canonical_json(dict(settings)))
            return self._worded.get(key, lambda: drawn.draw(self._studies.now(found), settings))
        key = ("preset", self._state(found), name, canonical_json(dict(settings)))
        return self._kept.get(key, lambda: _drawn(drawn, self._report(found, BY), settings))

    @act("see runs")
    def weights(self) -> dict[str, float]:
        """CRAG's question types -> weight in weighted means; 1 unless set."""
        return {**dict.fromkeys(QUESTION_TYPES, 1.0), **settings.get(self._db, WEIGHTS, {})}

    @act("set the rules of the work", "weights")
    def set_weights(self, weights: Mapping[str, float]) -> None:
        """Weigh question types anew. Raises BenchError on a type that CRAG does not have, a weight that is no number from 0, or
        where nothing would weigh anything."""
        for name, weight in weights.items():
            if why := explain_label_fault("question_type", name):
                raise BenchError(f"A weight {why}.")
            read_number({name: weight}, name, 1.0)
        if weights and not any({**dict.fromkeys(QUESTION_TYPES, 1.0), **weights}.values()):
            raise BenchError("All weights are 0: give at least one question type a weight.")
        settings.put(self._db, WEIGHTS, {name: float(weight) for name, weight in weights.items() if weight != 1})

    def preset_labels(self, of: str = "runs") -> dict[str, str]:
        """Every preset of runs, or of runs that asked several wordings ("wordings"), with what it is called."""
        return _of(of)

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()
        self._worded.close()
        self._loaded.close()

    def _board(self, ids: tuple[str, ...], by: tuple[str, ...]) -> RunBoard:
        made = self._report(ids, by)
        costs = {id_: traces.load_price(self._db, id_) for id_ in ids}
        return board_of(made, regroup_report(made, ()), {line.run: line for line in self.runs()}, costs)

    def _report(self, ids: tuple[str, ...], by: tuple[str, ...]) -> Report:
        """Made once per state of the runs; by other names it is regrouped, not made again."""
        made = self._loaded.now(
            ("report", self._state(ids)), lambda: build_report(self._results(ids), by, weights=self.weights())
        )
        return made if tuple(made.by) == by else self._kept_regrouped(ids, made, by)

    def _kept_regrouped(self, ids: tuple[str, ...], made: Report, by: tuple[str, ...]) -> Report:
        return self._loaded.now(("report", self._state(ids), by), lambda: regroup_report(made, by))

    def _ids(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(runs.get(self._db, name).id for name in names))

    def _state(self, ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """What a report of those runs is made from; another one as soon as a trace or a score comes, or a batch of grades is
        done."""
        weights = canonical_json(settings.get(self._db, WEIGHTS, {}))
        return tuple((id_, f"{traces.fingerprint(self._db, id_)} {grades.fingerprint(self._db)} {weights}") for id_ in ids)

    def _results(self, ids: Sequence[str]) -> list[RunResult]:
        seen, contents = people_on(self._db), dict[str, _Content]()
        found = [runs.get(self._db, id_) for id_ in ids]
        for run in found:
            if run.release_hash not in contents:
                contents[run.release_hash] = _content(self._releases.members(run.release, run.release_hash))
        return [self._result(run, contents[run.release_hash], seen) for run in found]

    def _result(self, run: Run, content: "_Content", seen: Mapping[Judged, int]) -> RunResult:
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
            windows=run_pages.load_windows(self._db, run.id),
            marks=marks,
            judgings=judgings_of(self._db, run, marks, seen),
            context_tokens=content.context_tokens,
            asked=len(runs.load_questions(self._db, run.id)),
        )


class _Content(NamedTuple):
    """What a report needs of a release, the same for each of its runs."""

    items: Mapping[str, Item]
    kinds: Mapping[str, str]
    context_tokens: Mapping[str, int]


def _content(members: ReleaseMembers) -> _Content:
    tokens = {document.id: count_tokens(document.text, document.language) for document in members.documents}
    return _Content(
        {item.id: item for item in members.items},
        {variant.id: variant.kind for variant in members.variants},
        {item.id: sum(tokens[name] for name in item.given if name in tokens) for item in members.items},
    )


def _drawn(preset: Preset, made: Report, settings: Mapping[str, Any]) -> Page:
    """A preset of runs, with what must be known of the judges behind its figures."""
    page = preset.draw(made, settings)
    return replace(page, notes=[*page.notes, *(note for note in list_judge_notes(made) if note not in page.notes)])


def _of(what: str) -> dict[str, str]:
    """Presets of runs, or of drafts: name -> what it is called."""
    return {name: preset.label for name, preset in presets().items() if preset.of == what}
