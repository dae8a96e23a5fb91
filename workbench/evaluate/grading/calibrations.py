"""Every judge of the workspace against people: by metric, judge and prompt, over all runs whose answers people graded, and the
corrected means of each of those runs."""

from collections import defaultdict
from typing import Any, NamedTuple

from core.statistics.clusters import clusters
from core.statistics.resampling import RESAMPLES
from eval.reports.calibration import (
    MIN_HUMAN_MARKS,
    CalibrationKind,
    JudgedValue,
    RunJudge,
    ScoredAnswer,
    is_of_answers,
    list_kinds,
    measure_agreement,
    pair_with_people,
    record_check,
    record_judge,
    strip_judge,
)
from eval.reports.run_names import name_runs
from store.engine.database import Database
from store.runs import grades, runs, traces
from workbench.evaluate.scoring.human_marks import judgings_of, marks_of, people_on
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act


class Calibrations(NamedTuple):
    """What is known of all judges."""

    judges: list[dict[str, Any]]
    """{"metric", "judge", "prompt", "per", "scheme", "calibrated", ...as core/quality/judge_check.py has it}, a line a judge,
    prompt, metric and kind of mark."""
    runs: list[dict[str, Any]]
    """The same of single runs, with "run", "name", "raw", "corrected", "rogan_gladen"."""
    least: int = MIN_HUMAN_MARKS


class CalibrationStage:
    """Verbs on judges."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = BackgroundCache(most=4)

    @act("see gradings")
    def table(self) -> RunningWork[Calibrations]:
        """All of it, when it is there."""
        return self._kept.get(("judges", grades.fingerprint(self._db)), self._made)

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()

    def _made(self) -> Calibrations:
        people = people_on(self._db)
        pooled: dict[tuple[str, str, str, CalibrationKind], list[JudgedValue]] = defaultdict(list)
        own: list[dict[str, Any]] = []
        found = [runs.get(self._db, name) for name in grades.list_graded_runs(self._db)]
        for run, name in zip(found, name_runs(found), strict=True):
            marks = marks_of(self._db, run.id)
            language = {(one.item, one.variant): one.language for one in traces.list_answers(self._db, run)}
            values: dict[str, list[ScoredAnswer]] = defaultdict(list)
            judgings = judgings_of(self._db, run, marks, people)
            wanted = {one.base for one in judgings if is_of_answers(one.base)}
            for score in runs.load_scores(self._db, run.id) if wanted else ():
                if score.metric in wanted and score.value is not None:
                    of = language.get((score.item, score.variant), "en")
                    values[score.metric].append(ScoredAnswer(score.item, score.variant, of, score.value))
            groups = clusters({item: [] for item, _ in language}, "item").of
            for judging in judgings:
                for kind in list_kinds(judging, marks):
                    both = pair_with_people(judging, kind, values[judging.base], marks)
                    own.append(
                        {"run": run.id, "name": name, **record_judge(judging, kind, both, groups.__getitem__, 0, RESAMPLES)}
                    )
                    for one in both:
                        prompt = judging.prompts.get(one.language)
                        if prompt and one.people is not None:
                            pooled[strip_judge(judging.base), judging.judge, prompt, kind].append(one)
        return Calibrations([_line(*key, both) for key, both in sorted(pooled.items())], own)


def _line(metric: str, judge: str, prompt: str, kind: CalibrationKind, both: list[JudgedValue]) -> dict[str, Any]:
    status = RunJudge(metric, judge, {"": prompt}, {prompt: len(both)})
    return {
        "metric": metric,
        "judge": judge,
        "prompt": prompt,
        "per": kind.per,
        "scheme": kind.scheme,
        "calibrated": status.is_calibrated,
        **record_check(measure_agreement(both, kind)),
    }
