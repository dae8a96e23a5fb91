"""Compare each LLM judge of the workspace with people's marks on graded runs, by metric, judge and prompt. Use the comparison
to correct the mean scores of these runs for the judge's errors."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from core.statistics.clusters import clusters
from core.statistics.resampling import RESAMPLES
from eval.reports.calibration import (
    MIN_HUMAN_MARKS,
    CalibrationKind,
    JudgedAnswer,
    JudgedValue,
    RunJudge,
    is_of_answers,
    list_kinds,
    measure_agreement,
    pair_with_people,
    record_check,
    record_judge,
    strip_judge,
)
from eval.reports.run_names import name_runs
from store.runs import grades, runs
from workbench.background_cache import CachedStage, RunningWork
from workbench.evaluate.scoring.human_marks import count_marks_by_judge, judgings_of, languages_of, marks_of
from workbench.roles import requires


class Calibrations(NamedTuple):
    """How closely each LLM judge agrees with people, for each run and for all graded runs together."""

    judges: list[Mapping[str, Any]]
    """One record for each judge, prompt, metric and kind of mark: {"metric", "judge", "prompt", "per", "scheme", "calibrated"},
    with the figures of core/quality/judge_check.py."""
    runs: list[Mapping[str, Any]]
    """Records for single runs, like those in `judges` and with the additional keys "run", "name", "raw", "corrected",
    "rogan_gladen"."""
    least: int = MIN_HUMAN_MARKS
    """Minimum number of people's marks for a judge to count as calibrated."""


class CalibrationStage(CachedStage):
    """Methods with which the app compares LLM judges with people's marks."""

    MAX_RESULTS = 4

    @requires("see gradings")
    def table(self) -> RunningWork[Calibrations]:
        """Return how closely each LLM judge agrees with people's marks, over all runs with an answer in a closed grading
        batch."""
        return self._cache.get(("judges", grades.fingerprint(self._db)), self._compute)

    def _compute(self) -> Calibrations:
        mark_counts = count_marks_by_judge(self._db)
        pooled: dict[tuple[str, str, str, CalibrationKind], list[JudgedValue]] = defaultdict(list)
        by_run: list[Mapping[str, Any]] = []
        graded = [runs.get(self._db, name) for name in grades.list_graded_runs(self._db)]
        for run, name in zip(graded, name_runs(graded), strict=True):
            marks, languages = marks_of(self._db, run.id), languages_of(self._db, run)
            judgings = judgings_of(self._db, run, marks, mark_counts)
            judged = {judging.base for judging in judgings if is_of_answers(judging.base)}
            values: dict[str, list[JudgedAnswer]] = defaultdict(list)
            for score in runs.load_scores(self._db, run.id) if judged else ():
                if score.metric in judged and score.value is not None:
                    language = languages.get((score.item, score.variant), "en")
                    values[score.metric].append(JudgedAnswer(score.item, score.variant, language, score.value))
            cluster_of = clusters({item: [] for item, _ in languages}, "item").of
            for judging in judgings:
                for kind in list_kinds(judging, marks):
                    pairs = pair_with_people(judging, kind, values[judging.base], marks)
                    record = record_judge(judging, kind, pairs, cluster_of.__getitem__, 0, RESAMPLES)
                    by_run.append({"run": run.id, "name": name, **record})
                    for pair in pairs:
                        prompt = judging.prompts.get(pair.language)
                        if prompt and pair.people is not None:
                            pooled[strip_judge(judging.base), judging.judge, prompt, kind].append(pair)
        return Calibrations([_build_line(*key, pairs) for key, pairs in sorted(pooled.items())], by_run)


def _build_line(metric: str, judge: str, prompt: str, kind: CalibrationKind, pairs: list[JudgedValue]) -> Mapping[str, Any]:
    return {
        "metric": metric,
        "judge": judge,
        "prompt": prompt,
        "per": kind.per,
        "scheme": kind.scheme,
        "calibrated": RunJudge(metric, judge, {"": prompt}, {prompt: len(pairs)}).is_calibrated,
        **record_check(measure_agreement(pairs, kind)),
    }
